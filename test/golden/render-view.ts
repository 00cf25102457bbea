import { type Message, type Part, resultTextOf } from '../../src/core/conversation/message.ts';

/** A conversation as a reader sees it: a heading for each message, then its words. */
export function renderView(messages: readonly Message[]): string {
  return messages
    .map((message, at) => `=== ${at + 1} ${message.role}\n${message.parts.map(partText).join('\n')}\n`)
    .join('\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool-call':
      return `call ${part.callId}: ${part.name} ${part.arguments}`;
    case 'tool-result':
      return `result ${part.callId}: ${resultTextOf(part)}`;
    case 'image':
    case 'file':
      return `[${part.type}]`;
    case 'opaque':
      return part.json;
  }
}
