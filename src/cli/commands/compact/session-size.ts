import type { Conversation } from '../../../core/conversation/conversation.ts';
import { type Part, resultTextOf } from '../../../core/conversation/message.ts';

/** About how many characters there are to compact. */
export function sizeOf({ messages }: Conversation): number {
  return messages.reduce((sum, { parts }) => sum + parts.reduce((size, part) => size + sizeOfPart(part), 0), 0);
}

function sizeOfPart(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'tool-call':
      return part.arguments.length;
    case 'tool-result':
      return resultTextOf(part).length;
    case 'opaque':
      return part.json.length;
    case 'image':
      return part.url?.length ?? 0;
    case 'file':
      return part.bytes;
  }
}
