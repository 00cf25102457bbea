import { type Message, type Part, resultTextOf } from '../../core/conversation/message.ts';

/**
 * A message as text: what it says, its calls with their arguments as plain lines, its results. Spans of facts count characters of this text.
 * Reasoning is left out, as most wires do not send it back.
 */
export function messageText(message: Message): string {
  return message.parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

/** Messages as one text, the way a reader without tools would see them. */
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

/** Arguments without the escapes of JSON, so that paths and commands stand there as they are. */
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
