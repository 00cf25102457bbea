/** What was read of a text that is almost JSON. */
export interface LenientValue {
  readonly value: unknown;
  /** The text behind the value; empty when the value was cut off. */
  readonly rest: string;
}

/**
 * Reads JSON that was cut off, has text behind it, or is printed as Python prints it (`{'a': None}`). Null for everything else, also when a
 * single sign is out of place. Takes time linear in the text.
 */
export function readLenient(text: string): LenientValue | null {
  if (!START.test(text)) return null;
  const reader = new Reader();
  const token = new RegExp(TOKEN);
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) {
      // A string that has no end is where the text was cut.
      const cut = text.slice(at).trimStart();
      if (!/^["']/.test(cut) || reader.isEmpty) return null;
      if (reader.mayHold) reader.take(unescaped(cut.slice(1)));
      else if (!reader.mayName) return null;
      return { value: reader.root, rest: '' };
    }
    if (!reader.read(match[0].trim())) return null;
    if (reader.isDone) return { value: reader.root, rest: text.slice(token.lastIndex) };
  }
  return reader.isEmpty ? null : { value: reader.root, rest: '' };
}

/** The beginnings of objects and of lists of objects, lists or strings. Anything else in brackets is probably prose. */
const START = /^(?:\{\s*(?:["'}]|$)|\[\s*[[{"'\]])/;
const TOKEN =
  /\s*(?:[{}[\],:]|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|-?\d[\d.eE+-]*(?=[\s,\]}]|$)|(?:true|false|null|True|False|None|NaN)(?=[\s,\]}]|$)|$)/y;

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['NaN', 'NaN'],
]);

type Expected = 'value' | 'key' | 'colon' | 'comma';

/** Builds a value from its tokens, without recursion: a text may be nested as deep as it is long. */
class Reader {
  root: unknown = null;
  isDone = false;
  isEmpty = true;
  #open: { readonly node: unknown[] | Map<string, unknown>; key: string }[] = [];
  #expected: Expected = 'value';

  get mayHold(): boolean {
    return this.#expected === 'value' && this.#open.length > 0;
  }

  get mayName(): boolean {
    return this.#expected === 'key';
  }

  /** Takes one token. False when it may not stand here. */
  read(token: string): boolean {
    switch (token) {
      case '':
        return true;
      case '{':
        return this.#begin(new Map());
      case '[':
        return this.#begin([]);
      case '}':
      case ']':
        return this.#end(token);
      case ',':
        if (this.#expected !== 'comma') return false;
        this.#expected = this.#open.at(-1)?.node instanceof Map ? 'key' : 'value';
        return true;
      case ':':
        if (this.#expected !== 'colon') return false;
        this.#expected = 'value';
        return true;
      default:
        return this.#scalar(token);
    }
  }

  take(value: unknown): void {
    const holder = this.#open.at(-1);
    if (holder === undefined) this.root = value;
    else if (holder.node instanceof Map) holder.node.set(holder.key, value);
    else holder.node.push(value);
    this.isEmpty = false;
    this.#expected = 'comma';
  }

  #begin(node: unknown[] | Map<string, unknown>): boolean {
    if (this.#expected !== 'value') return false;
    this.take(node);
    this.#open.push({ node, key: '' });
    this.#expected = node instanceof Map ? 'key' : 'value';
    return true;
  }

  #end(token: string): boolean {
    const closed = this.#open.pop()?.node;
    if (closed === undefined || closed instanceof Map !== (token === '}')) return false;
    if (this.#expected === 'colon') return false;
    this.#expected = 'comma';
    this.isDone = this.#open.length === 0;
    return true;
  }

  #scalar(token: string): boolean {
    const quoted = token.startsWith('"') || token.startsWith("'");
    const text = quoted ? unescaped(token.slice(1, -1)) : token;
    if (this.#expected === 'key') {
      const holder = this.#open.at(-1);
      if (!quoted || holder === undefined) return false;
      holder.key = text;
      this.#expected = 'colon';
      return true;
    }
    if (this.#expected !== 'value') return false;
    this.take(quoted ? text : WORDS.has(token) ? WORDS.get(token) : token);
    return true;
  }
}

/** The text behind a quoted string, as JSON and Python escape it. */
export function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted;
  return quoted.replaceAll(/\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])/g, (escaped) => {
    if (escaped.length > 2) return String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
    return ESCAPES.get(escaped.slice(1)) ?? escaped.slice(1);
  });
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', ''],
  ['f', '\n'],
]);
