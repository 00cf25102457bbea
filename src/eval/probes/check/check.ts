import type { Conversation } from '../../../core/conversation/conversation.ts';
import { historyOf } from '../../../core/conversation/conversation.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import type { Fixture, ProbeBank } from '../../types.ts';
import { type Complaint, complaintsOf, type ProbeGate, usualSecrets } from './gates.ts';
import { transcriptOf } from './transcript.ts';

/** Options of `checkBank`. */
export interface CheckOptions {
  /** The messages of the fixture, decoded. */
  readonly conversation: Conversation;
  /** Finds the kinds of secrets and personal data in a text. @default the rules for secrets of core */
  readonly secretsIn?: (text: string) => readonly string[];
  /** Counts tokens, to find what truncation would keep. @default the heuristic counter */
  readonly counter?: TokenCounter;
}

/** One problem of a probe. */
export interface Finding extends Complaint {
  /** Id of the probe. */
  readonly probe: string;
}

/** The result of checking that the probes of a bank measure compaction. */
export interface BankCheck {
  /** Name of the fixture. */
  readonly fixture: string;
  /** How many probes there are. */
  readonly probes: number;
  /** How many facts they expect. */
  readonly facts: number;
  /** True when every probe is sound. Warnings do not count. */
  readonly ok: boolean;
  /** All problems and warnings, probe by probe. */
  readonly findings: readonly Finding[];
  /** Probes that measure something other than compaction, with the gates they fail. */
  readonly rejected: readonly Rejected[];
}

/** A probe that measures something other than compaction. */
export interface Rejected {
  /** Id of the probe. */
  readonly probe: string;
  /** The gates it fails. */
  readonly gates: readonly ProbeGate[];
}

/**
 * Checks by code alone that the probes of a bank measure compaction and nothing else. A run then shows whether the full session answers them and
 * an empty one does not.
 */
export function checkBank(
  fixture: Pick<Fixture, 'name'>,
  bank: Pick<ProbeBank, 'probes'>,
  { conversation, secretsIn = usualSecrets, counter }: CheckOptions,
): BankCheck {
  const transcript = transcriptOf(historyOf(conversation), counter);
  const { probes } = bank;
  const findings = probes.flatMap((probe) =>
    complaintsOf({ probe, probes, transcript, secretsIn }).map((complaint) => ({ probe: probe.id, ...complaint })),
  );
  const bad = findings.filter(({ severity }) => severity === 'unsound');
  const ids = [...new Set(bad.map(({ probe }) => probe))];
  const rejected = ids.map((probe) => ({
    probe,
    gates: [...new Set(bad.filter((finding) => finding.probe === probe).map(({ gate }) => gate))],
  }));
  const facts = probes.reduce((total, probe) => total + probe.expected.length, 0);
  return { fixture: fixture.name, probes: probes.length, facts, ok: bad.length === 0, findings, rejected };
}
