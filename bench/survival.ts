import { readFileSync } from 'node:fs';
import { compactInPasses } from '../src/cli/commands/compact/passes.ts';
import type { Conversation } from '../src/core/conversation/conversation.ts';
import { type Message, resultTextOf } from '../src/core/conversation/message.ts';
import { splitSteps } from '../src/core/conversation/steps.ts';
import { taskIndex } from '../src/core/conversation/turns.ts';
import { createMeasure } from '../src/core/tokens/measure.ts';
import { parseBank } from '../src/eval/probes/bank.ts';
import { o200k } from '../src/models/o200k.ts';
import { readSession } from '../src/sessions/read-text.ts';
import { folded } from './peers/text.ts';

/** A probe of a fixture survives when all its facts are literally in the view. */
function probesOf(fixture: string): readonly (readonly string[])[] {
  const file = `${fixture}/probes.json`;
  const { probes } = parseBank(read(file), { file });
  return probes.map(({ expected }) => expected.map(({ value }) => value)).filter((values) => values.length > 0);
}

export interface SurvivalRow {
  readonly arm: string;
  /** Target in percent of the session's tokens. */
  readonly target: number;
  readonly passes: number;
  readonly kept: number;
  readonly facts: number;
}

const FIXTURES: readonly (readonly [string, string])[] = [
  ['rate-limiter', 'session.json'],
  ['flight-change', 'session.json'],
  ['incident', 'session.jsonl'],
];

/** Facts of the shipped sessions that are still in the view: ours after one and five passes, and plain truncation beside it. */
export async function survival(): Promise<readonly SurvivalRow[]> {
  const rows: SurvivalRow[] = [];
  for (const target of [10, 20]) {
    for (const passes of [1, 5])
      rows.push(await arm('precis', target, passes, (session, tokens) => ours(session, tokens, passes)));
    rows.push(
      await arm('task + newest', target, 1, async ({ conversation }, tokens) => truncated(conversation, tokens)),
    );
  }
  return rows;
}

type Session = ReturnType<typeof readSession>;

async function arm(
  name: string,
  target: number,
  passes: number,
  view: (session: Session, tokens: number) => Promise<readonly Message[]>,
): Promise<SurvivalRow> {
  let kept = 0;
  let facts = 0;
  for (const [fixture, file] of FIXTURES) {
    const session = readSession(read(`${fixture}/${file}`), { name: file });
    const probes = probesOf(fixture);
    const tokens = Math.round((createMeasure(o200k).conversation(session.conversation) * target) / 100);
    const text = folded((await view(session, tokens)).map(words).join(' '));
    facts += probes.length;
    kept += probes.filter((values) => values.every((value) => text.includes(folded(value)))).length;
  }
  return { arm: name, target, passes, kept, facts };
}

async function ours({ conversation, format }: Session, target: number, passes: number): Promise<readonly Message[]> {
  const options = { target, counter: o200k, window: 128_000 };
  const { conversation: view } = await compactInPasses({
    conversation,
    format,
    passes,
    options,
    onStart: () => {},
    onPass: () => {},
  });
  return view.messages;
}

/** The simple way: system, task, and the newest steps that fit. */
function truncated({ messages }: Conversation, target: number): readonly Message[] {
  const measure = createMeasure(o200k);
  const task = taskIndex(messages);
  const head = messages.filter((message, index) => message.role === 'system' || index === task);
  let left = target - measure.messages(head);
  const tail: Message[] = [];
  for (const { from, to } of splitSteps(messages).toReversed()) {
    const step = messages.slice(from, to);
    left -= measure.messages(step);
    if (left < 0 || from <= task) break;
    tail.unshift(...step);
  }
  return [...head, ...tail];
}

function read(path: string): string {
  return readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');
}

function words(message: Message): string {
  return message.parts
    .map((part) =>
      part.type === 'text'
        ? part.text
        : part.type === 'tool-call'
          ? part.arguments
          : part.type === 'tool-result'
            ? resultTextOf(part)
            : '',
    )
    .join(' ');
}
