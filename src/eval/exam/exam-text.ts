import { type Message, type Part, resultTextOf } from '../../core/conversation/message.ts';

/**
 * Writes a view as the answerer reads it: the speaker, then the words. Messages have no numbers, because the answerer could take such a number
 * for a fact of the session. Code looks for facts in `viewText` instead.
 */
export function examText(messages: readonly Message[]): string {
  return messages
    .map(({ role, parts }) => [`${role}:`, ...parts.map(partText)].filter((text) => text !== '').join('\n'))
    .join('\n\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool-call':
      return `calls ${part.name} ${part.arguments}`;
    case 'tool-result':
      return `result${part.isError ? ' (error)' : ''}:\n${resultTextOf(part)}`;
    case 'image':
      return '[image]';
    case 'file':
      return `[file ${part.name ?? ''}]`;
    // Most hosts do not send a model's reasoning back to it, and opaque parts hold no readable facts.
    case 'reasoning':
    case 'opaque':
      return '';
  }
}
