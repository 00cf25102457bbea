import type { Receipt } from '../core/receipt/receipt.ts';
import type { Account } from '../core/tokens/account.ts';
import type { HoldCause } from './compaction/hold-cause.ts';

/** The events of a context, by name. They inform the host; none of them enters the conversation. Sizes are in tokens. */
export interface ContextEvents {
  /** The view reached a level of pressure (0.6, 0.75, 0.85 or 0.95 of the threshold) on the way up. */
  readonly pressure: {
    readonly level: number;
    readonly pressure: number;
    readonly tokens: number;
    readonly threshold: number;
    /** The size, line by line. */
    readonly account: Account;
    /** Requests until the threshold at the present pace; null when the view does not grow. */
    readonly turnsLeft: number | null;
  };
  /** A compaction begins. `tokens` is the size of the request, `target` the size it must not exceed. */
  readonly 'compaction:start': { readonly tokens: number; readonly target: number; readonly account: Account };
  /** A compaction made a new view. `id` is the one that `restore()` and `diff()` take. */
  readonly 'compaction:end': { readonly id: string; readonly receipt: Receipt };
  /** A compaction was refused, and why. The view did not change. */
  readonly 'compaction:refused': { readonly reason: string; readonly receipt: Receipt | null };
  /** A compaction that would be due is held back, and why. Said once for each cause, not at every request. */
  readonly 'compaction:held': { readonly cause: HoldCause; readonly reason: string };
  /** A compaction failed or was aborted. The view did not change. */
  readonly 'compaction:failed': { readonly error: unknown };
  /** The host went to an earlier view. Its id is null for the whole history. */
  readonly 'view:selected': { readonly id: string | null; readonly cause: 'undo' | 'restore'; readonly tokens: number };
  /** The host switched to another model. `window` is the size that requests may fill now. */
  readonly 'model:switched': { readonly from: string | null; readonly to: string; readonly window: number };
  /** The store refused a batch. Its messages and events (`waiting`) stay in memory until a later batch succeeds. */
  readonly 'store:error': { readonly error: unknown; readonly waiting: number };
}

/** Name of an event, for `context.on()`. */
export type EventName = keyof ContextEvents;

/** Called with an event. Errors of a listener are ignored. */
export type Listener<Name extends EventName> = (event: ContextEvents[Name]) => void;

export interface Emitter {
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  emit<Name extends EventName>(name: Name, event: ContextEvents[Name]): void;
  clear(): void;
}

/** Creates an emitter. A listener that throws or never settles does not affect the others. */
export function createEmitter(): Emitter {
  const listeners = new Map<EventName, Set<(event: never) => void>>();
  return {
    on(name, listener) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => own.delete(listener);
    },
    emit(name, event) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          const answer: unknown = listener(event as never);
          if (answer instanceof Promise) answer.catch(() => {});
        } catch {
          // The failing listener belongs to the host, so there is nobody to tell.
        }
      }
    },
    clear: () => listeners.clear(),
  };
}
