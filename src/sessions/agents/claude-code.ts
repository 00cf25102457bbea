import { metaOf } from '../log/chat-log.ts';
import {
  compactFields,
  counted,
  fieldsOf,
  isRecord,
  listOf,
  recordsOf,
  stringOf,
  timeOf,
  usageWithCache,
  type WireRecord,
} from '../log/fields.ts';
import type {
  LogCollector,
  LogMessage,
  MessageRecord,
  ReaderOptions,
  SessionLog,
  SessionNote,
  SessionReader,
  SessionUsage,
} from '../reader.ts';

/** `~/.claude/projects/<folder>/<id>.jsonl`. The format is internal to its vendor and changes, so this reader relies on no field being there. */
export const claudeCode: SessionReader = {
  id: 'claude-code',
  title: 'a log of Claude Code',
  detect: (head) => head.type === 'lines' && head.values.some(isClaudeCodeLine),
  start: (options) => new ClaudeCodeLog(options),
};

function isClaudeCodeLine(value: unknown): boolean {
  if (!isRecord(value) || 'role' in value) return false;
  const { type, message } = value as { readonly type?: unknown; readonly message?: unknown };
  const isEnvelope = 'uuid' in value || 'sessionId' in value;
  if (isEnvelope && (type === 'user' || type === 'assistant') && isRecord(message)) return true;
  // Some logs open with hundreds of lines without a message.
  return typeof type === 'string' && MARKS.some((keys) => keys.every((key) => key in value));
}

/** Claude Code's own lines hold one of these when they have no id. */
const OWN_KEYS: readonly string[] = ['sessionId', 'messageId', 'leafUuid'];
const MARKS: readonly (readonly string[])[] = [
  ['uuid', 'parentUuid', 'sessionId', 'isSidechain'],
  ['messageId', 'snapshot', 'isSnapshotUpdate'],
  ['summary', 'leafUuid'],
];

/** A line of the conversation, without fields that are not needed again: tool results are often there twice. */
interface Line {
  readonly uuid: string;
  readonly number: number;
  readonly isSidechain: boolean;
  readonly message: WireRecord;
  readonly record: MessageRecord;
}

