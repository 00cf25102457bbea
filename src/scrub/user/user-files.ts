import { z } from 'zod';
import { PrecisError } from '../../core/errors.ts';
import type { NameList, UserRule } from './user-rules.ts';

const RULES = z.strictObject({
  rules: z.array(
    z.strictObject({
      name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u),
      starts: z.array(z.string().min(2).max(100)).min(1),
      body: z.string().max(500).optional(),
      replacement: z.string().max(200).optional(),
      keepStart: z.boolean().optional(),
    }),
  ),
});

const LISTED = z.union([
  z.array(z.string().min(3).max(100)),
  z.record(z.string().min(3).max(100), z.union([z.string().min(1).max(100), z.null()])),
]);
const NAMES = z.strictObject({
  projects: LISTED.optional(),
  hosts: LISTED.optional(),
  people: LISTED.optional(),
  keep: z.array(z.string().min(1)).optional(),
});

const EXPECTED_RULE: Readonly<Record<string, string>> = {
  rules: 'a list of rules such as {"name": "ticket", "starts": ["ACME-"], "body": "\\\\d{3,6}"}',
  name: 'a name of letters, digits, blanks, dots and dashes',
  starts: 'a list of texts of 2 to 100 characters',
  body: 'a regular expression of at most 500 characters',
  replacement: 'a text of at most 200 characters',
  keepStart: 'true or false',
};

const EXPECTED_NAMES: Readonly<Record<string, string>> = {
  projects: 'a list of names, or an object of names and their replacements; names have 3 to 100 characters',
  hosts: 'a list of names, or an object of names and their replacements; names have 3 to 100 characters',
  people: 'a list of names, or an object of names and their replacements; names have 3 to 100 characters',
  keep: 'a list of names',
};

/** Reads a rules file. Throws a `PrecisError` that names the file, the place and the expected value. */
export function parseRules(text: string, file: string): readonly UserRule[] {
  const value = jsonOf(text, file);
  const parsed = RULES.safeParse(value);
  if (!parsed.success) throw wrong(file, sentenceOf(parsed.error.issues[0], value, EXPECTED_RULE));
  parsed.data.rules.forEach((rule, index) => checkPattern(rule, `${file}: \`rules[${index}]`));
  return parsed.data.rules;
}

/** Reads a names file; throws like `parseRules`. */
export function parseNames(text: string, file: string): NameList {
  const value = jsonOf(text, file);
  const parsed = NAMES.safeParse(value);
  if (!parsed.success) throw wrong(file, sentenceOf(parsed.error.issues[0], value, EXPECTED_NAMES));
  const { projects, hosts, people, keep = [] } = parsed.data;
  for (const [kind, listed] of Object.entries({ projects, hosts, people }))
    for (const [name, replacement] of mapOf(listed))
      if (replacement?.toLowerCase().includes(name.toLowerCase()))
        throw wrong(file, `expected a replacement that does not hold the name it replaces, got one at \`${kind}\``);
  return { projects: mapOf(projects), hosts: mapOf(hosts), people: mapOf(people), keep };
}

function mapOf(listed: z.infer<typeof LISTED> | undefined): ReadonlyMap<string, string | null> {
  if (listed === undefined) return new Map();
  return new Map(Array.isArray(listed) ? listed.map((name) => [name, null] as const) : Object.entries(listed));
}

/** More open repetitions than this are too slow even within the bound. */
const MOST_OPEN_REPETITIONS = 3;

function checkPattern({ starts, body, replacement, name }: UserRule, place: string): void {
  if (replacement !== undefined && starts.some((start) => replacement.includes(start)))
    throw new PrecisError(
      'bad-input',
      `${place}.replacement\`: expected a text without a start of the rule, else it would be replaced again`,
    );
  if (body === undefined) return;
  const expected = `${place}.body\` of ${name}: expected`;
  try {
    new RegExp(`(?:${body})`, 'uy');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/: /, '') : 'unknown reason';
    throw new PrecisError('bad-input', `${expected} a regular expression, got one with: ${reason}`);
  }
  if (!isQuick(body))
    throw new PrecisError(
      'bad-input',
      `${expected} an expression without a repeated group that repeats or chooses inside, references back, or more than ${MOST_OPEN_REPETITIONS} open repetitions: those can take very long`,
    );
}

/**
 * Says whether a pattern runs in acceptable time. Exponential time needs a repeated group with a choice inside, and slow polynomial time needs
 * many open repetitions.
 */
function isQuick(pattern: string): boolean {
  const groups: boolean[] = [];
  let open = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\') {
      if (/[1-9k]/.test(pattern.charAt(at + 1))) return false;
      at++;
    } else if (character === '[') at = endOfClass(pattern, at);
    else if (character === '(') groups.push(false);
    else if (character === '|') markAll(groups);
    const repeats = /^(?:[*+]|\{\d+,\d*\})/.test(pattern.slice(at + 1, at + 12));
    if (character === ')' && groups.pop() === true && (repeats || pattern.charAt(at + 1) === '{')) return false;
    if (repeats) {
      markAll(groups);
      if (/^(?:[*+]|\{\d+,\})/.test(pattern.slice(at + 1, at + 12))) open++;
    }
  }
  return open <= MOST_OPEN_REPETITIONS;
}

function markAll(groups: boolean[]): void {
  groups.fill(true);
}

function endOfClass(pattern: string, from: number): number {
  let at = from + 1;
  while (at < pattern.length && pattern.charAt(at) !== ']') at += pattern.charAt(at) === '\\' ? 2 : 1;
  return at;
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0];
    throw wrong(file, `expected JSON${place === undefined ? '' : ` ${place}`}`);
  }
}

function sentenceOf(
  issue: z.core.$ZodIssue | undefined,
  value: unknown,
  expected: Readonly<Record<string, string>>,
): string {
  const path = issue?.path ?? [];
  const place = path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('');
  const known = Object.keys(expected);
  if (issue?.code === 'unrecognized_keys') {
    const where = place === '' ? '' : ` at \`${place}\``;
    return `unknown field \`${issue.keys[0]}\`${where}; known are ${(place === '' && known[0] === 'rules' ? known.slice(0, 1) : known[0] === 'rules' ? known.slice(1) : known).join(', ')}`;
  }
  const field = path.findLast((step) => typeof step === 'string' && expected[step] !== undefined);
  if (typeof field !== 'string')
    return `expected an object with ${known[0] === 'rules' ? '`rules`' : known.join(', ')}${place === '' ? '' : ` at \`${place}\``}`;
  return `expected \`${place}\` to be ${expected[field]}, got ${kindOf(path, value)}`;
}

/** Describes a value without showing it, because it may be the secret itself. */
function kindOf(path: readonly PropertyKey[], value: unknown): string {
  let at: unknown = value;
  for (const step of path) at = (at as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step];
  if (at === undefined) return 'nothing';
  if (at === null) return '`null`';
  if (typeof at === 'string') return `a text of ${at.length} characters`;
  return Array.isArray(at) ? 'a list' : typeof at === 'object' ? 'an object' : `a ${typeof at}`;
}

function wrong(file: string, sentence: string): PrecisError {
  return new PrecisError('bad-input', `${file}: ${sentence}`, { file });
}
