import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longFixture } from '../../scripts/make-long-fixture.ts';
import { loadFixtures } from '../../src/eval/fixture.ts';
import type { ProbeBank } from '../../src/eval/types.ts';
import { convert } from '../../src/formats/convert.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { readSession } from '../../src/sessions/generic.ts';
import { folded, textOfMessage, textOfView } from './text.ts';
import type { BenchFact, BenchSession, WireMessage } from './types.ts';

const SHIPPED = fileURLToPath(new URL('../../fixtures', import.meta.url));

/**
 * Sessions with facts: those shipped with the project, or any folder. A folder holds fixtures (`session.json` and `probes.json`, as for
 * `precis eval`), or `conversations/X.json` with `facts/X.json` beside it (`{ facts: [{ id, kind, question, needles }] }`).
 */
export async function loadSessions(place: string | null): Promise<readonly BenchSession[]> {
  const folder = place ?? SHIPPED;
  if (!existsSync(folder)) throw new Error(`${folder}: there is no such folder`);
  const sessions = existsSync(join(folder, 'facts')) ? pairedSessions(folder) : await fixtureSessions(place);
  const usable = sessions.filter(({ facts }) => facts.length > 0);
  if (usable.length === 0) throw new Error(`${folder}: expected sessions with facts, found none`);
  return usable;
}

/** The shipped fixtures and the long one, which is made when it is needed. */
async function fixtureSessions(place: string | null): Promise<readonly BenchSession[]> {
  const names = [
    'rate-limiter',
    'flight-change',
    'incident',
    'triage-pr',
    'weekly-jobs',
    'chained-merge',
    'patch-and-merge',
  ];
  const places = place === null ? [...names.map((name) => join(SHIPPED, name)), longFixture()] : place;
  const loaded = await loadFixtures(places);
  return loaded.map(({ fixture, bank }) => {
    const messages = wireOf(fixture.file);
    return { name: fixture.name, messages, facts: bank === null ? [] : located(probedFacts(bank), messages) };
  });
}

function probedFacts({ probes }: ProbeBank): readonly Unlocated[] {
  return probes.flatMap(({ id, type, question, expected }) =>
    expected.map(({ value, kind }, index) => ({
      id: expected.length === 1 ? id : `${id}/${index + 1}`,
      kind: type === 'constraint' ? 'constraint' : kind,
      question,
      needles: [value],
    })),
  );
}

interface FactsFile {
  readonly facts?: readonly Unlocated[];
}

function pairedSessions(folder: string): readonly BenchSession[] {
  return readdirSync(join(folder, 'facts'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const file = join(folder, 'facts', name);
      const { facts } = JSON.parse(readFileSync(file, 'utf8')) as FactsFile;
      if (!Array.isArray(facts)) throw new Error(`${file}: expected an object with a list of \`facts\``);
      const messages = wireOf(join(folder, 'conversations', name));
      return {
        name: name.slice(0, -'.json'.length),
        messages,
        facts: located(facts as readonly Unlocated[], messages),
      };
    });
}

/** Any session that can be read, as OpenAI chat messages: the form that every arm knows. */
function wireOf(file: string): readonly WireMessage[] {
  const { conversation } = readSession(readFileSync(file, 'utf8'), { name: file });
  const { wire } = convert(conversation, openaiChat);
  const list = Array.isArray(wire) ? wire : (wire as { readonly messages: readonly unknown[] }).messages;
  return list.map(plainMessage);
}

interface LooseMessage extends Omit<WireMessage, 'content'> {
  readonly content?: unknown;
}

/** Content as one text: not every peer takes a list of parts. */
function plainMessage(message: unknown): WireMessage {
  const { role, content, tool_calls, tool_call_id } = message as LooseMessage;
  return {
    role,
    content: typeof content === 'string' ? content : Array.isArray(content) ? content.map(textOfPart).join('\n') : null,
    ...(tool_calls === undefined ? {} : { tool_calls }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  };
}

function textOfPart(part: unknown): string {
  const text = typeof part === 'object' && part !== null ? (part as { readonly text?: unknown }).text : null;
  return typeof text === 'string' ? text : '';
}

type Unlocated = Omit<BenchFact, 'position'>;

/** Facts that are literally in the session, each with the place where it was last said. */
function located(facts: readonly Unlocated[], messages: readonly WireMessage[]): readonly BenchFact[] {
  const whole = textOfView(messages);
  const texts = messages.map((message) => folded(textOfMessage(message)));
  return facts.flatMap(({ id, kind, question, needles }) => {
    const wanted = needles.map(folded);
    if (wanted.length === 0 || !wanted.every((needle) => whole.includes(needle))) return [];
    const last = texts.findLastIndex((text) => wanted.some((needle) => text.includes(needle)));
    return [{ id, kind, question, needles: wanted, position: Math.max(0, last) / Math.max(1, texts.length - 1) }];
  });
}
