import type { ImagePart, Part, ToolCallPart, ToolResultPart } from '../../core/conversation/message.ts';
import { resultTextOf } from '../../core/conversation/message.ts';
import { isRecord } from '../guards.ts';
import { baseOf, nameInText } from '../parts.ts';
import { inputOf } from './input.ts';
import { withoutItemId } from './item-ids.ts';
import type { AiOutput } from './wire.ts';

/** Writes a part on the wire: the original object when it was not edited, nothing for reasoning whose signature is gone. */
export function encodePart(part: Part): readonly unknown[] {
  if (part.raw !== undefined) return [part.raw];
  switch (part.type) {
    case 'text':
      return [{ ...withoutItemId(baseOf(part)), type: 'text', text: part.text }];
    case 'reasoning':
      return part.bound || part.text === '' ? [] : [{ type: 'reasoning', text: part.text }];
    case 'tool-call':
      return [encodeCall(part)];
    case 'tool-result':
      return [encodeResult(part)];
    case 'image':
      return [part.base ?? encodeImage(part)];
    case 'file':
    case 'opaque':
      return [part.base ?? { type: 'text', text: nameInText(part) }];
  }
}

function encodeImage({ url, mediaType }: ImagePart): unknown {
  if (url === null) return { type: 'text', text: '[image]' };
  return { type: 'image', image: url, ...(mediaType === null ? {} : { mediaType }) };
}

function encodeCall(part: ToolCallPart): unknown {
  return {
    ...withoutItemId(baseOf(part)),
    type: 'tool-call',
    toolCallId: part.callId,
    toolName: part.name,
    input: inputOf(part.arguments),
  };
}

function encodeResult(part: ToolResultPart): unknown {
  const base = baseOf(part);
  return { ...base, type: 'tool-result', toolCallId: part.callId, output: encodeOutput(part, base['output']) };
}

/** The output in the shape it had, where that shape can hold the edited text. An excerpt of JSON is no JSON, so it becomes text. */
function encodeOutput(part: ToolResultPart, before: unknown): unknown {
  const base: AiOutput = isRecord(before) ? before : {};
  const [only] = part.content;
  if (only?.raw !== undefined && only.raw === before) return before;
  const options = base['providerOptions'] === undefined ? {} : { providerOptions: base['providerOptions'] };
  if (base.type === 'content' || part.content.some((item) => item.type !== 'text'))
    return { ...options, type: 'content', value: part.content.flatMap(encodePart) };
  const text = resultTextOf(part);
  if (base.type === 'execution-denied') return { ...base, reason: text };
  return { ...options, type: part.isError ? 'error-text' : 'text', value: text };
}
