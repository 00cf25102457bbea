import type { Message } from '../conversation/message.ts';
import type { Fact, FoundFact } from '../facts/fact.ts';
import { recordHistory } from '../facts/history-record.ts';
import { type FactWeights, WEIGHTS } from './weights.ts';

/** All facts of a history, folded to their latest state and judged. Code alone makes it, so no model can lose a fact. */
export interface Ledger {
  /** Statements, files, commands, values and tasks, in this order; each group oldest first. */
  readonly facts: readonly Fact[];
}

/** The facts of a conversation, folded to their latest state. */
export function ledgerOf(messages: readonly Message[]): Ledger {
  return judgeFacts(recordHistory(messages).facts);
}

/** What each fact is worth, and whether it must not leave the view without a way back. */
export function judgeFacts(found: readonly FoundFact[], table: FactWeights = WEIGHTS.fact): Ledger {
  return {
    facts: found.map(({ grounds, ...fact }) => ({
      ...fact,
      weight: factWeight({ ...fact, grounds }, table),
      critical: isCritical({ ...fact, grounds }),
    })),
  };
}

type Judged = Pick<FoundFact, 'kind' | 'status' | 'grounds'>;

export function factWeight(fact: Judged, table: FactWeights): number {
  const { status } = fact;
  return baseWeight(fact, table) * (status === 'lifted' || status === 'stale' ? table.outdated : 1);
}

function baseWeight({ kind, status, grounds }: Judged, table: FactWeights): number {
  const { byUser, changed, times = 1 } = grounds;
  switch (kind) {
    case 'constraint':
    case 'question':
    case 'command':
      return table[kind];
    case 'decision':
      return byUser === true ? table.decision.user : table.decision.other;
    case 'value':
      return (byUser === true ? table.value.user : table.value.other) * (1 + Math.log2(times));
    case 'file':
      return (changed === true ? table.file.changed : table.file.read) * (1 + Math.log2(times));
    case 'error':
    case 'task':
      return status === 'open' ? table[kind].open : table[kind].resolved;
  }
}

function isCritical({ kind, status, grounds }: Judged): boolean {
  switch (kind) {
    case 'constraint':
      return status === 'current';
    case 'decision':
      return grounds.lifts === true;
    case 'value':
      return grounds.userSaid === true;
    case 'file':
      return grounds.changed === true;
    case 'question':
    case 'error':
    case 'task':
      return status === 'open';
    case 'command':
      return false;
  }
}
