import type { Receipt } from '../core/receipt/receipt.ts';

/** What a context tells its host. None of it enters the conversation. */
export interface ContextEvents {
  /** A level of pressure was reached on the way up. */
  readonly pressure: {
    readonly level: number;
    readonly pressure: number;
    readonly tokens: number;
    readonly threshold: number;
    /** Requests until the threshold at the present pace; null when the view does not grow. */
    readonly turnsLeft: number | null;
  };
  readonly 'compaction:start': { readonly tokens: number; readonly target: number };
  readonly 'compaction:end': { readonly id: string; readonly receipt: Receipt };
  /** Nothing was done, and why. The view is as it was. */
  readonly 'compaction:refused': { readonly reason: string; readonly receipt: Receipt | null };
  /** Something broke or was aborted. The view is as it was. */
  readonly 'compaction:failed': { readonly error: unknown };
  /** An earlier view is the present one again; null for the whole history. */
  readonly 'view:selected': { readonly id: string | null; readonly cause: 'undo' | 'restore'; readonly tokens: number };
  readonly 'model:switched': { readonly from: string | null; readonly to: string; readonly window: number };
  /** What was said is kept in memory and is written with the next batch that succeeds. */
  readonly 'store:error': { readonly error: unknown; readonly waiting: number };
}

export type EventName = keyof ContextEvents;
export type Listener<Name extends EventName> = (event: ContextEvents[Name]) => void;

export interface Emitter {
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  emit<Name extends EventName>(name: Name, event: ContextEvents[Name]): void;
  clear(): void;
}

/** Listeners are the host's: one that throws, or never comes back, harms nobody else. */
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
          // A listener cannot be told of its own error by the one it listens to.
        }
      }
    },
    clear: () => listeners.clear(),
  };
}
