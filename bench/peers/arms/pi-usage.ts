import type { PiMessage } from './pi-messages.ts';

/**
 * What a provider tells with each answer, and pi's client records: the size of the context so far. Pi estimates only what came after the last
 * of these figures; without them it would estimate the whole session before every request.
 */
export interface RunningUsage {
  /** The same message, one of the assistant with the usage of its request. */
  recorded(message: PiMessage): PiMessage;
  /** After a compaction the next request holds this instead. */
  restart(context: readonly unknown[]): void;
}

/** `estimateTokens` is pi's own: the sessions carry no figures of a provider. */
export function runningUsage(estimateTokens: (message: unknown) => number): RunningUsage {
  let total = 0;
  return {
    recorded: (message) => {
      const input = total;
      const output = estimateTokens(message);
      total += output;
      if (message.role !== 'assistant') return message;
      return { ...message, usage: { ...message.usage, input, output, totalTokens: total } };
    },
    restart: (context) => {
      total = context.reduce<number>((sum, message) => sum + estimateTokens(message), 0);
    },
  };
}
