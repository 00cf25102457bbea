import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentHash } from '../../src/core/conversation/hash.ts';
import { parseBank } from '../../src/eval/probes/bank.ts';
import { readSession } from '../../src/sessions/read-text.ts';
import type { LabelledFact, LabelledSession } from './labelled.ts';

/** Sessions with facts, and where they come from. */
export interface Labelled {
  readonly sessions: readonly LabelledSession[];
  /** What the weights shall say of their data: its name, its size and a hash of every file. */
  readonly name: string;
  readonly hash: string;
}

/** Reads `conversations/NAME.json`, `facts/NAME.json` and `sources.json` of a folder. Says which file is wrong, and how. */
export function readFolder(folder: string): Labelled {
  const sources = parsed(join(folder, 'sources.json')) as Readonly<Record<string, string>>;
  const texts: string[] = [];
  const names = readdirSync(join(folder, 'facts'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
  if (names.length === 0) throw new Error(`${folder}/facts: expected a file NAME.json for each session`);
  const sessions = names.map((name): LabelledSession => {
    const source = sources[name];
    if (source === undefined)
      throw new Error(`${folder}/sources.json: expected the repository of session ${name}, found nothing`);
    const conversation = text(join(folder, 'conversations', `${name}.json`));
    const facts = text(join(folder, 'facts', `${name}.json`));
    texts.push(conversation, facts);
    return {
      name,
      source,
      shipped: false,
      ...sessionOf(conversation, `${name}.json`),
      facts: factsOf(parsed(join(folder, 'facts', `${name}.json`)), join(folder, 'facts', `${name}.json`)),
    };
  });
  return { sessions, name: basename(folder), hash: contentHash(texts.join('\n')) };
}

function sessionOf(content: string, name: string): Pick<LabelledSession, 'conversation' | 'format'> {
  const { conversation, format } = readSession(content, { name });
  return { conversation, format };
}

function factsOf(value: unknown, file: string): readonly LabelledFact[] {
  const { facts } = value as { readonly facts?: readonly Partial<LabelledFact>[] };
  if (!Array.isArray(facts)) throw new Error(`${file}: expected a list under "facts"`);
  return facts.map(({ kind, needles }: Partial<LabelledFact>, at) => {
    if (kind === undefined || !Array.isArray(needles) || needles.length === 0)
      throw new Error(`${file}: fact ${at + 1} needs a "kind" and at least one needle`);
    return { kind, needles };
  });
}

/** The sessions that ship. Their facts are the values that the probes ask for. */
export function readShipped(): Labelled {
  const root = fileURLToPath(new URL('../../fixtures/', import.meta.url));
  const texts: string[] = [];
  const sessions = readdirSync(root)
    .sort()
    .flatMap((name): readonly LabelledSession[] => {
      const file = ['session.json', 'session.jsonl'].find((one) => existsSync(join(root, name, one)));
      if (file === undefined) return [];
      const session = text(join(root, name, file));
      const bank = text(join(root, name, 'probes.json'));
      texts.push(session, bank);
      const { probes } = parseBank(bank, { file: `${name}/probes.json` });
      const facts = probes.map(({ type, expected }) => ({ kind: type, needles: expected.map(({ value }) => value) }));
      return [
        {
          name,
          source: name,
          shipped: true,
          ...sessionOf(session, file),
          facts: facts.filter(({ needles }) => needles.length > 0),
        },
      ];
    });
  return { sessions, name: 'fixtures', hash: contentHash(texts.join('\n')) };
}

function parsed(file: string): unknown {
  const content = text(file);
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    throw new Error(`${file}: expected JSON (${(error as Error).message})`);
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`${file}: expected a file that can be read`);
  }
}
