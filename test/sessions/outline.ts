import { type Message, resultTextOf } from '../../src/core/conversation/message.ts';
import type { SessionDocument } from '../../src/sessions/index.ts';

/** A conversation as lines to compare with: role and what it says. */
export function outline({ conversation }: SessionDocument): readonly string[] {
  return conversation.messages.map((message) => `${message.role}: ${partsText(message)}`);
}

function partsText(message: Message): string {
  return message.parts
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'reasoning':
          return `(${part.text})`;
        case 'tool-call':
          return `${part.callId}=${part.name}${part.arguments}`;
        case 'tool-result':
          return `${part.callId}→${resultTextOf(part)}`;
        case 'image':
        case 'file':
        case 'opaque':
          return `[${part.type}]`;
      }
    })
    .join(' | ');
}
