import type { Message, Part, ToolCallPart } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Decoded, DecodeNote } from '../../core/format.ts';
import { describe, expectMessageList, expectString, isRecord, jsonOf, wrongField } from '../guards.ts';
import { isVoid, type Numbered } from '../pairs/mend.ts';
import { repairPairs } from '../pairs/repair.ts';
import { isKeptByServer } from '../server-state.ts';
import { decodeCalls, isCallBlock, kwargsOf } from './calls.ts';
import { decodeBlock, decodeContent } from './decode-block.ts';
import { type Held, heldIn } from './held.ts';
import { decodeKwargsReasoning, decodeReasoningBlock } from './reasoning.ts';
import { LANGCHAIN_SERVER } from './server.ts';
import { type LangChainFields, roleOf, TYPE_NAMES } from './wire.ts';

/** Reads every message, drops empty ones, and makes calls and results pair. A request whose history is on the server stays as it is. */
export function decodeLangChain(wire: unknown): Decoded {
  const notes: DecodeNote[] = [];
  const items: Numbered[] = [];
  const list = expectMessageList(wire).map(expectHeld);
  const answered = new Set(list.map(({ fields }) => fields.tool_call_id));
  let lastFunctionCall = -1;
  const read = list.map((held, index) => {
    if (isRecord(kwargsOf(held.fields)['function_call'])) lastFunctionCall = index;
    return decodeMessage(held, index, { answered, lastFunctionCall });
  });
  if (isKeptByServer(wire, LANGCHAIN_SERVER))
    return { conversation: { format: 'langchain', messages: read, envelope: wire }, notes: [] };
  read.forEach((message, index) => {
    if (isVoid(message)) notes.push({ message: index, text: `${message.role} message without content dropped` });
    else items.push({ index, message });
  });
  const paired = repairPairs(items);
  return {
    conversation: { format: 'langchain', messages: paired.items.map((item) => item.message), envelope: wire },
    notes: [...notes, ...paired.notes],
  };
}

function expectHeld(value: unknown, index: number): Held {
  const held = heldIn(value);
  if (held !== null) return held;
  throw new PrecisError(
    'bad-input',
    `message ${index + 1}: expected a message of LangChain or an object with \`type\` and \`data\`, got ${describe(value)}`,
    { message: index, field: 'type' },
  );
}

interface Around {
  readonly answered: ReadonlySet<unknown>;
  /** Index of the last message with a deprecated `function_call`, whose answer is the next function message. */
  readonly lastFunctionCall: number;
}

function decodeMessage({ type, fields, wire: raw }: Held, index: number, around: Around): Message {
  const role = roleOf(type, fields);
  switch (role) {
    case null:
      if (type === 'generic') throw wrongField({ index, field: 'role' }, 'one of system, user, assistant', fields.role);
      throw wrongField({ index, field: 'type' }, `one of ${TYPE_NAMES}`, type);
    case 'assistant':
      return { role, parts: decodeAnswer(fields, index, around), raw };
    case 'tool': {
      const callId =
        type === 'function'
          ? functionCallId(around.lastFunctionCall)
          : expectString(fields.tool_call_id, index, 'tool_call_id');
      const content = decodeContent(fields.content, index);
      return { role, parts: [{ type: 'tool-result', callId, content, isError: fields.status === 'error' }], raw };
    }
    case 'system':
    case 'user':
      return { role, parts: decodeContent(fields.content, index), raw };
  }
}

/** Reasoning, then content with each call in the place of its block, then calls without a block. */
function decodeAnswer(fields: LangChainFields, index: number, { answered }: Around): readonly Part[] {
  const reasoning = decodeKwargsReasoning(fields);
  const calls = decodeCalls(fields, index, answered);
  const placed = new Set<ToolCallPart>();
  const { content } = fields;
  const blocks = Array.isArray(content)
    ? content.flatMap((block: unknown, at): readonly Part[] => {
        if (!isCallBlock(block)) {
          const thought = isRecord(block) ? decodeReasoningBlock(block) : null;
          return [thought ?? decodeBlock(block, { index, field: `content[${at}]` })];
        }
        const call = calls.find((each) => each.callId === block.id && !placed.has(each));
        if (call === undefined) return [];
        placed.add(call);
        return [call];
      })
    : decodeContent(content, index);
  return [
    ...(reasoning === null ? [] : [reasoning]),
    ...blocks,
    ...calls.filter((call) => !placed.has(call)),
    ...decodeFunctionCall(fields, index),
  ];
}

function functionCallId(index: number): string {
  return `function_call_${index}`;
}

/** The deprecated way to call a single function; it has no id. */
function decodeFunctionCall(fields: LangChainFields, index: number): readonly ToolCallPart[] {
  const call = kwargsOf(fields)['function_call'];
  if (!isRecord(call)) return [];
  const text = typeof call['arguments'] === 'string' ? call['arguments'] : (jsonOf(call['arguments']) ?? '');
  const name = expectString(call['name'], index, 'additional_kwargs.function_call.name');
  return [{ type: 'tool-call', callId: functionCallId(index), name, arguments: text, raw: call }];
}
