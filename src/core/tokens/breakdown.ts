import type { Message } from '../conversation/message.ts';
import type { Measure } from './measure.ts';

/** Who takes how many tokens of a conversation. */
export interface Breakdown {
  readonly system: number;
  readonly user: number;
  readonly assistant: number;
  readonly calls: number;
  readonly output: number;
}

/** Splits the tokens of a conversation by what they are for. The parts add up to a little less than the whole: envelopes are left out. */
export function breakdown(messages: readonly Message[], measure: Measure): Breakdown {
  const tokens = { system: 0, user: 0, assistant: 0, calls: 0, output: 0 };
  for (const message of messages)
    for (const part of message.parts) {
      const count = measure.message({ role: message.role, parts: [part] });
      if (part.type === 'tool-call') tokens.calls += count;
      else if (part.type === 'tool-result') tokens.output += count;
      else if (message.role === 'assistant') tokens.assistant += count;
      else if (message.role === 'system') tokens.system += count;
      else tokens.user += count;
    }
  return tokens;
}
