interface Variable {
  /** What it is about, once another of the same key is known. */
  subject: string | null;
  /** Its value now. */
  value: string;
  /** The statement that gave it: its words but for those that say nothing. */
  words: readonly string[];
}

/**
 * The variables that go by one key, and which of them a statement is about. "Use port 8080", then "change the port to 9090": the later replaces the
 * earlier. "tariff, port 4151", then "sluice, port 4175": two statements built alike that name different things, so both hold.
 */
export class Variables {
  readonly #all: Variable[] = [];
  readonly #bySubject = new Map<string, Variable>();
  readonly #byValue = new Map<string, Variable>();

  /** Takes note of a statement; returns the value that it replaces, or null. */
  say(statement: string, value: string): string | null {
    const words = wordsOf(statement, value);
    const variable = this.#named(words) ?? this.#unnamed(words) ?? this.#another(words, value);
    const replaced = variable.value === value ? null : variable.value;
    variable.value = value;
    variable.words = words;
    this.#byValue.set(value, variable);
    return replaced;
  }

  /** What tells the variable that last had this value from others of its key; null when there are none. */
  subjectOf(value: string): string | null {
    return this.#byValue.get(value)?.subject ?? null;
  }

  #named(words: readonly string[]): Variable | null {
    for (const word of words) {
      const known = this.#bySubject.get(word);
      if (known !== undefined) return known;
    }
    return null;
  }

  /** The only one there is, unless the statement is built like its own about something else. Of several, none is meant for sure. */
  #unnamed(words: readonly string[]): Variable | null {
    const [only] = this.#all;
    if (only === undefined || this.#all.length > 1) return null;
    return differenceOf(only.words, words) === null ? only : null;
  }

  #another(words: readonly string[], value: string): Variable {
    const before = this.#all.at(-1);
    const made: Variable = { subject: null, value, words };
    this.#all.push(made);
    const difference = before === undefined ? null : differenceOf(before.words, words);
    if (before === undefined || difference === null) return made;
    if (before.subject === null) this.#name(before, difference[0]);
    this.#name(made, difference[1]);
    return made;
  }

  #name(variable: Variable, subject: string): void {
    variable.subject = subject;
    this.#bySubject.set(subject, variable);
  }
}

/** Longer statements are not built alike by design. */
const MOST_WORDS = 12;

/** The words in which two statements differ that are built alike: as long as each other, and otherwise the same. */
function differenceOf(left: readonly string[], right: readonly string[]): readonly [string, string] | null {
  if (left.length !== right.length || left.length > MOST_WORDS) return null;
  const at = left.findIndex((word, index) => word !== right[index]);
  const [before, after] = [left[at], right[at]];
  if (before === undefined || after === undefined || before === VALUE || after === VALUE) return null;
  return left.every((word, index) => index === at || word === right[index]) ? [before, after] : null;
}

/** Stands for the value, whatever it is. */
const VALUE = '=';

/** Words that do not tell what a setting belongs to; in `rate limit` and `memory limit` the first does. */
export const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    ' the a an on at to of in and or for from with by is was as new old our its this that my your their same current default another different any no ' +
    'change changed set use using used raise raised lower lowered increase increased decrease decreased bump bumped update updated make keep put move moved under over get gets got give gives gave has have had need needs want wants'
  ).split(' '),
);

function wordsOf(statement: string, value: string): readonly string[] {
  const words =
    statement
      .replace(value, ` ${VALUE} `)
      .toLowerCase()
      .match(/[\p{L}\p{N}_.-]*[\p{L}\p{N}]|=/gu) ?? [];
  return words.filter((word) => !EMPTY_WORDS.has(word));
}
