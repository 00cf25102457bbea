import type { Weighed, WeighedPassage } from './weigh.ts';

/**
 * Budgeted coverage: the passages that add the most worth to the view within the budget. The choice is greedy by worth per
 * token, which for this kind of problem stays within a constant factor of the best possible choice.
 */
export interface Selection {
  /** Indexes into `weighed.passages`, in the order of choice: the last are the least worth their tokens. */
  readonly chosen: readonly number[];
  /** Estimated tokens of each choice and all before it. */
  readonly tokens: readonly number[];
  readonly worth: number;
}

export interface CoverageOptions {
  readonly budget: number;
  /** Passages that come before all others, whatever they are worth. @default none */
  readonly first?: readonly number[];
  /** Passages that may be chosen. */
  readonly allowed: (passage: number) => boolean;
  /** Terms that other parts of the view already say. */
  readonly covered: Uint8Array;
  /** Tokens of an entry's heading, paid with its first passage. */
  readonly headingTokens: (entry: number) => number;
}

export function selectPassages(weighed: Weighed, options: CoverageOptions): Selection {
  const { passages } = weighed;
  const view = new ViewSoFar(weighed, options);
  const candidates = new Map<number, number[]>();
  const heap = new DensityHeap();
  for (const [at, passage] of passages.entries()) {
    if (!options.allowed(at)) continue;
    view.price(passage);
    if (view.worth <= 0) continue;
    heap.push(at, view.worth / view.cost);
    const siblings = candidates.get(passage.entry);
    if (siblings === undefined) candidates.set(passage.entry, [at]);
    else siblings.push(at);
  }

  const chosen: number[] = [];
  const running: number[] = [];
  const taken = new Uint8Array(passages.length);
  let tokens = 0;
  let total = 0;
  const take = (at: number, passage: WeighedPassage): void => {
    taken[at] = 1;
    chosen.push(at);
    tokens += view.cost;
    running.push(tokens);
    total += view.worth;
    if (!view.take(passage)) return;
    // The heading is paid for: its other passages are now cheaper than they looked.
    for (const sibling of candidates.get(passage.entry) ?? []) {
      if (taken[sibling] === 1) continue;
      view.price(passages[sibling] as WeighedPassage);
      if (view.worth > 0) heap.push(sibling, view.worth / view.cost);
    }
  };
  for (const at of options.first ?? []) {
    const passage = passages[at];
    if (passage === undefined || taken[at] === 1 || !options.allowed(at)) continue;
    view.price(passage);
    if (tokens + view.cost <= options.budget) take(at, passage);
  }
  for (let top = heap.pop(); top !== null; top = heap.pop()) {
    const passage = passages[top.item];
    if (passage === undefined || taken[top.item] === 1) continue;
    view.price(passage);
    if (view.worth <= 0 || tokens + view.cost > options.budget) continue;
    // Worth only falls as the view says more, so an outdated candidate goes back with its true density.
    if (view.worth / view.cost < top.density * 0.999) {
      heap.push(top.item, view.worth / view.cost);
      continue;
    }
    take(top.item, passage);
  }
  return { chosen, tokens: running, worth: total };
}

/** What the view says already, and what another passage would add to it. */
class ViewSoFar {
  /** Worth and cost of the passage that was priced last. Fields, so that pricing hundreds of thousands of passages makes no garbage. */
  worth = 0;
  cost = 1;
  readonly #weighed: Weighed;
  readonly #headingTokens: CoverageOptions['headingTokens'];
  readonly #covered: Uint8Array;
  readonly #opened: Uint8Array;
  readonly #said: Uint8Array;
  /** How often each shape was taken: the tenth passed test or row of a table tells less than the first. */
  readonly #alike: Uint32Array;
  readonly #priced: { -readonly [Key in keyof Said]: Said[Key] } = { terms: [], statement: 0, repeated: 1 };

  constructor(weighed: Weighed, { covered, headingTokens }: CoverageOptions) {
    this.#weighed = weighed;
    this.#headingTokens = headingTokens;
    this.#covered = Uint8Array.from(covered);
    this.#opened = new Uint8Array(weighed.headings.length);
    this.#said = new Uint8Array(weighed.texts);
    this.#alike = new Uint32Array(weighed.shapes);
  }

  price(passage: WeighedPassage): void {
    const opens = this.#opened[passage.entry] === 0;
    this.worth = 0;
    this.cost = Math.max(1, passage.tokens);
    if (passage.index < 0 && !opens) return;
    const isSaid = this.#said[passage.text] === 1;
    this.#priced.terms = passage.terms;
    this.#priced.repeated = passage.repeated;
    this.#priced.statement = isSaid ? 0 : passage.statement / (1 + (this.#alike[passage.shape] ?? 0));
    this.worth = marginalWorth(this.#weighed, this.#priced, this.#covered);
    if (!opens) return;
    this.cost += this.#headingTokens(passage.entry);
    for (const term of this.#weighed.headings[passage.entry]?.terms ?? [])
      if (this.#covered[term] === 0) this.worth += this.#weighed.termWeights[term] ?? 0;
  }

  /** Adds a passage; true when it is the first of its entry. */
  take({ entry, index, text, shape, terms }: WeighedPassage): boolean {
    for (const term of terms) this.#covered[term] = 1;
    this.#said[text] = 1;
    if (index >= 0) this.#alike[shape] = (this.#alike[shape] ?? 0) + 1;
    if (this.#opened[entry] === 1) return false;
    this.#opened[entry] = 1;
    const heading = this.#weighed.headings[entry];
    this.#said[heading?.text ?? text] = 1;
    for (const term of heading?.terms ?? []) this.#covered[term] = 1;
    return true;
  }
}

type Said = Pick<WeighedPassage, 'terms' | 'statement' | 'repeated'>;

/** The worth that a passage adds to a view that covers some terms already. */
export function marginalWorth(
  { termWeights }: Weighed,
  { terms, statement, repeated }: Said,
  covered: Uint8Array,
): number {
  let fresh = 0;
  let all = 0;
  for (const term of terms) {
    const weight = termWeights[term] ?? 0;
    all += weight;
    if (covered[term] === 0) fresh += weight;
  }
  // A statement whose every word was said before is mostly a repetition.
  const novelty = all === 0 ? 1 : repeated + (1 - repeated) * (fresh / all);
  return fresh + statement * novelty;
}

/** A binary heap of items by density, highest first. */
class DensityHeap {
  readonly #items: number[] = [];
  readonly #densities: number[] = [];

  push(item: number, density: number): void {
    let at = this.#items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#densities[parent] ?? 0) >= density) break;
      this.#items[at] = this.#items[parent] ?? 0;
      this.#densities[at] = this.#densities[parent] ?? 0;
      at = parent;
    }
    this.#items[at] = item;
    this.#densities[at] = density;
  }

  pop(): { readonly item: number; readonly density: number } | null {
    const size = this.#items.length;
    if (size === 0) return null;
    const top = { item: this.#items[0] ?? 0, density: this.#densities[0] ?? 0 };
    const item = this.#items.pop() ?? 0;
    const density = this.#densities.pop() ?? 0;
    if (size === 1) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size - 1) break;
      if (child + 1 < size - 1 && (this.#densities[child + 1] ?? 0) > (this.#densities[child] ?? 0)) child++;
      if ((this.#densities[child] ?? 0) <= density) break;
      this.#items[at] = this.#items[child] ?? 0;
      this.#densities[at] = this.#densities[child] ?? 0;
      at = child;
    }
    this.#items[at] = item;
    this.#densities[at] = density;
    return top;
  }
}
