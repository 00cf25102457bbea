/** How often a rule replaced something. */
export interface RuleCount {
  readonly rule: string;
  readonly count: number;
}

export interface RuleCounter {
  add(rule: string, times?: number): void;
  /** Sorted by the name of the rule. */
  rows(): readonly RuleCount[];
}

export function createRuleCounter(): RuleCounter {
  const counts = new Map<string, number>();
  return {
    add: (rule, times = 1) => void counts.set(rule, (counts.get(rule) ?? 0) + times),
    rows: () =>
      Array.from(counts, ([rule, count]) => ({ rule, count })).sort((left, right) =>
        left.rule < right.rule ? -1 : left.rule > right.rule ? 1 : 0,
      ),
  };
}
