import { lost, type MatchContext, type Matcher, normalised, VERBATIM } from './found.ts';
import { around, type Boundary, findAt, type Haystack, isWordChar, plainText, wordBoundary } from './haystack.ts';

/** Boundary of names. They continue over a dash (`hermes-agent` is not in `hermes-agent-dev`), and numbers over a dot. */
export const nameBoundary: Boundary = (text, start, end) => {
  if (!wordBoundary(text, start, end)) return isVersion(text, start, end);
  const first = text[start];
  const last = text[end - 1];
  const before = text[start - 1];
  const after = text[end];
  if (isWordChar(first) && before === '-' && isWordChar(text[start - 2])) return false;
  if (isWordChar(last) && after === '-' && isWordChar(text[end + 1])) return false;
  const digits = /\d/;
  if (digits.test(first ?? '') && before === '.' && digits.test(text[start - 2] ?? '')) return false;
  return !(digits.test(last ?? '') && after === '.' && digits.test(text[end + 1] ?? ''));
};

/** Says whether a match is a version after a `v`: `0.4.0` is in `v0.4.0`. */
function isVersion(text: string, start: number, end: number): boolean {
  if (!/^\d+\.\d/.test(text.slice(start, end)) || !/v/i.test(text[start - 1] ?? '')) return false;
  return !isWordChar(text[start - 2]) && !isWordChar(text[end]) && !/^\.\d/.test(text.slice(end, end + 2));
}

/** Matches names. Their case and their boundaries matter. */
export const matchIdentifier: Matcher = (value, hay) => {
  if (findAt(hay.text, value, nameBoundary) >= 0) return VERBATIM;
  const plain = plainText(value);
  if (findAt(hay.plain, plain, nameBoundary) >= 0) return normalised('the same but for blanks and escapes');
  return lost(nearestName(plain, hay));
};

function nearestName(value: string, { lower, plain }: Haystack): string {
  const at = lower.indexOf(value.toLowerCase());
  if (at < 0) return 'not there';
  const found = around(plain, { start: at, end: at + value.length }, 20);
  const isSame = plain.slice(at, at + value.length) === value;
  return isSame ? `only as part of something longer: ${found}` : `only in other case: ${found}`;
}

const HEX = /[0-9a-f]{7,64}/gi;
/** Shorter prefixes of a hash are ambiguous. */
const LEAST_PREFIX = 7;

/** Matches ids. Seven digits identify a hash if one of them is a letter; other ids must be complete. */
export const matchHash: Matcher = (value, hay, context) => {
  const whole = matchIdentifier(value, hay, context);
  const wanted = value.toLowerCase();
  if (whole.outcome !== 'lost') return whole;
  if (/^[0-9a-f]{8}-[0-9a-f-]{20,}$/i.test(value) && findAt(hay.lower, wanted, nameBoundary) >= 0)
    return normalised('in other case');
  if (!/^[0-9a-f]{7,64}$/i.test(value)) return whole;
  for (const match of hay.plain.matchAll(HEX)) {
    const found = match[0].toLowerCase();
    const end = match.index + found.length;
    if (!wordBoundary(hay.plain, match.index, end)) continue;
    const length = Math.min(found.length, wanted.length);
    if (length < LEAST_PREFIX || found.slice(0, length) !== wanted.slice(0, length)) continue;
    if (/[a-f]/.test(found.slice(0, length))) return normalised(`as ${match[0]}`);
  }
  return whole;
};

