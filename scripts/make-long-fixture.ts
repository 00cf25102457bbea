/**
 * The session `long-haul`, over 100,000 tokens, from recorded parts: too large to be kept, so it is made when it is needed. The same parts give
 * the same bytes on every machine; their hash is pinned beside the parts.
 *
 *     npx node scripts/make-long-fixture.ts         writes .cache/fixtures/long-haul/ and says where
 *     npx node scripts/make-long-fixture.ts --pin   also takes the hash as the right one, after a change to the parts
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly result: string;
}

interface Step {
  readonly say: string;
  readonly calls: readonly Call[];
}

interface Parts {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  readonly context_length: number;
  readonly notes: string;
  readonly seed: number;
  readonly system: string;
  readonly services: readonly string[];
  readonly owners: readonly string[];
  /** Services, by index, whose config has a key that the converter loses. */
  readonly withBudget: readonly number[];
  readonly logLines: number;
  /** Words of the user and the agent before the service of that index. */
  readonly turns: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  readonly log: readonly { readonly weight: number; readonly line: string }[];
  readonly episodes: { readonly budget: readonly Step[]; readonly plain: readonly Step[] };
}

const project = fileURLToPath(new URL('..', import.meta.url));
const source = join(project, 'fixtures/long-haul');
const cache = join(project, '.cache/fixtures/long-haul');

/** The folder with `session.json` and `probes.json`, made if it is not there yet. */
export function longFixture(): string {
  const pinned = readFileSync(join(source, 'session.sha256'), 'utf8').trim();
  const file = join(cache, 'session.json');
  if (!existsSync(file) || hashOf(readFileSync(file, 'utf8')) !== pinned) {
    const text = longSessionText();
    const hash = hashOf(text);
    if (hash !== pinned) throw new Error(`long-haul: the session has the hash ${hash}, pinned is ${pinned}`);
    write(file, text);
  }
  copyFileSync(join(source, 'probes.json'), join(cache, 'probes.json'));
  return cache;
}

/** The session as a file in the OpenAI format. */
export function longSessionText(): string {
  const parts = JSON.parse(readFileSync(join(source, 'parts.json'), 'utf8')) as Parts;
  const { name, description, model, context_length, notes, seed } = parts;
  const header = { name, description, model, context_length, notes, seed };
  return `${JSON.stringify({ ...header, messages: messagesOf(parts) }, null, 1)}\n`;
}

function messagesOf(parts: Parts): readonly unknown[] {
  const next = numbers(parts.seed);
  const messages: unknown[] = [{ role: 'system', content: parts.system }];
  const talk = (index: number): void => {
    for (const [role, content] of parts.turns[index] ?? []) messages.push({ role, content });
  };
  for (const [index, service] of parts.services.entries()) {
    talk(index);
    const fixed: Readonly<Record<string, string>> = {
      service,
      owner: parts.owners[next(parts.owners.length)] ?? '',
      port: String(4_100 + index * 17 + next(16)),
      pool: String(8 + next(40)),
      timeout: String(5 + next(55)),
      budget: String(101 + next(800)),
    };
    for (const { say, calls } of parts.episodes[parts.withBudget.includes(index) ? 'budget' : 'plain']) {
      const content = fill(say, fixed, next);
      const made = calls.map(({ tool, arguments: args, result }) => ({
        id: `call_${hex(next, 8)}`,
        tool,
        arguments: fill(JSON.stringify(args), fixed, next),
        result: fill(
          result.replace('{{log}}', () => logOf(parts, index, next)),
          fixed,
          next,
        ),
      }));
      messages.push({
        role: 'assistant',
        content,
        tool_calls: made.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.tool, arguments: call.arguments },
        })),
      });
      for (const { id, result } of made) messages.push({ role: 'tool', tool_call_id: id, content: result });
    }
  }
  talk(parts.services.length);
  return messages;
}

type Next = (below: number) => number;

/** Lines of a log in the proportions of the recorded one, with a clock of their own. */
function logOf({ log, logLines }: Parts, index: number, next: Next): string {
  const total = log.reduce((sum, { weight }) => sum + weight, 0);
  let time = Date.UTC(2026, 5, 15, 6) + index * 1_200_000;
  return Array.from({ length: logLines }, () => {
    time += next(4_000);
    return drawn(log, next(total)).replace('{{time}}', new Date(time).toISOString());
  }).join('\n');
}

/** The line that a number below the sum of all weights falls on. */
function drawn(log: Parts['log'], number: number): string {
  let sum = 0;
  for (const { weight, line } of log) {
    sum += weight;
    if (number < sum) return line;
  }
  return '';
}

function fill(text: string, fixed: Readonly<Record<string, string>>, next: Next): string {
  return text.replaceAll(/\{\{([a-z-]+)\}\}/g, (_, key: string) => fixed[key] ?? chosen(key, fixed, next));
}

function chosen(key: string, fixed: Readonly<Record<string, string>>, next: Next): string {
  if (key === 'n') return String(next(900));
  if (key === 'small') return String(next(90));
  if (key === 'of-pool') return String(next(Number(fixed['pool'])));
  if (key === 'took') return `${next(3)}.${String(next(1_000_000)).padStart(6, '0')}`;
  if (key === 'hex') return hex(next, 4);
  if (key === 'hash') return hex(next, 7);
  throw new Error(`long-haul: {{${key}}} means nothing`);
}

function hex(next: Next, length: number): string {
  return Array.from({ length }, () => next(16).toString(16)).join('');
}

/** Numbers that look like chance and are the same every time (minimal standard generator). */
function numbers(seed: number): Next {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Tests run side by side: nobody may read half a file. */
function write(file: string, text: string): void {
  mkdirSync(cache, { recursive: true });
  const half = `${file}.${process.pid}`;
  writeFileSync(half, text);
  renameSync(half, file);
}

if (import.meta.main) {
  if (process.argv.includes('--pin')) writeFileSync(join(source, 'session.sha256'), `${hashOf(longSessionText())}\n`);
  console.log(longFixture());
}
