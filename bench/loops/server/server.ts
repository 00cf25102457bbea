import { checkers } from '../checkers/all.ts';
import type { FormatId, Wire } from '../said.ts';
import { wires } from '../wires/all.ts';
import { createCount, type RequestSize } from './count.ts';

/** A provider inside the process: it counts, refuses what is too long, checks what it gets, and signs its answers. */
export interface Server {
  readonly size: (request: unknown) => RequestSize;
  readonly faults: (request: unknown) => readonly string[];
  readonly sign: (request: unknown, answer: readonly Wire[]) => readonly Wire[];
  /** The error for a request that is too long; null when it fits. */
  readonly refusal: (request: unknown) => unknown;
}

export interface ServerOptions {
  readonly format: FormatId;
  readonly window: number;
  readonly namesWindow: boolean;
  readonly hasReminders: boolean;
}

export function createServer({ format, window, namesWindow, hasReminders }: ServerOptions): Server {
  const size = createCount();
  const { check, sign } = checkers[format]({ hasReminders });
  return {
    size,
    faults: check,
    sign,
    refusal(request) {
      const { total } = size(request);
      return total <= window ? null : wires[format].overflow(total, namesWindow ? window : null);
    },
  };
}
