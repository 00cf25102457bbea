import { type Message, type Part, resultTextOf } from '../../core/conversation/message.ts';

/**
 * Writes a message as text: its words, its calls with their arguments as plain lines, and its results. Spans of facts count characters of this
 * text. It leaves out reasoning, which most hosts do not send back.
 */
export function messageText(message: Message): string {
  return message.parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

/** Writes messages as one text, as a reader without tools would see them. */
export function viewText(messages: readonly Message[]): string {
  return messages.map(messageText).join('\n\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool-call':
      return `${part.name}\n${argumentText(part.arguments)}`;
    case 'tool-result':
      return resultTextOf(part);
    case 'opaque':
      return part.json;
    case 'reasoning':
    case 'image':
    case 'file':
      return '';
  }
}

/** Writes arguments without JSON escapes, so that paths and commands appear unchanged. */
function argumentText(json: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return json;
  }
  const lines: string[] = [];
  const stack: { readonly key: string; readonly value: unknown }[] = [{ key: '', value }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { key } = item;
    if (typeof item.value === 'object' && item.value !== null) {
      const children = Object.entries(item.value as Readonly<Record<string, unknown>>);
      const isList = Array.isArray(item.value);
      for (const [name, child] of children.reverse()) stack.push({ key: isList ? key : name, value: child });
    } else lines.push(key === '' ? String(item.value) : `${key}: ${String(item.value)}`);
  }
  return lines.join('\n');
}
