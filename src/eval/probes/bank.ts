import { contentHash } from '../../core/conversation/hash.ts';
import { guessKind } from '../survival/match/kind.ts';
import type { ExpectedFact, Probe, ProbeBank } from '../types.ts';
import { type FactInput, parseBankInput } from './schema.ts';

/** Hashes a text. Pass a strong hash where digests leave the machine. */
export type Hash = (text: string) => string;

/** Options of `parseBank`. */
export interface ParseBankOptions {
  /** Name of the file, for errors. */
  readonly file: string;
  /** Name of the fixture, when the bank does not have it. @default '' */
  readonly fixture?: string;
  /** Makes its digest. @default the content hash of core */
  readonly hash?: Hash;
}

/** Reads a probe bank. A plain text is a fact whose kind is guessed from its shape. */
export function parseBank(text: string, { file, fixture, hash = contentHash }: ParseBankOptions): ProbeBank {
  const input = parseBankInput(text, file);
  const probes = input.probes.map(
    ({ id, type, question, expected_facts: facts = [], pass = null }): Probe => ({
      id,
      type,
      question,
      expected: facts.map(factOf),
      pass,
    }),
  );
  return bankOf({ fixture: input.fixture ?? fixture ?? '', probes, file, hash });
}

export interface BankParts {
  readonly fixture: string;
  readonly probes: readonly Probe[];
  readonly file: string;
  readonly hash?: Hash;
}

export function bankOf({ fixture, probes, file, hash = contentHash }: BankParts): ProbeBank {
  return { fixture, probes, digest: digestOf(probes, hash), file };
}

/** Hashes everything that is scored: ids, questions and facts. It leaves out the spans of facts, which change no score. */
export function digestOf(probes: readonly Probe[], hash: Hash = contentHash): string {
  const scored = probes.map(({ id, type, question, expected, pass }) => [
    id,
    type,
    question,
    pass,
    expected.map(({ value, kind, aliases, stale, forbidden, weight }) => [
      value,
      kind,
      aliases,
      stale,
      forbidden,
      weight,
    ]),
  ]);
  return hash(JSON.stringify(scored));
}

/** Fills in the fields that a fact leaves out. */
export function factOf(input: string | FactInput): ExpectedFact {
  const fact: FactInput = typeof input === 'string' ? { value: input } : input;
  return {
    value: fact.value,
    kind: fact.kind ?? guessKind(fact.value),
    aliases: fact.aliases ?? [],
    stale: [...(fact.stale ?? []), ...(fact.stale_values ?? [])],
    forbidden: fact.forbidden ?? [],
    weight: fact.weight ?? 'vital',
    spans: fact.spans ?? [],
  };
}

/** Writes a bank as the text of its file, without empty and default fields. */
export function bankText({ fixture, probes }: Pick<ProbeBank, 'fixture' | 'probes'>): string {
  const value = {
    fixture,
    probes: probes.map(({ id, type, question, expected, pass }) => ({
      id,
      type,
      question,
      expected_facts: expected.map(({ value: text, kind, aliases, stale, forbidden, weight, spans }) => ({
        value: text,
        kind,
        ...(aliases.length === 0 ? {} : { aliases }),
        ...(stale.length === 0 ? {} : { stale }),
        ...(forbidden.length === 0 ? {} : { forbidden }),
        ...(weight === 'vital' ? {} : { weight }),
        ...(spans.length === 0 ? {} : { spans }),
      })),
      ...(pass === null ? {} : { pass }),
    })),
  };
  return `${JSON.stringify(value, null, 1)}\n`;
}
