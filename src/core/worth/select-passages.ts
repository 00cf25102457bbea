import type { Weighed, WeighedPassage } from './weigh.ts';

/**
 * Budgeted coverage: which passages to quote so that the most fact weight is said within the budget. Greedy by worth per
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
  /** Passages that may be chosen. */
  readonly allowed: (passage: number) => boolean;
  /** Terms that other parts of the view already say. */
  readonly covered: Uint8Array;
  /** Tokens of an entry's heading, paid with its first passage. */
  readonly headingTokens: (entry: number) => number;
}

export function selectPassages(weighed: Weighed, options: CoverageOptions): Selection {
  const { passages, headings } = weighed;
  const covered = Uint8Array.from(options.covered);
  const opened = new Uint8Array(headings.length);
  const said = new Uint8Array(weighed.texts);
  const candidates = new Map<number, number[]>();
  const heap = new DensityHeap();
  // Reused, so that weighing hundreds of thousands of candidates makes no garbage.
  let worth = 0;
  let cost = 1;
  const evaluate = (passage: WeighedPassage): void => {
    const opens = opened[passage.entry] === 0;
    worth = 0;
    cost = Math.max(1, passage.tokens);
    if (passage.index < 0 && !opens) return;
    worth = marginalWorth(weighed, said[passage.text] === 1 ? { ...passage, statement: 0 } : passage, covered);
    if (!opens) return;
    cost += options.headingTokens(passage.entry);
    for (const term of headings[passage.entry]?.terms ?? [])
      if (covered[term] === 0) worth += weighed.termWeights[term] ?? 0;
  };
  for (const [at, passage] of passages.entries()) {
    if (!options.allowed(at)) continue;
    evaluate(passage);
    if (worth <= 0) continue;
    heap.push(at, worth / cost);
    const siblings = candidates.get(passage.entry);
    if (siblings === undefined) candidates.set(passage.entry, [at]);
    else siblings.push(at);
  }

  const chosen: number[] = [];
  const running: number[] = [];
  const taken = new Uint8Array(passages.length);
  let tokens = 0;
  let total = 0;
  for (let top = heap.pop(); top !== null; top = heap.pop()) {
    const passage = passages[top.item];
    if (passage === undefined || taken[top.item] === 1) continue;
    evaluate(passage);
    if (worth <= 0 || tokens + cost > options.budget) continue;
    // Worth only falls as terms get covered, so a stale candidate goes back with its true density.
    if (worth / cost < top.density * 0.999) {
      heap.push(top.item, worth / cost);
      continue;
    }
    taken[top.item] = 1;
    chosen.push(top.item);
    tokens += cost;
    running.push(tokens);
    total += worth;
    for (const term of passage.terms) covered[term] = 1;
    said[passage.text] = 1;
    if (opened[passage.entry] === 1) continue;
    opened[passage.entry] = 1;
    said[headings[passage.entry]?.text ?? passage.text] = 1;
    for (const term of headings[passage.entry]?.terms ?? []) covered[term] = 1;
    // The heading is paid for: its other passages are now cheaper than they looked.
    for (const sibling of candidates.get(passage.entry) ?? []) {
      if (taken[sibling] === 1) continue;
      evaluate(passages[sibling] as WeighedPassage);
      if (worth > 0) heap.push(sibling, worth / cost);
    }
  }
  return { chosen, tokens: running, worth: total };
}

/** What quoting a passage adds to a view that covers some terms already. */
export function marginalWorth(
  { termWeights }: Weighed,
  { terms, statement, repeated }: Pick<WeighedPassage, 'terms' | 'statement' | 'repeated'>,
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
