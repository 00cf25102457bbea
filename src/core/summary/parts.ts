import type { Entry } from '../record/entry.ts';
import { CAPS, transcriptBlocks } from './transcript.ts';

/** The folded entries, cut into parts that each fit one request. */
export interface Parts {
  readonly parts: readonly Part[];
  /** Entries that fit into no request; quotes cover them. */
  readonly omitted: number;
}

export interface Part {
  readonly blocks: readonly string[];
  readonly tokens: number;
}

export interface PartLimits {
  /** Tokens of transcript that one request may hold. */
  readonly tokens: number;
  readonly calls: number;
  readonly count: (text: string) => number;
}

/**
 * Cuts the entries into as few parts as possible, never more than `calls`. If they are too large, long outputs are shortened first. If that is
 * not enough, the oldest blocks are left out, and counted.
 */
export function splitIntoParts(entries: readonly Entry[], limits: PartLimits): Parts {
  let parts: readonly Part[] = [];
  for (const cap of CAPS) {
    const blocks = transcriptBlocks(entries, cap);
    parts = pack(blocks, limits);
    // The cap with long own words is only for a single request that holds all blocks uncut.
    const mostCalls = cap.ownWords > 1 ? 1 : limits.calls;
    const isWhole = cap.ownWords === 1 || parts[0]?.blocks.at(-1) === blocks.at(-1);
    if (parts.length <= mostCalls && isWhole) return { parts, omitted: 0 };
  }
  const kept = parts.slice(-limits.calls);
  return { parts: kept, omitted: parts.slice(0, -limits.calls).reduce((sum, { blocks }) => sum + blocks.length, 0) };
}

function pack(blocks: readonly string[], { tokens, count }: PartLimits): readonly Part[] {
  const parts: { blocks: string[]; tokens: number }[] = [];
  for (const block of blocks) {
    const whole = count(block) + 1;
    // A block that no request can hold is cut: half of it is better than none.
    const [text, size] =
      whole <= tokens ? [block, whole] : [block.slice(0, Math.floor((block.length * tokens) / whole / 1.2)), tokens];
    const last = parts.at(-1);
    if (last === undefined || last.tokens + size > tokens) {
      parts.push({ blocks: [text], tokens: size });
    } else {
      last.blocks.push(text);
      last.tokens += size;
    }
  }
  return parts;
}
