import { z } from 'zod';
import { PrecisError } from '../../core/errors.ts';

/** A person's verdict on one answer. */
export interface Label {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Name of the arm. */
  readonly arm: string;
  /** The compaction after which it was asked, counted from 1. */
  readonly pass: number;
  /** The run, counted from 1. */
  readonly run: number;
  /** Id of the probe. */
  readonly probe: string;
  /** True when the answer holds what was asked for. */
  readonly correct: boolean;
  /** The answers it was drawn from: all of them, or those that the judge passed. */
  readonly sample: 'random' | 'positive';
}

const COLUMNS = ['fixture', 'arm', 'pass', 'run', 'probe', 'correct', 'sample'] as const;

/** Reads labels from JSON (`{"labels": […]}` or the list itself) or from CSV with a header row. */
export function parseLabels(text: string, file: string): readonly Label[] {
  const trimmed = text.trimStart().replace(/^\uFEFF/, '');
  const isJson = /^[[{]/.test(trimmed);
  const rows = isJson ? jsonRows(trimmed, file) : csvRows(trimmed, file);
  const schema = labelSchema();
  return rows.map(({ value, place }) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const field = issue === undefined || issue.path.length === 0 ? '' : ` in \`${issue.path.join('.')}\``;
    throw wrong(file, `${place}: ${issue?.message ?? 'expected a label'}${field}`);
  });
}

function labelSchema(): z.ZodType<Label> {
  return z.object({
    fixture: z.string().min(1),
    arm: z.string().min(1).default('candidate'),
    pass: z.int().min(0).default(1),
    run: z.int().min(0).default(1),
    probe: z.string().min(1),
    correct: z.boolean(),
    sample: z.enum(['random', 'positive']).default('random'),
  });
}

interface Row {
  readonly value: unknown;
  readonly place: string;
}

function jsonRows(text: string, file: string): readonly Row[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(file, 'expected labels as JSON or CSV, but the JSON cannot be read', error);
  }
  const list = Array.isArray(value) ? value : (value as { readonly labels?: unknown }).labels;
  if (!Array.isArray(list)) throw wrong(file, 'expected a list of labels, or an object with `labels`');
  return list.map((each: unknown, index) => ({ value: each, place: `label ${index + 1}` }));
}

function csvRows(text: string, file: string): readonly Row[] {
  const [first, ...rest] = csvLines(text);
  const names = first?.fields.map((name) => name.trim()) ?? [];
  const unknown = names.find((name) => !(COLUMNS as readonly string[]).includes(name));
  if (unknown !== undefined || !names.includes('probe') || !names.includes('correct'))
    throw wrong(file, `expected a first row with names out of ${COLUMNS.join(', ')}, got \`${names.join(',')}\``);
  return rest.map(({ fields, line }) => ({
    place: `line ${line}`,
    value: Object.fromEntries(
      names.flatMap((name, index) => {
        const field = (fields[index] ?? '').trim();
        return field === '' ? [] : [[name, fieldValue(name, field)]];
      }),
    ),
  }));
}

function fieldValue(name: string, field: string): unknown {
  if (name === 'pass' || name === 'run') return /^\d+$/.test(field) ? Number(field) : field;
  if (name !== 'correct') return field;
  if (/^(?:true|yes|1)$/i.test(field)) return true;
  return /^(?:false|no|0)$/i.test(field) ? false : field;
}

/** Splits CSV into lines of fields. A quoted field may hold commas, line ends and doubled quotes. */
function csvLines(text: string): readonly { readonly fields: readonly string[]; readonly line: number }[] {
  const lines: { fields: string[]; line: number }[] = [];
  let fields: string[] = [];
  let line = 1;
  let start = 1;
  for (const [whole, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (whole === '' && fields.length === 0) break;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (fields.some((field) => field.trim() !== '')) lines.push({ fields, line: start });
    fields = [];
    start = line;
  }
  return lines;
}

function wrong(file: string, sentence: string, cause?: unknown): PrecisError {
  return new PrecisError('bad-input', `${file}: ${sentence}`, { file }, cause);
}
