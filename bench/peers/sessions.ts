import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longFixture } from '../../scripts/make-long-fixture.ts';
import { loadFixtures } from '../../src/eval/probes/fixture.ts';
import { parseJson } from '../../src/eval/probes/schema.ts';
import type { ProbeBank } from '../../src/eval/types.ts';
import { convert } from '../../src/formats/convert/convert.ts';
import { openaiChat } from '../../src/formats/index.ts';
import { readSession } from '../../src/sessions/read-text.ts';
import { folded, textOfMessage, textOfView } from './text.ts';
import type { BenchFact, BenchSession, WireMessage } from './types.ts';

/** Takes what is worth a line and stops nothing. */
type Note = (line: string) => void;

const SHIPPED = fileURLToPath(new URL('../../fixtures', import.meta.url));

/**
 * Sessions with facts: those shipped with the project, or any folder. A folder holds fixtures (`session.json` and `probes.json`, as for
 * `precis eval`), or `conversations/X.json` (or `.jsonl`) with `facts/X.json` beside it (`{ facts: [{ id, kind, question, needles }] }`).
 */
export async function loadSessions(place: string | null, onNote: Note): Promise<readonly BenchSession[]> {
  const folder = place ?? SHIPPED;
  if (!existsSync(folder)) throw new Error(`${folder}: there is no such folder`);
  const sessions = existsSync(join(folder, 'facts'))
    ? pairedSessions(folder, onNote)
    : await fixtureSessions(place, onNote);
  const usable = sessions.filter(({ facts }) => facts.length > 0);
  if (usable.length === 0)
    throw new Error(`${folder}: expected a session with at least one fact that is literally in it, found none`);
  return usable;
}

/** The shipped fixtures and the long one, which is made when it is needed. */
async function fixtureSessions(place: string | null, onNote: Note): Promise<readonly BenchSession[]> {
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
    const { name, file } = fixture;
    const messages = wireOf(file);
    return { name, messages, facts: located(name, bank === null ? [] : probedFacts(bank), messages, onNote) };
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

function pairedSessions(folder: string, onNote: Note): readonly BenchSession[] {
  const place = join(folder, 'facts');
  if (!statSync(place).isDirectory()) throw new Error(`${place}: expected a folder of files NAME.json, found a file`);
  const names = readdirSync(place).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new Error(`${place}: expected files NAME.json with facts, found none`);
  return names.sort().map((fileName) => {
    const name = fileName.slice(0, -'.json'.length);
    const facts = factsIn(join(place, fileName));
    const messages = wireOf(conversationOf(folder, name));
    return { name, messages, facts: located(name, facts, messages, onNote) };
  });
}

function conversationOf(folder: string, name: string): string {
  const places = ['.json', '.jsonl'].map((ending) => join(folder, 'conversations', `${name}${ending}`));
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(`${join(folder, 'facts', `${name}.json`)}: expected its conversation in ${places.join(' or ')}`);
}

function factsIn(file: string): readonly Unlocated[] {
  const root = parseJson(textIn(file), file);
  const facts = isRecord(root) ? root['facts'] : null;
  if (!Array.isArray(facts)) throw new Error(`${file}: expected an object with a list of \`facts\``);
  return facts.map((fact: unknown, index) => factAt(fact, `${file}: facts[${index}]`));
}

function factAt(fact: unknown, place: string): Unlocated {
  if (!isRecord(fact)) throw new Error(`${place}: expected an object with id, kind, question and needles`);
  const text = (key: string): string => {
    const value = fact[key];
    if (typeof value !== 'string') throw new Error(`${place}.${key}: expected a text`);
    return value;
  };
  const { needles } = fact;
  if (!Array.isArray(needles) || needles.length === 0 || !needles.every(isNeedle))
    throw new Error(`${place}.needles: expected a list of texts that are not empty`);
  return { id: text('id'), kind: text('kind'), question: text('question'), needles };
}

/** White space alone is in every view, so that its fact would count as kept everywhere. */
function isNeedle(value: unknown): value is string {
  return typeof value === 'string' && folded(value).trim() !== '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: expected a file that can be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Any session that can be read, as OpenAI chat messages: the form that every arm knows. */
function wireOf(file: string): readonly WireMessage[] {
  const { conversation } = readSession(textIn(file), { name: file });
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

/** Facts that are literally in the session, each with the place where it was last said; a note says how many are not. */
function located(
  name: string,
  facts: readonly Unlocated[],
  messages: readonly WireMessage[],
  onNote: Note,
): readonly BenchFact[] {
  const whole = textOfView(messages);
  const texts = messages.map((message) => folded(textOfMessage(message)));
  const found = facts.flatMap(({ id, kind, question, needles }) => {
    const wanted = needles.map(folded);
    if (wanted.length === 0 || !wanted.every((needle) => whole.includes(needle))) return [];
    const last = texts.findLastIndex((text) => wanted.some((needle) => text.includes(needle)));
    return [{ id, kind, question, needles: wanted, position: Math.max(0, last) / Math.max(1, texts.length - 1) }];
  });
  const missing = facts.length - found.length;
  if (found.length === 0) onNote(`${name}: ${noneLeft(facts.length)}, so the session is left out`);
  else if (missing > 0)
    onNote(`${name}: not counted, as not literally in the session: ${missing} of ${facts.length} facts`);
  return found;
}

function noneLeft(facts: number): string {
  return facts === 0 ? 'there are no facts' : `none of its facts (${facts}) is literally in the session`;
}
