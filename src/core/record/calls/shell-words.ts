/** A word of a shell command as the shell would see it, quotes removed. */
export interface ShellWord {
  readonly type: 'word';
  readonly text: string;
  /** True when the text is what the shell uses: no variable, substitution or pattern is left to expand. */
  readonly literal: boolean;
}

/** `>`, `>>`, `2>`, `&>`, `<` and so on; its target is the next word. */
export interface Redirection {
  readonly type: 'redirect';
  readonly operator: string;
}

export type ShellToken = ShellWord | Redirection | { readonly type: 'end' } | { readonly type: 'open' | 'close' };

/**
 * Cuts a shell text into words, redirections, ends of commands and parentheses. Bodies of heredocs and insides of substitutions are data and
 * left out. Linear in the length of the text; wrong syntax gives some tokens, never an error.
 */
export function shellTokens(text: string, backslash: 'escapes' | 'is-plain' = 'escapes'): readonly ShellToken[] {
  return new ShellReader(text, backslash).read();
}

class ShellReader {
  readonly #text: string;
  readonly #backslash: 'escapes' | 'is-plain';
  readonly #tokens: ShellToken[] = [];
  /** Delimiters of heredocs whose bodies begin at the next line. */
  #heredocs: string[] = [];
  #at = 0;
  #word = '';
  #started = false;
  #literal = true;

  constructor(text: string, backslash: 'escapes' | 'is-plain') {
    this.#text = text;
    this.#backslash = backslash;
  }

  read(): readonly ShellToken[] {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at] ?? '');
    this.#end();
    return this.#tokens;
  }

  #step(char: string): void {
    if (char === "'") this.#singleQuoted();
    else if (char === '"') this.#doubleQuoted();
    else if (char === '\\' && this.#backslash === 'escapes') this.#escaped();
    else if (char === '$' || char === '`') this.#expansion(char);
    else if (char === '#' && !this.#started) this.#at = endOfLine(this.#text, this.#at);
    else if (char === '>' || char === '<' || (char === '&' && this.#text[this.#at + 1] === '>')) this.#redirection();
    else if (char === '\n') this.#newline();
    else if (char === ';' || char === '|' || char === '&') {
      this.#at++;
      this.#end();
    } else if (char === '(' || char === ')') {
      this.#at++;
      this.#end();
      this.#tokens.push({ type: char === '(' ? 'open' : 'close' });
    } else if (char === ' ' || char === '\t' || char === '\r') {
      this.#at++;
      this.#endWord();
    } else this.#add(char, !GLOB.has(char));
  }

  #add(text: string, literal = true, consumed = text.length): void {
    this.#word += text;
    this.#started = true;
    if (!literal) this.#literal = false;
    this.#at += consumed;
  }

  #singleQuoted(): void {
    const close = this.#text.indexOf("'", this.#at + 1);
    const to = close < 0 ? this.#text.length : close;
    this.#add(this.#text.slice(this.#at + 1, to), true, to + 1 - this.#at);
  }

  #doubleQuoted(): void {
    this.#add('', true, 1);
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      if (char === '"') break;
      if (char === '\\' && this.#backslash === 'escapes') this.#escaped();
      else if (char === '$' || char === '`') this.#expansion(char);
      else this.#add(char);
    }
    this.#at++;
  }

  #escaped(): void {
    const next = this.#text[this.#at + 1] ?? '';
    // A backslash at the end of a line joins it with the next one.
    if (next === '\n') this.#at += 2;
    else this.#add(next, true, 2);
  }

  #expansion(char: string): void {
    const to =
      char === '`'
        ? closing(this.#text, this.#at + 1, '`')
        : this.#text[this.#at + 1] === '('
          ? endOfSubstitution(this.#text, this.#at + 2)
          : this.#at + 1;
    this.#add(this.#text.slice(this.#at, to), false);
  }

  #redirection(): void {
    const [operator = '>'] =
      /^(?:&>>?|>>|>\||>&|<<<|<<-?|<&|<>|[<>])/.exec(this.#text.slice(this.#at, this.#at + 3)) ?? [];
    // `2>` belongs together; `a2>` does not.
    const descriptor = /^\d$/.test(this.#word) ? this.#word : '';
    if (descriptor !== '') this.#clearWord();
    this.#endWord();
    this.#at += operator.length;
    if (operator === '<<' || operator === '<<-') this.#openHeredoc();
    else this.#tokens.push({ type: 'redirect', operator: descriptor + operator });
  }

  #openHeredoc(): void {
    const rest = this.#text.slice(this.#at, this.#at + 200);
    const match = /^[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([^\s;&|<>()'"]+))/.exec(rest);
    if (match === null) return;
    this.#heredocs.push(match[1] ?? match[2] ?? match[3] ?? '');
    this.#at += match[0].length;
  }

  #newline(): void {
    this.#at++;
    this.#end();
    for (const delimiter of this.#heredocs) this.#at = endOfHeredoc(this.#text, this.#at, delimiter);
    this.#heredocs = [];
  }

  #endWord(): void {
    if (this.#started) this.#tokens.push({ type: 'word', text: this.#word, literal: this.#literal });
    this.#clearWord();
  }

  #clearWord(): void {
    this.#word = '';
    this.#started = false;
    this.#literal = true;
  }

  #end(): void {
    this.#endWord();
    this.#tokens.push({ type: 'end' });
  }
}

const GLOB: ReadonlySet<string> = new Set(['*', '?', '[', ']', '{', '}']);

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function closing(text: string, from: number, mark: string): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + 1;
}

/** Where the line after a heredoc's delimiter begins. */
function endOfHeredoc(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; ) {
    const end = endOfLine(text, at);
    if (text.slice(at, end).trim() === delimiter) return end;
    at = end + 1;
  }
  return text.length;
}

/** Behind the parenthesis that closes `$(`, with what is quoted or a heredoc inside it left out of the count. */
function endOfSubstitution(text: string, from: number): number {
  let depth = 1;
  const heredocs: string[] = [];
  for (let at = from; at < text.length; ) {
    const char = text[at] ?? '';
    if (char === "'" || char === '"') at = closing(text, at + 1, char);
    else if (char === '\\') at += 2;
    else if (char === '<' && text[at + 1] === '<' && text[at + 2] !== '<') {
      const match = /^<<-?[ \t]*['"\\]?([\w.-]+)['"]?/.exec(text.slice(at, at + 200));
      if (match?.[1] !== undefined) heredocs.push(match[1]);
      at += match === null ? 2 : match[0].length;
    } else if (char === '\n' && heredocs.length > 0) {
      at++;
      for (const delimiter of heredocs.splice(0)) at = endOfHeredoc(text, at, delimiter);
    } else {
      at++;
      if (char === '(') depth++;
      if (char === ')' && --depth === 0) return at;
    }
  }
  return text.length;
}
