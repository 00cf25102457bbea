import { type Message, withParts } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Decoded, DecodeNote } from '../../core/format.ts';
import { describe, expectMessage, isRecord, wrongField } from '../guards.ts';
import { hasContent, isVoid, type Numbered } from '../pairs/mend.ts';
import { repairPairs } from '../pairs/repair.ts';
import { isKeptByServer } from '../server-state.ts';
import { type ReadItem, readItem } from './decode-item.ts';
import { lacksFollower } from './followers.ts';
import { groupItems } from './group.ts';
import { RESPONSES_SERVER } from './server.ts';
import { itemListOf, type ResponsesRequest } from './wire.ts';

/** Reads instructions and items, groups the items into messages, drops empty ones, and makes calls and outputs pair. */
export function decodeResponses(wire: unknown): Decoded {
  const notes: DecodeNote[] = [];
  const text = bareInputOf(wire);
  const read = (text === null ? expectItems(wire) : []).map((value, index) =>
    readItem(expectMessage(value, index), index),
  );
  if (isKeptByServer(wire, RESPONSES_SERVER)) return asItIs(read, wire);
  const paired = repairPairs(groupItems(mendItems(read, notes)));
  const messages = withoutLooseReasoning(paired.items, notes);
  return {
    conversation: {
      format: 'openai-responses',
      messages: [...decodeInstructions(wire), ...(text === null ? messages : bareMessage(text))],
      envelope: wire,
    },
    notes: [...notes, ...paired.notes].sort((one, other) => one.message - other.message),
  };
}

/** A request whose history is on the server: a call or an output that seems to be missing may be there. */
function asItIs(read: readonly ReadItem[], wire: unknown): Decoded {
  const text = bareInputOf(wire);
  // A result without content stays as it is.
  const kept = read.map((each) => ({ ...each, parts: each.parts.map((part) => ({ raw: each.item, ...part })) }));
  const said = text === null ? groupItems(kept).map((item) => item.message) : bareMessage(text);
  return {
    conversation: { format: 'openai-responses', messages: [...decodeInstructions(wire), ...said], envelope: wire },
    notes: [],
  };
}

/** Input that is a single text: the whole value, or the `input` of a request. */
function bareInputOf(wire: unknown): string | null {
  const input = isRecord(wire) ? wire['input'] : wire;
  return typeof input === 'string' ? input : null;
}

function bareMessage(text: string): readonly Message[] {
  return text === '' ? [] : [{ role: 'user', parts: [{ type: 'text', text }], raw: text }];
}

/** The prompt of a request. Its `raw` is the text, and `encode` recognises it by that. */
function decodeInstructions(wire: unknown): readonly Message[] {
  const request: ResponsesRequest = isRecord(wire) ? wire : {};
  const { instructions } = request;
  if (instructions === undefined || instructions === null || instructions === '') return [];
  if (typeof instructions !== 'string')
    throw wrongField({ index: -1, field: 'instructions' }, 'a string or null', instructions);
  return [{ role: 'system', parts: [{ type: 'text', text: instructions }], raw: instructions }];
}

function expectItems(wire: unknown): readonly unknown[] {
  const list = itemListOf(wire);
  if (list !== null) return list;
  const got = isRecord(wire) ? `\`input\` with ${describe(wire['input'])}` : describe(wire);
  throw new PrecisError('bad-input', `expected an array of items, a text, or an object with \`input\`, got ${got}`, {
    field: 'input',
  });
}

/** Drops empty items. */
function mendItems(read: readonly ReadItem[], notes: DecodeNote[]): readonly ReadItem[] {
  return read.flatMap((item): readonly ReadItem[] => {
    const note = (text: string): void => void notes.push({ message: item.index, text });
    const { type, role } = item.item;
    const [part] = item.parts;
    if (part?.type === 'tool-result') {
      if (part.raw === undefined) note('tool result without content made empty');
      return [item];
    }
    if (type === 'compaction_trigger' && item.index < read.length - 1) {
      note('compaction trigger that is not the last item dropped');
      return [];
    }
    if (!isVoid({ role: 'user', parts: item.parts })) return [item];
    note(`${String(role)} message without content dropped`);
    return [];
  });
}

/** The API refuses reasoning that nothing follows, and reasoning before items other than the ones it came with. */
function withoutLooseReasoning(items: readonly Numbered[], notes: DecodeNote[]): readonly Message[] {
  return items.flatMap(({ index, message }) => {
    if (!message.parts.some((part) => part.type === 'reasoning')) return [message];
    if (hasContent(message) && !lacksFollower(message)) return [message];
    notes.push({ message: index, text: 'reasoning without the items that followed it dropped' });
    const parts = message.parts.filter((part) => part.type !== 'reasoning');
    return parts.length === 0 ? [] : [withParts(message, parts)];
  });
}