class ClaudeCodeLog implements LogCollector {
  readonly #options: ReaderOptions;
  readonly #lines: Line[] = [];
  /** Parent of every line with an id, whatever its type: the chain leads through lines without a message. */
  readonly #parents = new Map<string, string | null>();
  readonly #boundaries = new Map<string, WireRecord>();
  readonly #notes: SessionNote[] = [];
  /** Lines that another program wrote into the file. */
  readonly #foreign: number[] = [];
  #previous: string | null = null;
  #title: string | undefined;
  #id: string | undefined;
  #cwd: string | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  add(value: unknown, number: number): void {
    if (!isRecord(value)) {
      this.#notes.push({ line: number, text: 'not an object, left out' });
      return;
    }
    const summary = value['type'] === 'summary' ? stringOf(value['summary']) : undefined;
    this.#title = stringOf(value['customTitle']) ?? stringOf(value['aiTitle']) ?? this.#title ?? summary;
    // A resumed session may open with lines of the earlier one.
    this.#id = stringOf(value['sessionId']) ?? this.#id;
    this.#cwd ??= stringOf(value['cwd']);
    const { type, message } = value as { readonly type?: unknown; readonly message?: unknown };
    const isMessage = (type === 'user' || type === 'assistant') && isRecord(message);
    const uuid = stringOf(value['uuid']) ?? (isMessage ? `line ${number}` : undefined);
    if (uuid === undefined) {
      if (!OWN_KEYS.some((key) => key in value)) this.#foreign.push(number);
      return;
    }
    if (this.#parents.has(uuid)) {
      this.#notes.push({ line: number, text: 'repeats the id of an earlier line, left out' });
      return;
    }
    this.#link(value, uuid);
    if (type === 'system' && value['subtype'] === 'compact_boundary')
      this.#boundaries.set(uuid, fieldsOf(value['compactMetadata']));
    if (isMessage) this.#keep(value, { uuid, number, type, message });
  }

  #link(value: WireRecord, uuid: string): void {
    const isSidechain = value['isSidechain'] === true;
    const named = stringOf(value['parentUuid']) ?? stringOf(value['logicalParentUuid']);
    // Where the parent is missing, or not in the file, the line is taken to follow the one before it.
    const parent = named !== undefined && this.#parents.has(named) ? named : isSidechain ? null : this.#previous;
    this.#parents.set(uuid, parent);
    // A broken link must not lead into a side chain.
    if (!isSidechain) this.#previous = uuid;
  }

  #keep(
    value: WireRecord,
    { uuid, number, type, message }: { uuid: string; number: number; type: unknown; message: WireRecord },
  ): void {
    const model = stringOf(message['model']);
    // Claude Code writes local errors as answers of a model that does not exist.
    const isAnswer = type === 'assistant' && model !== '<synthetic>';
    this.#lines.push({
      uuid,
      number,
      isSidechain: value['isSidechain'] === true,
      message: {
        role: type,
        content: message['content'],
        ...(type === 'assistant' ? { id: message['id'] } : {}),
      },
      record: compactFields({
        timestamp: timeOf(value['timestamp']),
        model: isAnswer ? model : undefined,
        usage: isAnswer ? usageFrom(message['usage']) : undefined,
        isSummary: value['isCompactSummary'] === true ? true : undefined,
      }) as MessageRecord,
    });
  }

  end(): SessionLog {
    const isSideLog = this.#lines.length > 0 && this.#lines.every((line) => line.isSidechain);
    const main = isSideLog ? this.#lines : this.#lines.filter((line) => !line.isSidechain);
    const active = this.#activeLines(main);
    if (this.#foreign.length > 0)
      this.#notes.push({
        text: `${counted(this.#foreign.length, 'line')} that are not of Claude Code left out, the first is line ${this.#foreign[0]}`,
      });
    this.#countLeftOut(this.#lines.length - main.length, 'of side chains');
    this.#countLeftOut(main.length - active.length, 'of branches that were given up');
    const chosen = this.#options.sinceCompaction === true ? this.#sinceCompaction(active) : active;
    const messages = mergeAnswers(chosen, this.#notes);
    const meta = { id: this.#id, title: this.#title, cwd: this.#cwd, compactions: this.#boundaries.size };
    return { format: 'anthropic', messages, meta: metaOf(messages, meta), notes: this.#notes };
  }

  #countLeftOut(count: number, where: string): void {
    if (count > 0) this.#notes.push({ text: `${counted(count, 'message')} ${where} left out` });
  }

  /**
   * Finds the branch that ends in the newest line. Parallel calls make small branches of their own, and the chain runs through only one of the
   * results; the other pieces of the answer and the other results belong to it as well.
   */
  #activeLines(main: readonly Line[]): readonly Line[] {
    const chain = new Set<string>();
    for (
      let at: string | null | undefined = main.at(-1)?.uuid;
      at !== null && at !== undefined && !chain.has(at);
      at = this.#parents.get(at)
    )
      chain.add(at);
    const answers = new Set(
      main.filter((line) => chain.has(line.uuid)).flatMap((line) => stringOf(line.message['id']) ?? []),
    );
    const isActive = (line: Line): boolean => chain.has(line.uuid) || answers.has(String(line.message['id'] ?? ''));
    const calls = new Set(main.filter(isActive).flatMap((line) => callIdsOf(line.message)));
    return main.filter((line) => isActive(line) || resultIdsOf(line.message).some((id) => calls.has(id)));
  }

  #sinceCompaction(active: readonly Line[]): readonly Line[] {
    const from = active.findLastIndex((line) => line.record.isSummary === true);
    if (from < 0) return active;
    const summary = active.slice(from, from + 1);
    const boundary = [...this.#boundaries.values()].at(-1) ?? {};
    const kept = keptIds(boundary, active);
    return [...summary, ...active.slice(0, from).filter((line) => kept.has(line.uuid)), ...active.slice(from + 1)];
  }
}

