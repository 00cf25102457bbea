/** Number formats, the same on every page. */
import type { Share } from '../peers/results.ts';

export const NONE = '–';

/** Null when there was nothing to keep: a share of nothing is not 0 %. */
export function partOf({ kept, facts }: Share): number | null {
  return facts === 0 ? null : kept / facts;
}

export function percent(part: number | null): string {
  if (part === null || !Number.isFinite(part)) return NONE;
  const value = 100 * part;
  return `${value > 0 && value < 9.95 && !Number.isInteger(value) ? value.toFixed(1) : value.toFixed(0)} %`;
}

export function shareText(share: Share): string {
  const part = partOf(share);
  return part === null ? NONE : `${(100 * part).toFixed(0)} %`;
}

/** A difference of two shares, without its sign, such as `12 points`. */
export function points(difference: number): string {
  const value = Math.abs(100 * difference);
  if (value === 0) return '0 points';
  if (value < 0.5) return 'less than a point';
  const rounded = Math.round(value);
  return rounded === 1 ? '1 point' : `${rounded} points`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** More digits would be noise. */
export function milliseconds(ms: number): string {
  if (ms < 0.001) return '0 ms';
  return `${ms >= 100 ? whole(ms) : Number(ms.toPrecision(2))} ms`;
}

export function megabytes(mb: number): string {
  return `${mb >= 10 ? whole(mb) : mb.toFixed(1)} MB`;
}

export function times(ratio: number): string {
  return ratio >= 10 ? whole(ratio) : ratio.toFixed(ratio < 0.1 ? 3 : 2);
}

/** `10K`, `1M`, for headings. */
export function shortTokens(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toPrecision(2))}M`;
  return tokens >= 1_000 ? `${Number((tokens / 1_000).toPrecision(3))}K` : String(tokens);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** 1st, 2nd, 3rd, 4th. */
export function ordinal(place: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][place % 10] ?? 'th';
  return `${place}${place % 100 >= 11 && place % 100 <= 13 ? 'th' : ending}`;
}

/** How far apart two measurements of the same thing are. Which of them was slower is chance. */
export function factor(ratio: number): number {
  return ratio > 0 ? Math.max(ratio, 1 / ratio) : 1;
}

/** Which code was measured, as the first part of a list. */
export function codeOf({ commit }: { readonly commit: string | null }): string {
  if (commit === null) return '';
  return commit.endsWith('+') ? `changed after commit ${commit.slice(0, -1)}, ` : `commit ${commit}, `;
}
