/**
 * The values of one key, and which of them a statement replaces. "Use port 8080", then "change the port to 9090": the later replaces the earlier.
 * "tariff, port 4151", then "sluice, port 4175": each has a label that says what it is about, so both hold.
 */
export class Variables {
  /** The current value of each label. All statements without a label share one value, under null. */
  readonly #values = new Map<string | null, string>();
  readonly #labels = new Map<string, string | null>();

  /** Notes a statement, in which the value ends at `at`. Returns the value that it replaces, unless another label still has it; else null. */
  say(statement: string, value: string, at: number): string | null {
    const label = labelOf(statement) ?? this.#mentioned(statement, at);
    const before = this.#values.get(label);
    this.#values.set(label, value);
    this.#labels.set(value, label);
    if (before === undefined || before === value || [...this.#values.values()].includes(before)) return null;
    return before;
  }

  /** The label that was last said to have this value; null when there is none. */
  labelOf(value: string): string | null {
    return this.#labels.get(value) ?? null;
  }

  /** The known label that is nearest before the value. */
  #mentioned(statement: string, at: number): string | null {
    if (this.#values.size === 0 || (this.#values.size === 1 && this.#values.has(null))) return null;
    const words = statement.slice(0, at).toLowerCase().match(WORD) ?? [];
    return words.findLast((word) => this.#values.has(word)) ?? null;
  }
}

const WORD = /[a-z][\w.-]*\w/g;

/** The label of a line in a list: `tariff, port 4151`, `tariff: port 4151`, `- tariff – port 4151`. */
const LABEL = /^[-*\s`"']*([a-z][\w./-]*\w)[`"']*\s*(?:[,:]|[–—-](?=\s))\s/i;

function labelOf(statement: string): string | null {
  const label = LABEL.exec(statement)?.[1]?.toLowerCase();
  return label === undefined || INTERJECTIONS.has(label) || label.endsWith('ly') ? null : label;
}

/** Other words before a comma or a colon. Adverbs (unfortunately, finally) are recognised by their ending. */
const INTERJECTIONS: ReadonlySet<string> = new Set(
  (
    'ok okay yes yeah yep no nope well so now then also and but please pls sorry actually correction corrected update updated note fyi btw done fixed fix wait hm hmm right ' +
    'sure thanks thx good great fine perfect first second third last next again instead today yesterday tomorrow later todo question answer summary result ' +
    'status change changed decision decided new old before after default setting settings config option options plan step remember important warning ' +
    'hi hello hey alright agreed cool oops however therefore otherwise meanwhile anyway'
  ).split(' '),
);