/** Finds the ids of the messages that a compaction kept, under the names that two versions use. */
function keptIds(boundary: WireRecord, active: readonly Line[]): ReadonlySet<string> {
  const named = fieldsOf(boundary['preservedMessages'] ?? boundary['preserved_messages']);
  const ids = new Set(listOf(named['uuids']).filter((id): id is string => typeof id === 'string'));
  const segment = fieldsOf(boundary['preservedSegment'] ?? boundary['preserved_segment']);
  const head = segment['headUuid'] ?? segment['head_uuid'] ?? segment['head'];
  const tail = segment['tailUuid'] ?? segment['tail_uuid'] ?? segment['tail'];
  const from = active.findIndex((line) => line.uuid === head);
  const to = active.findIndex((line) => line.uuid === tail);
  if (from >= 0 && to >= from) for (const line of active.slice(from, to + 1)) ids.add(line.uuid);
  return ids;
}

/** Merges the lines of one API response into one message. Claude Code writes each block on a line of its own, all with the same usage. */
function mergeAnswers(lines: readonly Line[], notes: SessionNote[]): readonly LogMessage[] {
  const merged: { role: unknown; content: string | unknown[]; record: MessageRecord }[] = [];
  const byId = new Map<string, number>();
  for (const { message, record, number } of lines) {
    const { role, id } = message as { readonly role?: unknown; readonly id?: unknown };
    const content = contentOf(message['content'], number, notes);
    const at = typeof id === 'string' && id !== '' ? byId.get(id) : undefined;
    const earlier = at === undefined ? undefined : merged[at];
    if (earlier === undefined) {
      if (typeof id === 'string' && id !== '') byId.set(id, merged.length);
      merged.push({ role, content, record });
    } else {
      earlier.content = joinBlocks(earlier.content, content);
      // The first pieces were written before the answer was complete, with the output counted so far.
      if (record.usage !== undefined) earlier.record = { ...earlier.record, usage: record.usage };
    }
  }
  return merged
    .filter(({ content }) => content.length > 0)
    .map(({ role, content, record }) => ({ wire: { role, content }, record }));
}

function joinBlocks(earlier: string | unknown[], later: string | unknown[]): unknown[] {
  const blocks = [...blocksOf(earlier)];
  const calls = new Set(
    blocks.flatMap((block) => (isRecord(block) && block['type'] === 'tool_use' ? [block['id']] : [])),
  );
  for (const block of blocksOf(later))
    if (!isRecord(block) || block['type'] !== 'tool_use' || !calls.has(block['id'])) blocks.push(block);
  return blocks;
}

function blocksOf(content: string | unknown[]): unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Returns the blocks of a message. A block without a type cannot be sent, so it is left out. */
function contentOf(content: unknown, number: number, notes: SessionNote[]): string | unknown[] {
  if (typeof content === 'string') return content;
  const blocks = recordsOf(content).filter((block) => typeof block['type'] === 'string');
  const lost = Array.isArray(content) ? content.length - blocks.length : 1;
  if (lost > 0) notes.push({ line: number, text: `${counted(lost, 'piece')} of content without a type left out` });
  return [...blocks];
}

function callIdsOf(message: WireRecord): readonly unknown[] {
  return recordsOf(message['content']).flatMap((block) => (block['type'] === 'tool_use' ? [block['id']] : []));
}

function resultIdsOf(message: WireRecord): readonly unknown[] {
  return recordsOf(message['content']).flatMap((block) =>
    block['type'] === 'tool_result' ? [block['tool_use_id']] : [],
  );
}

function usageFrom(value: unknown): SessionUsage | undefined {
  const usage = fieldsOf(value);
  return usageWithCache({
    input: usage['input_tokens'],
    cacheRead: usage['cache_read_input_tokens'],
    cacheWrite: usage['cache_creation_input_tokens'],
    output: usage['output_tokens'],
  });
}
