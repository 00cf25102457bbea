import type { Wire } from '../said.ts';
import { type Checker, hasBlankText, isBlank, isRecord, listIn, records, unpaired } from './checker.ts';
import {
  type BoundBlock,
  type BoundMessage,
  createThinkingBinding,
  digestOfBlock,
  opensWithThinking,
} from './thinking-binding.ts';

const MOST_MARKERS = 4;

export function anthropicChecker(): Checker {
  const binding = createThinkingBinding();
  const known = new WeakMap<Wire, BoundMessage>();
  const bound = (messages: readonly Wire[]): readonly BoundMessage[] =>
    messages.map((message) => {
      const before = known.get(message);
      if (before !== undefined) return before;
      const read = { role: String(message['role']), blocks: blocksOf(message).map(boundBlock) };
      known.set(message, read);
      return read;
    });
  return {
    check(request) {
      const messages = listIn(request, 'messages');
      const faults = [...rolesOf(messages), ...contentsOf(messages), ...pairsOf(messages), ...hostedOf(messages)];
      const fields = isRecord(request) ? request : {};
      const read = bound(messages);
      if (isRecord(fields['thinking']) && !opensWithThinking(read))
        faults.push('ANT-4: the run of calls under way does not start with thinking');
      if (markersIn(request) > MOST_MARKERS) faults.push('ANT-6: more than four cache markers');
      return [...faults, ...binding.check(headOf(fields), read)];
    },
    sign(request, answer) {
      const before = bound(listIn(request, 'messages'));
      const head = headOf(isRecord(request) ? request : {});
      return answer.map((message) => ({
        ...message,
        content: blocksOf(message).map((block) =>
          block['type'] === 'thinking'
            ? { ...block, signature: binding.sign(head, before, String(block['thinking'])) }
            : block,
        ),
      }));
    },
  };
}

/** System prompt and tools that are not loaded later. */
function headOf({ system, tools }: Wire): string {
  const given = records(tools).filter((tool) => tool['defer_loading'] !== true);
  const texts = typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  return digestOfBlock([texts, given]);
}

function blocksOf({ content }: Wire): readonly Wire[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : records(content);
}

function boundBlock(block: Wire): BoundBlock {
  const { type } = block;
  if (type === 'thinking') return { type, text: String(block['thinking']), signature: String(block['signature']) };
  return { type: 'other', digest: digestOfBlock(block), isCall: type === 'tool_use', isResult: type === 'tool_result' };
}

function rolesOf(messages: readonly Wire[]): string[] {
  const faults: string[] = [];
  const odd = messages.findIndex(({ role }) => role !== 'user' && role !== 'assistant' && role !== 'system');
  if (odd >= 0) faults.push(`ANT-3: message ${odd}: unknown role`);
  const [first] = messages;
  const isCompacted = first !== undefined && blocksOf(first)[0]?.['type'] === 'compaction';
  if (first?.['role'] !== 'user' && !isCompacted) faults.push('ANT-3: the first message is not of the user');
  if (messages.at(-1)?.['role'] === 'assistant') faults.push('ANT-3: the last message is of the assistant');
  return faults;
}

function contentsOf(messages: readonly Wire[]): string[] {
  return messages.flatMap((message, at) => {
    const { role, content } = message;
    if (isBlank(content) || hasBlankText(content)) return [`ANT-7: message ${at}: empty content`];
    const isThought = blocksOf(message).some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
    return isThought && role !== 'assistant' ? [`ANT-4: message ${at}: thinking of the ${String(role)}`] : [];
  });
}

/** The API merges neighbours of one role, so pairs are sought in merged messages. */
function pairsOf(messages: readonly Wire[]): string[] {
  const merged: { readonly role: unknown; readonly blocks: Wire[] }[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message['role']) last?.blocks.push(...blocksOf(message));
    else merged.push({ role: message['role'], blocks: [...blocksOf(message)] });
  }
  const faults: string[] = [];
  for (const [at, { role, blocks }] of merged.entries()) {
    const before = merged[at - 1];
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const calls = before?.role === 'assistant' ? before.blocks.filter(({ type }) => type === 'tool_use') : [];
    const fault = unpaired(
      calls.map(({ id }) => id),
      results.map((result) => result['tool_use_id']),
    );
    if (fault !== null) faults.push(`ANT-1: message ${at}: ${fault}`);
    if (results.length > 0 && role !== 'user') faults.push(`ANT-2: message ${at}: a result of the ${String(role)}`);
    if (blocks.findLastIndex(({ type }) => type === 'tool_result') >= results.length)
      faults.push(`ANT-1: message ${at}: a result after another block`);
  }
  const open = merged.at(-1);
  if (open?.role === 'assistant' && open.blocks.some(({ type }) => type === 'tool_use'))
    faults.push('ANT-1: the last calls have no results');
  return faults;
}

/** Calls that the server runs and their results are in one message. */
function hostedOf(messages: readonly Wire[]): string[] {
  return messages.flatMap((message, at) => {
    const blocks = blocksOf(message);
    const calls = blocks.filter(({ type }) => type === 'server_tool_use' || type === 'mcp_tool_use');
    const results = blocks.filter(({ type }) => String(type).endsWith('_tool_result'));
    const fault = unpaired(
      calls.map(({ id }) => id),
      results.map((result) => result['tool_use_id']),
    );
    return fault === null ? [] : [`ANT-8: message ${at}: ${fault}`];
  });
}

function markersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + markersIn(item), 0);
  if (!isRecord(value)) return 0;
  const own = isRecord(value['cache_control']) ? 1 : 0;
  return ['system', 'tools', 'messages', 'content'].reduce((sum, key) => sum + markersIn(value[key]), own);
}