const URL_END = /[^\s"'<>()[\]{}|\\^]*/y;

export const matchUrl: Matcher = (value, hay) => {
  if (findAt(hay.text, value, urlBoundary) >= 0) return VERBATIM;
  const wanted = bareUrl(value);
  const host = wanted.split('/')[0] ?? wanted;
  let near = '';
  for (let at = hay.lower.indexOf(host); at >= 0; at = hay.lower.indexOf(host, at + 1)) {
    URL_END.lastIndex = at;
    const found = URL_END.exec(hay.plain)?.[0] ?? '';
    if (!isWordChar(hay.plain[at - 1]) && bareUrl(found) === wanted)
      return normalised(/[?#]/.test(value) && !/[?#]/.test(found) ? `without its query: ${found}` : `as ${found}`);
    near ||= found;
    // The next search starts after this URL, so that no character is read twice.
    at = Math.max(at, at + found.length - 1);
  }
  return lost(near === '' ? 'not there' : `the nearest address is ${near.slice(0, 120)}`);
};

const urlBoundary: Boundary = (text, start, end) => {
  const after = text[end];
  if (isWordChar(text[start - 1])) return false;
  if (after === undefined || /[\s"'<>()[\]{}|\\^`*]/.test(after)) return true;
  return /[.,;:!?]/.test(after) && !isWordChar(text[end + 1]);
};

function bareUrl(url: string): string {
  const bare = url
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/[?#].*$/, '')
    .replace(/[.,;:!?]+$/, '')
    .replace(/\/+$/, '');
  const slash = bare.indexOf('/');
  return slash < 0 ? bare.toLowerCase() : bare.slice(0, slash).toLowerCase() + bare.slice(slash);
}

const PATH = /[\p{L}\p{N}_$.~@+#%\\/-]+/gu;

/** Matches a path: the whole of it, more in front of it, or its last two or more segments when no other path of the session ends with them. */
export const matchPath: Matcher = (value, hay, context) => {
  if (findAt(hay.text, value, pathBoundary) >= 0) return VERBATIM;
  const wanted = segmentsOf(value);
  let near = '';
  const known = new Set<string>();
  for (const match of hay.plain.matchAll(PATH)) {
    // The same text means the same everywhere, so each is examined once.
    if (!match[0].includes(wanted.at(-1) ?? '') || known.has(match[0])) continue;
    known.add(match[0]);
    const found = segmentsOf(match[0]);
    if (found.length === 0 || found.at(-1) !== wanted.at(-1)) continue;
    if (endsWith(found, wanted)) return normalised(`as ${match[0]}`);
    if (endsWith(wanted, found) && meansOnly(found, wanted, context)) return normalised(`as ${match[0]}`);
    near ||= match[0];
  }
  return lost(near === '' ? 'not there' : `the nearest path is ${near.slice(0, 120)}`);
};

const pathBoundary: Boundary = (text, start, end) => {
  const [before, after, next] = [text[start - 1], text[end], text[end + 1]];
  if (isWordChar(before) || /[~@.-]/.test(before ?? '')) return false;
  if (before === '/' || before === '\\') return !/^[~/\\]/.test(text.slice(start, end));
  if (isWordChar(after) || /[/\\@]/.test(after ?? '')) return false;
  return !(/[.-]/.test(after ?? '') && isWordChar(next));
};

/** Splits a path into segments, without `./`, the user's home, Windows separators and a line number at its end. */
function segmentsOf(path: string): readonly string[] {
  return path
    .replaceAll('\\', '/')
    .replace(/:\d+(?::\d+)?$/, '')
    .replace(/^(?:~|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\/Users\/[^/]+)(?=\/)/, '')
    .replace(/[.,;:!?]+$/, '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
}

function endsWith(long: readonly string[], short: readonly string[]): boolean {
  if (short.length === 0 || short.length > long.length) return false;
  return short.every((segment, index) => segment === long[long.length - short.length + index]);
}

/** Says whether no other path of the session ends like this. A bare file name needs the session to be sure; two segments do without it. */
function meansOnly(short: readonly string[], whole: readonly string[], { source }: MatchContext): boolean {
  if (source === undefined) return short.length >= 2;
  for (const match of source.plain.matchAll(PATH)) {
    const other = segmentsOf(match[0]);
    if (other.length > short.length && endsWith(other, short) && !endsWith(other, whole) && !endsWith(whole, other))
      return false;
  }
  return true;
}
