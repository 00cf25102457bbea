import { PERSONAL_KINDS } from './rules.ts';
import type { ScrubResult } from './scrub.ts';

/** Counts of replacements by rule. Never shows an original. */
export interface ScrubReport {
  readonly schema: 1;
  readonly ok: boolean;
  readonly sessions: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly messages: number;
    readonly truncatedTo: number | null;
    readonly left: readonly ReportRow[];
  }[];
  readonly replaced: readonly ReportRow[];
  readonly placeOnly: number;
  /** Name of the tool that also checked the result; null when there was none. */
  readonly secondOpinion: string | null;
}

export interface ReportRow {
  readonly rule: string;
  readonly group: 'secret' | 'personal' | 'structure';
  readonly count: number;
}

/** Rules that change messages rather than text. */
const STRUCTURE: ReadonlySet<string> = new Set([
  'system prompt',
  'first user message',
  'reasoning',
  'image or file',
  'empty message',
  'message without its pair',
  'long output',
  'other format',
]);

export function reportOf(result: ScrubResult, secondOpinion: string | null = null): ScrubReport {
  return {
    schema: 1,
    ok: result.sessions.every(({ left }) => left.length === 0),
    sessions: result.sessions.map(({ folder, bytes, messages, truncatedTo, left }) => ({
      name: folder,
      bytes,
      messages,
      truncatedTo,
      left: left.map(rowOf),
    })),
    replaced: result.counts.map(rowOf),
    placeOnly: result.placeOnly,
    secondOpinion,
  };
}

function rowOf({ rule, count }: { readonly rule: string; readonly count: number }): ReportRow {
  return { rule, group: groupOf(rule), count };
}

function groupOf(rule: string): ReportRow['group'] {
  if (STRUCTURE.has(rule)) return 'structure';
  return PERSONAL_KINDS[rule] !== undefined || /^(?:project name|card number|IBAN)$/.test(rule) ? 'personal' : 'secret';
}

const TITLES: readonly (readonly [ReportRow['group'], string])[] = [
  ['secret', 'Secrets'],
  ['personal', 'Personal'],
  ['structure', 'Structure'],
];

/** The report for people. */
export function reportText({ sessions, replaced, placeOnly, secondOpinion }: ScrubReport): string {
  const lines: string[] = [];
  for (const { name, bytes, messages, truncatedTo } of sessions) {
    const cut = truncatedTo === null ? '' : `, cut behind message ${truncatedTo + 1}`;
    lines.push(`${name}: ${plural(messages, 'message')}, ${plural(bytes, 'byte')}${cut}`);
  }
  for (const [group, title] of TITLES) {
    const rows = replaced.filter((row) => row.group === group);
    if (rows.length > 0) lines.push('', `${title}:`, ...tableOf(rows));
  }
  if (replaced.length === 0) lines.push('', 'Nothing was replaced.');
  if (placeOnly > 0)
    lines.push(
      '',
      `${plural(placeOnly, 'name')} replaced only in paths and author lines: too short or too common to be replaced everywhere.`,
    );
  lines.push('', auditLine(sessions, secondOpinion));
  return `${lines.join('\n')}\n`;
}

function auditLine(sessions: ScrubReport['sessions'], secondOpinion: string | null): string {
  const left = sessions.flatMap(({ name, left: rows }) =>
    rows.map((row) => `  ${name}: ${row.rule}, ${row.count} left`),
  );
  if (left.length > 0) return ['Audit: failed.', ...left].join('\n');
  return `Audit: nothing left${secondOpinion === null ? '' : `, and ${secondOpinion} agrees`}.`;
}

function tableOf(rows: readonly ReportRow[]): readonly string[] {
  const width = Math.max(...rows.map(({ rule }) => rule.length));
  return rows.map(({ rule, count }) => `  ${rule.padEnd(width)}  ${count.toLocaleString('en-US')}`);
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
