/** An evaluation against a real server that answers and grades by script. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAM } from '../../src/eval/exam/exam.ts';
import { RUBRIC } from '../../src/eval/exam/rubric.ts';
import { DIMENSIONS, type RunResult } from '../../src/eval/types.ts';
import {
  type Behaviour,
  behave,
  type ModelServer,
  type Script,
  type SeenRequest,
  startModelServer,
} from '../../src/testing/index.ts';
import { precis, type Ran } from '../cli/fake-world.ts';

export function isExam({ instructions }: SeenRequest): boolean {
  return instructions.includes(EXAM.slice(0, 60));
}

export function isJudge({ instructions }: SeenRequest): boolean {
  return instructions.includes(RUBRIC.slice(0, 60));
}

export function verdict(grade: number, outcome = 'correct', note = ''): string {
  return JSON.stringify({ ...Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, grade])), outcome, note });
}

/** Answers what the state says, and grades 5 what has the expected facts in it. */
export const honest: Script = (seen) => (isJudge(seen) ? judges(seen) : answers(seen));

export function answers({ prompt }: SeenRequest): Behaviour {
  const question = prompt.slice(prompt.lastIndexOf('Question: '));
  const view = prompt.slice(0, prompt.lastIndexOf('Question: '));
  const wanted = QUESTIONS.find(([text]) => question.includes(text))?.[1] ?? 'nothing';
  return behave.answer(view.includes(wanted) ? `It is ${wanted}.` : 'NOT IN CONTEXT');
}

export function judges({ prompt }: SeenRequest): Behaviour {
  const fact = /^- (.+)$/m.exec(prompt)?.[1] ?? '';
  const said = /<answer-\w+>\n([\s\S]*?)\n<\/answer/.exec(prompt)?.[1] ?? '';
  const isRight = fact === '' ? said === 'NOT IN CONTEXT' : said.includes(fact.split(' (')[0] ?? '');
  return behave.answer(isRight ? verdict(5) : verdict(1, 'wrong', 'the fact is missing'));
}

const QUESTIONS: readonly (readonly [string, string])[] = [
  ['Which port', '8417'],
  ['Which file', 'src/quota/window.ts'],
  ['Which error', 'ERR_QUOTA_7731'],
  ['What must never', 'never log client addresses'],
];

/** A small session whose facts stand at its beginning, far from its end. */
export function smallFixture(folder: string, name = 'small'): void {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const messages: unknown[] = [
    { role: 'system', content: 'You are a coding agent.' },
    { role: 'user', content: 'Make the quota test pass. Constraint: never log client addresses.' },
  ];
  const step = (id: string, command: string, output: string, said: string): void => {
    messages.push({
      role: 'assistant',
      content: said,
      tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }],
    });
    messages.push({ role: 'tool', tool_call_id: id, content: output });
  };
  step('c1', 'cat config.json', '{ "port": 8417 }', 'I look at the configuration: the server listens on port 8417.');
  step('c2', 'npm test', 'Error: ERR_QUOTA_7731 window exceeded', 'The test fails with ERR_QUOTA_7731.');
  step('c3', 'edit src/quota/window.ts', 'ok', 'The fix goes into src/quota/window.ts.');
  for (let n = 0; n < 30; n++)
    step(
      `f${n}`,
      `grep -rn step${n} lib`,
      `lib/part${n}.ts: ${'some lines of code that nobody needs '.repeat(12)}`,
      `Step ${n} looks at part ${n}.`,
    );
  messages.push({ role: 'user', content: 'Go on.' });
  writeFileSync(join(place, 'session.json'), JSON.stringify({ messages }));
  const fact = (value: string, kind: string): object => ({ value, kind });
  const probes = [
    {
      id: 'port',
      type: 'recall',
      question: 'Which port does the server listen on?',
      expected_facts: [fact('8417', 'number')],
    },
    {
      id: 'file',
      type: 'artifact',
      question: 'Which file holds the fix?',
      expected_facts: [fact('src/quota/window.ts', 'path')],
    },
    {
      id: 'error',
      type: 'recall',
      question: 'Which error does the test give?',
      expected_facts: [fact('ERR_QUOTA_7731', 'identifier')],
    },
    {
      id: 'rule',
      type: 'constraint',
      question: 'What must never be logged?',
      expected_facts: [fact('never log client addresses', 'constraint')],
    },
    { id: 'nothing', type: 'abstention', question: 'What is the name of the customer?', expected_facts: [] },
  ];
  writeFileSync(join(place, 'probes.json'), JSON.stringify({ fixture: name, probes }));
}

export interface Place {
  readonly folder: string;
  readonly fixture: string;
  readonly results: string;
  readonly server: ModelServer;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `precis` with the folder of results. */
  run(...args: readonly string[]): Promise<Ran>;
  close(): Promise<void>;
}

export const MODEL = 'anthropic/claude-haiku-4-5';

export async function openPlace(script: Script = honest): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'precis-eval-'));
  const server = await startModelServer(script);
  smallFixture(folder);
  const fixture = join(folder, 'small');
  const results = join(folder, 'results');
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'none', PRECIS_BASE_URL: `${server.url}/v1` };
  const before = { ...process.env };
  Object.assign(process.env, env);
  return {
    folder,
    fixture,
    results,
    server,
    env,
    run: (command, ...args) =>
      precis([command ?? 'eval', ...args, ...(args.includes('--results') ? [] : ['--results', results])]),
    close: async () => {
      for (const name of Object.keys(env))
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Cells of one arm by the id of their probe. */
export function cellsOf({ cells }: RunResult, arm: string): ReadonlyMap<string, RunResult['cells'][number]> {
  return new Map(cells.filter((cell) => cell.arm === arm).map((cell) => [cell.probe, cell]));
}
