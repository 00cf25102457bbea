import type { Conversation } from '../../core/conversation/conversation.ts';
import {
  type ImagePart,
  type Message,
  type Part,
  type ToolCallPart,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from '../../core/conversation/message.ts';
import { withMessages } from '../envelope.ts';
import { isRecord, messageListOf, type WireRecord } from '../guards.ts';
import { baseOf, nameInText } from '../parts.ts';
import { callBlocksOf, kwargsOf, rewriteCall, rewriteCalls } from './calls.ts';
import { type Held, heldIn } from './held.ts';
import { makeNew, remake } from './make.ts';
import { withoutReasoning } from './reasoning.ts';
import { type LangChainFields, TYPES } from './wire.ts';

export function encodeLangChain({ messages, envelope }: Conversation): unknown {
  const original = messageListOf(envelope) ?? [];
  return withMessages(
    envelope,
    messages.map((message) => encodeMessage(message, original)),
  );
}

function encodeMessage(message: Message, list: readonly unknown[]): unknown {
  if (message.raw !== undefined) return message.raw;
  const held = heldIn(message.base);
  if (held === null) return makeNew(list, TYPES[message.role], textOf(message));
  const content = message.role === 'tool' ? toolResultsOf(message).flatMap((part) => part.content) : message.parts;
  return remake(held, {
    content: encodeContent(content, held.fields),
    ...(message.role === 'assistant' ? outsideContent(message, held) : {}),
  });
}

/** A string where the base had one and text is all there is, else blocks; always a new array, because a class may add to it. */
function encodeContent(parts: readonly Part[], fields: LangChainFields): string | readonly unknown[] {
  const blocks = parts.flatMap((part) => encodePart(part, fields));
  if (typeof fields.content !== 'string') return blocks;
  const texts = parts.filter((part) => part.type === 'text');
  const [only] = texts;
  return blocks.length <= 1 && blocks.length === texts.length ? (only?.text ?? '') : blocks;
}

function encodePart(part: Part, fields: LangChainFields): readonly unknown[] {
  if (part.type === 'tool-call') return encodeCallBlock(part, fields);
  if (part.raw !== undefined) return [part.raw];
  switch (part.type) {
    case 'text':
      return [{ ...baseOf(part), type: 'text', text: part.text }];
    // Reasoning is signed in its block, or is outside the content: it goes back unedited or not at all.
    case 'reasoning':
    case 'tool-result':
      return [];
    case 'image':
      return [part.base ?? encodeImage(part)];
    case 'file':
    case 'opaque':
      return [part.base ?? { type: 'text', text: nameInText(part) }];
  }
}

function encodeImage({ url }: ImagePart): unknown {
  return url === null ? { type: 'text', text: '[image]' } : { type: 'image_url', image_url: { url } };
}

function encodeCallBlock(call: ToolCallPart, fields: LangChainFields): readonly unknown[] {
  const block = callBlocksOf(fields).find((each) => each.id === call.callId);
  return block === undefined ? [] : [rewriteCall(block, call)];
}

/** Writes the calls and reasoning of an answer that are outside its content. */
function outsideContent(message: Message, { fields }: Held): WireRecord {
  const calls = toolCallsOf(message);
  const reasoning = withoutReasoning(message, fields);
  const rewritten = rewriteCalls({ ...fields, ...reasoning }, calls);
  const kwargs = kwargsOf({ ...fields, ...reasoning, ...rewritten });
  const before = kwargs['function_call'];
  const { function_call: _call, ...rest } = kwargs;
  if (!isRecord(before)) return { ...reasoning, ...rewritten };
  const call = calls.find((each) => (each.raw ?? each.base) === before);
  const changed = call === undefined ? rest : { ...kwargs, function_call: rewriteFunctionCall(call, before) };
  return { ...reasoning, ...rewritten, additional_kwargs: changed };
}

function rewriteFunctionCall(call: ToolCallPart, before: WireRecord): WireRecord {
  return call.raw === undefined ? { ...before, name: call.name, arguments: call.arguments } : before;
}
