import { z } from 'zod';
import { PrecisError } from '../../core/errors.ts';
import { FACT_KINDS, PROBE_TYPES } from '../types.ts';
import { brokenLine, lineOfPath } from './json-place.ts';

const TEXT = z.string().trim().min(1);
const TEXTS = z.array(TEXT);
const PLACE = z.int().min(0);

const SPAN = z.object({ message: PLACE, start: PLACE, end: PLACE });

const FACT = z.object({
  value: TEXT,
  kind: z.enum(FACT_KINDS).optional(),
  aliases: TEXTS.optional(),
  stale: TEXTS.optional(),
  stale_values: TEXTS.optional(),
  forbidden: TEXTS.optional(),
  weight: z.enum(['vital', 'okay']).optional(),
  spans: z.array(SPAN).optional(),
});

const PROBE = z.object({
  id: TEXT,
  type: z.enum(PROBE_TYPES),
  question: TEXT,
  expected_facts: z.array(z.union([TEXT, FACT])).optional(),
  pass: z.union([z.int().min(1), z.null()]).optional(),
});

const BANK = z.object({
  fixture: TEXT.optional(),
  description: z.string().optional(),
  probes: z.array(PROBE).min(1),
});

const NULLABLE_TEXT = z.union([z.string(), z.null()]).optional();
const NULLABLE_SIZE = z.union([z.int().min(1), z.null()]).optional();

/** The header fields of a session file. Other keys belong to the request and stay unchanged. */
const HEADER = z.object({
  name: TEXT.optional(),
  description: NULLABLE_TEXT,
  model: NULLABLE_TEXT,
  context_length: NULLABLE_SIZE,
  target: NULLABLE_SIZE,
  notes: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
  source: NULLABLE_TEXT,
  truncated_to: z.union([PLACE, z.null()]).optional(),
  scrubbed_at: NULLABLE_TEXT,
  scrubbing_passes: z.union([z.array(z.string()), z.null()]).optional(),
});

/** The expected value of each field, as a phrase for error messages. */
const EXPECTED: Readonly<Record<string, string>> = {
  fixture: 'the name of a fixture',
  description: 'a text',
  probes: 'a list of at least one probe',
  id: 'a text that names the probe',
  type: `one of ${PROBE_TYPES.join(', ')}`,
  question: 'a question',
  expected_facts: 'a list of texts, or of objects such as {"value": "src/a.ts", "kind": "path"}',
  pass: 'the number of a compaction from 1, or null',
  value: 'a text',
  kind: `one of ${FACT_KINDS.join(', ')}`,
  aliases: 'a list of texts',
  stale: 'a list of texts',
  stale_values: 'a list of texts',
  forbidden: 'a list of texts',
  weight: '"vital" or "okay"',
  spans: 'a list of objects such as {"message": 3, "start": 10, "end": 20}',
  message: 'a whole number of 0 or more',
  start: 'a whole number of 0 or more',
  end: 'a whole number of 0 or more',
  name: 'a text',
  model: 'the name of a model, or null',
  context_length: 'a whole number of tokens of 1 or more, or null',
  target: 'a whole number of tokens of 1 or more, or null',
  notes: 'a text, or a list of texts',
  source: 'a text, or null',
  truncated_to: 'a whole number of 0 or more, or null',
  scrubbed_at: 'a text, or null',
  scrubbing_passes: 'a list of texts, or null',
};

export interface FactInput {
  readonly value: string;
  readonly kind?: (typeof FACT_KINDS)[number] | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly stale?: readonly string[] | undefined;
  readonly stale_values?: readonly string[] | undefined;
  readonly forbidden?: readonly string[] | undefined;
  readonly weight?: 'vital' | 'okay' | undefined;
  readonly spans?: readonly { readonly message: number; readonly start: number; readonly end: number }[] | undefined;
}

export interface ProbeInput {
  readonly id: string;
  readonly type: (typeof PROBE_TYPES)[number];
  readonly question: string;
  readonly expected_facts?: readonly (string | FactInput)[] | undefined;
  readonly pass?: number | null | undefined;
}

export interface BankInput {
  readonly fixture?: string | undefined;
  readonly probes: readonly ProbeInput[];
}

export interface HeaderInput {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly context_length?: number | null | undefined;
  readonly target?: number | null | undefined;
}

/** Reads the JSON of a probe bank. Throws a `PrecisError` that names the file, the line and the field. */
export function parseBankInput(text: string, file: string): BankInput {
  return checked(BANK, { text, file, value: parseJson(text, file) });
}

/** Reads the header of a session file. */
export function parseHeader(text: string, file: string, value: unknown): HeaderInput {
  return checked(HEADER, { text, file, value });
}

export function parseJson(text: string, file: string): unknown {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw wrong(file, brokenLine(json, error), 'expected JSON, got something else');
  }
}

interface Checked {
  readonly text: string;
  readonly file: string;
  readonly value: unknown;
}

function checked<T>(schema: z.ZodType<T>, { text, file, value }: Checked): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues[0]);
  const path = issue?.path ?? [];
  const key = String(path.findLast((part) => typeof part === 'string') ?? '');
  const last = path.at(-1);
  const expected = path.length === 0 ? 'an object' : typeof last === 'number' ? ELEMENTS[key] : EXPECTED[key];
  const name = path.length === 0 ? 'the file' : `\`${shownPath(path)}\``;
  const line = lineOfPath(text.startsWith('\ufeff') ? text.slice(1) : text, path);
  throw wrong(file, line, `expected ${name} to be ${expected ?? 'something else'}, got ${shownValue(at(value, path))}`);
}

const ELEMENTS: Readonly<Record<string, string>> = {
  probes: 'an object with id, type and question',
  expected_facts: 'a text, or an object with a value',
  spans: 'an object with message, start and end',
  aliases: 'a text',
  stale: 'a text',
  stale_values: 'a text',
  forbidden: 'a text',
  scrubbing_passes: 'a text',
  notes: 'a text',
};

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly code?: string | undefined;
  readonly errors?: readonly (readonly Issue[])[];
}

/** Finds the most specific complaint: of several alternative shapes, the one that matched furthest. */
function deepest(issue: Issue | undefined): Issue | undefined {
  const inner = (issue?.errors ?? []).flat();
  if (issue === undefined || inner.length === 0) return issue;
  const [best] = inner.toSorted((one, other) => other.path.length - one.path.length);
  if (best === undefined || best.path.length === 0) return issue;
  return deepest({ ...best, path: [...issue.path, ...best.path] });
}

function shownPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const part of path)
    current =
      typeof current === 'object' && current !== null ? (current as Record<PropertyKey, unknown>)[part] : undefined;
  return current;
}

function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``;
}

export function wrong(file: string, line: number | null, sentence: string): PrecisError {
  const place = line === null ? '' : ` line ${line}:`;
  return new PrecisError('bad-input', `${file}:${place} ${sentence}`, { file, ...(line === null ? {} : { line }) });
}
