import type { Message } from '../conversation/message.ts';
import type { Measure } from './measure.ts';

/** The tokens of a conversation by who takes them. */
export interface Breakdown {
  readonly system: number;
  readonly user: number;
  readonly assistant: number;
  readonly calls: number;
  readonly output: number;
}

/** Splits the tokens of a conversation by use. The sum can exceed the whole a little: each part is counted with a message envelope of its own. */
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
