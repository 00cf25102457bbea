/** What happened in one loop. */
export interface LoopResult {
  readonly name: string;
  readonly turns: number;
  readonly turnsDone: number;
  readonly compactions: number;
  /** The most compactions that the bound allows. */
  readonly bound: number;
  /** Null when the loop went on to its end. */
  readonly giveUp: { readonly isTrue: boolean; readonly turn: number; readonly reason: string } | null;
  /** Requests that the server refused as too long, other than the first ones to a server whose window nobody knew. */
  readonly above: number;
  /** Refused requests in all. */
  readonly overflows: number;
  /** Requests that the API would refuse for their form. */
  readonly unsound: number;
  /** Requests after a compaction without the first or the newest request of the user. */
  readonly missing: { readonly task: number; readonly newest: number };
  /** Times that three turns in a row compacted. */
  readonly everyTurn: number;
  /** Different faults and reasons, the first ten. */
  readonly notes: readonly string[];
  /** Tokens that were added, by the server's count. */
  readonly said: number;
  /** Time of the processor. */
  readonly ms: number;
}

/** True when a loop did all that it should. */
export function isGood(result: LoopResult): boolean {
  return faultsOf(result).length === 0;
}

/** The faults of a loop, each in a word or two. */
export function faultsOf({
  giveUp,
  turns,
  turnsDone,
  above,
  unsound,
  missing,
  everyTurn,
  compactions,
  bound,
}: LoopResult): readonly string[] {
  const isEnded = giveUp?.isTrue === true || turnsDone === turns;
  return [
    ...(isEnded ? [] : [`gave up at turn ${giveUp?.turn ?? turnsDone + 1}`]),
    ...(above > 0 ? [`${above} above the window`] : []),
    ...(unsound > 0 ? [`${unsound} unsound`] : []),
    ...(missing.task > 0 ? [`${missing.task} without the task`] : []),
    ...(missing.newest > 0 ? [`${missing.newest} without the newest request`] : []),
    ...(everyTurn > 0 ? ['compacts every turn'] : []),
    ...(compactions > bound ? [`${compactions} compactions, bound ${bound}`] : []),
  ];
}
