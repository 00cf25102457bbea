/** The first place where a text stops being JSON, and what was expected there. */
export interface JsonFault {
  readonly offset: number;
  readonly expected: string;
  /** True when the text is sound up to its end, and only ends too early. */
  readonly isTruncated: boolean;
}

/**
 * Finds where `JSON.parse` failed: engines name the place in changing words, or not at all. It follows the same grammar with a stack of its own. It
 * only runs after a failure, so speed does not matter.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let wants = 'value' as Wanted;
  let at = 0;
  const fault = (offset: number, expected: string): JsonFault => ({
    offset,
    expected,
    isTruncated: offset >= text.length,
  });
  for (;;) {
    at = skip(SPACE, text, at);
    const char = text[at];
    if (char === undefined) return wants === 'end' ? null : fault(text.length, NAMES[wants]);
    if (wants === 'colon') {
      if (char !== ':') return fault(at, NAMES.colon);
      at += 1;
      wants = 'value';
    } else if (wants === 'end') return fault(at, NAMES.end);
    else if (wants === 'comma-brace' || wants === 'comma-bracket') {
      if (char === ',') wants = wants === 'comma-brace' ? 'key' : 'value';
      else if (char === (wants === 'comma-brace' ? '}' : ']')) wants = afterValue(open, 'pop');
      else return fault(at, NAMES[wants]);
      at += 1;
    } else if ((wants === 'key-or-brace' && char === '}') || (wants === 'value-or-bracket' && char === ']')) {
      wants = afterValue(open, 'pop');
      at += 1;
    } else if (char === '"') {
      const end = endOfString(text, at);
      if (typeof end !== 'number') return end;
      at = end;
      wants = wants === 'key' || wants === 'key-or-brace' ? 'colon' : afterValue(open);
    } else if (wants === 'key' || wants === 'key-or-brace') return fault(at, NAMES[wants]);
    else if (char === '{' || char === '[') {
      open.push(char);
      wants = char === '{' ? 'key-or-brace' : 'value-or-bracket';
      at += 1;
    } else {
      const end = skip(WORD, text, at);
      if (end === at) return fault(isCutWord(text.slice(at)) ? text.length : at, NAMES[wants]);
      at = end;
      wants = afterValue(open);
    }
  }
}

type Wanted = 'value' | 'value-or-bracket' | 'key' | 'key-or-brace' | 'colon' | 'comma-brace' | 'comma-bracket' | 'end';

const NAMES: Readonly<Record<Wanted, string>> = {
  value: 'a JSON value',
  'value-or-bracket': 'a JSON value or `]`',
  key: 'a key in double quotes',
  'key-or-brace': 'a key in double quotes or `}`',
  colon: '`:` after a key',
  'comma-brace': '`,` or `}`',
  'comma-bracket': '`,` or `]`',
  end: 'the end of the JSON',
};

const SPACE = /[ \n\r\t]*/y;
const WORD = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)(?![\w.+-])/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function afterValue(open: ('{' | '[')[], step?: 'pop'): Wanted {
  if (step === 'pop') open.pop();
  const last = open.at(-1);
  if (last === undefined) return 'end';
  return last === '{' ? 'comma-brace' : 'comma-bracket';
}

function isCutWord(rest: string): boolean {
  return /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?[0-9]+\.|-?[0-9]+(?:\.[0-9]+)?[eE][-+]?)$/u.test(rest);
}

/** The offset after the closing quote. A loop, because a pattern would run out of stack on a string of several megabytes. */
function endOfString(text: string, start: number): number | JsonFault {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { offset: at, expected: 'no raw control character inside a string', isTruncated: false };
    if (code !== 0x5c) continue;
    const rest = text.slice(at + 1, at + 6);
    if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/u.test(rest)) {
      const isCut = at + 1 + rest.length >= text.length && /^(?:u[0-9a-fA-F]{0,3})?$/u.test(rest);
      return { offset: isCut ? text.length : at, expected: 'a legal escape in a string', isTruncated: isCut };
    }
    at += 1;
  }
  return { offset: text.length, expected: 'the end of a string', isTruncated: true };
}
