/**
 * The prefixes that a cache has seen, as a tree of block ids. Each node is a prefix, identified by the path of ids that leads to it. A request
 * walks the tree once, so the work is linear in its blocks.
 */
import type { Block } from './block.ts';

export interface Prefix {
  readonly id: string;
  /** When the entry for this prefix expires; minus infinity when there is none. */
  expiresAt: number;
  usedAt: number;
  /** Most prefixes continue in one way only, so the first continuation needs no map. */
  next: Prefix | null;
  others: Map<string, Prefix> | null;
}

export interface Prefixes {
  /** Returns the known prefixes of these blocks, the shortest first. Stops at the first that was never kept. */
  walk(blocks: readonly Block[], at: number): Prefix[];
  /** Extends the path that `walk` found to the prefix after each block. */
  keep(blocks: readonly Block[], path: Prefix[], at: number): void;
  /** Forgets dead prefixes once there are enough of them. Call it after each request. */
  sweep(at: number): void;
  readonly size: number;
}

/** Below this size, a sweep is not worth it. */
const SWEEP_FROM = 20_000;
/** Most entries that never expire. Above it the least recently used are forgotten, so that memory stays bounded. */
const LIMIT = 400_000;

export function createPrefixes(): Prefixes {
  const root = prefixOf('');
  let size = 0;
  let sweepAt = SWEEP_FROM;
  // The next request mostly begins with the path of the last one, and comparing is cheaper than looking up.
  let last: Prefix[] = [];

  function walk(blocks: readonly Block[], at: number): Prefix[] {
    const path: Prefix[] = [];
    let here = root;
    for (let index = 0; index < blocks.length; index++) {
      const id = blocks[index]?.id ?? '';
      const guess = last[index];
      // Equal so far, so the position in the tree is the same.
      const isSame = guess !== undefined && guess.id === id && (index === 0 || last[index - 1] === here);
      const found = isSame ? guess : childOf(here, id);
      if (found === null) break;
      found.usedAt = at;
      path.push(found);
      here = found;
    }
    return path;
  }

  return {
    walk,
    keep(blocks, path, at) {
      let here = path.at(-1) ?? root;
      for (let index = path.length; index < blocks.length; index++) {
        const made = prefixOf(blocks[index]?.id ?? '');
        made.usedAt = at;
        addChild(here, made);
        path.push(made);
        here = made;
        size++;
      }
      last = path;
    },
    sweep(at) {
      if (size <= sweepAt) return;
      size = prune(root, (prefix) => prefix.expiresAt >= at);
      if (size > LIMIT) {
        const middle = medianUse(root);
        size = prune(root, (prefix) => prefix.usedAt > middle);
      }
      sweepAt = Math.max(SWEEP_FROM, Math.min(2 * size, LIMIT));
      last = [];
    },
    get size() {
      return size;
    },
  };
}

function prefixOf(id: string): Prefix {
  return { id, expiresAt: Number.NEGATIVE_INFINITY, usedAt: 0, next: null, others: null };
}

function childOf(prefix: Prefix, id: string): Prefix | null {
  if (prefix.next?.id === id) return prefix.next;
  return prefix.others?.get(id) ?? null;
}

function addChild(prefix: Prefix, child: Prefix): void {
  if (prefix.next === null) {
    prefix.next = child;
    return;
  }
  prefix.others ??= new Map();
  prefix.others.set(child.id, child);
}

function childrenOf(prefix: Prefix): readonly Prefix[] {
  const first = prefix.next === null ? [] : [prefix.next];
  return prefix.others === null ? first : [...first, ...prefix.others.values()];
}

/** Lists all nodes below the root, parents before children. It uses a list instead of recursion, because a session may have thousands of blocks. */
function allBelow(root: Prefix): readonly Prefix[] {
  const found: Prefix[] = [...childrenOf(root)];
  for (let index = 0; index < found.length; index++) {
    const prefix = found[index];
    if (prefix !== undefined) for (const child of childrenOf(prefix)) found.push(child);
  }
  return found;
}

/** Removes every prefix that is neither wanted nor on the way to a wanted one. Returns how many are left. */
function prune(root: Prefix, isWanted: (prefix: Prefix) => boolean): number {
  const kept = new Set<Prefix>();
  for (const prefix of allBelow(root).toReversed())
    if (isWanted(prefix) || childrenOf(prefix).some((child) => kept.has(child))) kept.add(prefix);
  for (const prefix of [root, ...kept]) {
    const children = childrenOf(prefix).filter((child) => kept.has(child));
    prefix.next = null;
    prefix.others = null;
    for (const child of children) addChild(prefix, child);
  }
  return kept.size;
}

function medianUse(root: Prefix): number {
  const uses = allBelow(root)
    .map((prefix) => prefix.usedAt)
    .sort((first, second) => first - second);
  return uses[uses.length >> 1] ?? 0;
}
