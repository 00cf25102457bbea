import { type ChatCall, ChatLog, type LooseRecord } from '../log/chat-log.ts';
import {
  contentText,
  counted,
  fieldsOf,
  isRecord,
  recordsOf,
  stringOf,
  timeOf,
  usageWithCache,
  type WireRecord,
} from '../log/fields.ts';
import type { LogCollector, ReaderOptions, SessionLog, SessionNote, SessionReader, SessionUsage } from '../reader.ts';

/** `~/.pi/agent/sessions/…/<time>_<id>.jsonl`: a header, then a tree of entries by `id` and `parentId`; the oldest files are a plain list. */
export const pi: SessionReader = {
  id: 'pi',
  title: 'a log of pi',
  detect: (head) => head.type === 'lines' && head.values.some(isHeader),
  start: (options) => new PiLog(options),
};

function isHeader(value: unknown): boolean {
  return (
    isRecord(value) &&
    value['type'] === 'session' &&
    !('role' in value) &&
    ('cwd' in value || 'version' in value || 'modelId' in value || 'id' in value)
  );
}

interface Entry {
  readonly id: string;
  readonly parent: string | null;
  readonly value: WireRecord;
}

/** Types of entries that are needed to write the messages. */
const KEPT: ReadonlySet<unknown> = new Set([
  'message',
  'compaction',
  'branch_summary',
  'custom_message',
  'context_edit',
]);

class PiLog implements LogCollector {
  readonly #options: ReaderOptions;
  readonly #entries: Entry[] = [];
  readonly #parents = new Map<string, string | null>();
  readonly #notes: SessionNote[] = [];
  #header: WireRecord = {};
  #title: string | undefined;
  #index = 0;
  #last: string | null = null;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  add(value: unknown, line: number): void {
    if (!isRecord(value)) {
      this.#notes.push({ line, text: 'not an object, left out' });
      return;
    }
    const { type } = value as { readonly type?: unknown };
    if (type === 'session') {
      this.#header = value;
      return;
    }
    if (type === 'session_info') this.#title = stringOf(value['name']) ?? stringOf(value['title']) ?? this.#title;
    const id = stringOf(value['id']) ?? `entry ${this.#index}`;
    this.#index += 1;
    if (this.#parents.has(id)) {
      this.#notes.push({ line, text: 'repeats the id of an earlier entry, left out' });
      return;
    }
    const parent = this.#parentOf(value, line);
    this.#parents.set(id, parent);
    this.#last = id;
    if (KEPT.has(type)) this.#entries.push({ id, parent, value });
  }

  #parentOf(value: WireRecord, line: number): string | null {
    const named = value['parentId'];
    // Without a tree, every entry follows the one before it.
    if (named === undefined) return this.#last;
    if (named === null) return null;
    if (typeof named === 'string' && this.#parents.has(named)) return named;
    this.#notes.push({ line, text: 'its parent is not in the log; it is taken to follow the entry before it' });
    return this.#last;
  }

  end(): SessionLog {
    const path = this.#activePath();
    const left = this.#entries.length - path.length;
    if (left > 0)
      this.#notes.push({ text: `${counted(left, 'entry', 'entries')} of branches that were given up left out` });
    const compactions = path.filter(({ value }) => value['type'] === 'compaction').length;
    const log = new ChatLog();
    log.notes.push(...this.#notes);
    const edits = contextEdits(path);
    for (const entry of this.#options.sinceCompaction === true ? sinceCompaction(path) : path) {
      const edited = edits.get(entry.id);
      if (edited === null) continue;
      writeEntry(
        isRecord(edited) && this.#options.sinceCompaction === true ? { ...entry.value, message: edited } : entry.value,
        log,
      );
    }
    return log.end({
      id: stringOf(this.#header['id']),
      cwd: stringOf(this.#header['cwd']),
      title: this.#title,
      startedAt: timeOf(this.#header['timestamp']),
      compactions,
    });
  }

  /** Returns the path from the root to the newest entry: the branch that pi shows when the session is opened again. */
  #activePath(): readonly Entry[] {
    const path = new Set<string>();
    for (let at = this.#last; at !== null && !path.has(at); at = this.#parents.get(at) ?? null) path.add(at);
    return this.#entries.filter((entry) => path.has(entry.id));
  }
}

/** The part that the model saw: the newest summary, the entries it kept, and everything after it. */
function sinceCompaction(path: readonly Entry[]): readonly Entry[] {
  const at = path.findLastIndex(({ value }) => value['type'] === 'compaction');
  const compaction = path[at];
  if (compaction === undefined) return path;
  const first = compaction.value['firstKeptEntryId'] ?? compaction.value['firstKeptEntryIndex'];
  // The oldest files count entries instead, including the header.
  const from =
    typeof first === 'number'
      ? path.findIndex((entry) => entry.id === `entry ${first - 1}`)
      : path.findIndex((entry) => entry.id === first);
  const kept = from < 0 || from >= at ? [] : path.slice(from, at).filter(({ value }) => value['type'] !== 'compaction');
  return [compaction, ...kept, ...path.slice(at + 1)];
}

/** The newest edit of each entry: another message, or null for a removed entry. */
function contextEdits(path: readonly Entry[]): ReadonlyMap<unknown, unknown> {
  const edits = path.filter(({ value }) => value['type'] === 'context_edit');
  return new Map(edits.map(({ value }) => [value['targetId'], value['replacement'] ?? null]));
}

function writeEntry(value: WireRecord, log: ChatLog): void {
  const timestamp = timeOf(value['timestamp']);
  switch (value['type']) {
    case 'message':
      writeMessage(fieldsOf(value['message']), log, timestamp);
      break;
    case 'compaction':
    case 'branch_summary':
      log.user(stringOf(value['summary']) ?? '', { timestamp, isSummary: true });
      break;
    case 'custom_message':
      log.user(contentOf(value['content']), { timestamp });
      break;
  }
}

function writeMessage(message: WireRecord, log: ChatLog, outer: string | undefined): void {
  const timestamp = outer ?? timeOf(message['timestamp']);
  switch (message['role']) {
    case 'system':
      log.system(systemText(message), { timestamp });
      break;
    case 'assistant':
      writeAnswer(message, log, {
        timestamp,
        model: stringOf(message['model']),
        usage: usageFrom(message['usage']),
      });
      break;
    case 'toolResult':
      log.result(stringOf(message['toolCallId']) ?? '', contentOf(message['content']), { timestamp });
      break;
    case 'bashExecution':
      // The user kept this command from the model.
      if (message['excludeFromContext'] === true) break;
      log.user(bashText(message), { timestamp });
      break;
    default:
      log.user(contentOf(message['content']), { timestamp });
      break;
  }
}

function writeAnswer(message: WireRecord, log: ChatLog, record: LooseRecord): void {
  const blocks = recordsOf(message['content']);
  const texts = (type: string, key: string): string =>
    blocks.flatMap((block) => (block['type'] === type ? (stringOf(block[key]) ?? []) : [])).join('\n\n');
  const calls = blocks.flatMap((block): readonly ChatCall[] =>
    block['type'] === 'toolCall'
      ? [
          {
            id: stringOf(block['id']) ?? '',
            name: stringOf(block['name']) ?? 'unknown',
            arguments: JSON.stringify(block['arguments'] ?? {}),
          },
        ]
      : [],
  );
  const text = typeof message['content'] === 'string' ? message['content'] : texts('text', 'text');
  log.assistant({ text, reasoning: texts('thinking', 'thinking'), calls }, record);
}

/** Text as a string, or chat parts when there are images. */
function contentOf(content: unknown): string | readonly unknown[] {
  if (typeof content === 'string') return content;
  const blocks = recordsOf(content);
  if (!blocks.some((block) => block['type'] === 'image')) return contentText(content);
  return blocks.flatMap((block): readonly object[] => {
    if (block['type'] === 'image') {
      const url = `data:${stringOf(block['mimeType']) ?? 'image/png'};base64,${stringOf(block['data']) ?? ''}`;
      return [{ type: 'image_url', image_url: { url } }];
    }
    const text = stringOf(block['text']);
    return text === undefined ? [] : [{ type: 'text', text }];
  });
}

/** pi writes the prompt as patches: text sections by name. */
function systemText(message: WireRecord): string {
  const { content, sections } = message as { readonly content?: unknown; readonly sections?: unknown };
  const text = contentOf(content);
  if (typeof text === 'string' && text !== '') return text;
  const parts = Array.isArray(sections) ? sections : Object.values(fieldsOf(sections));
  return parts
    .flatMap((part) => stringOf(part) ?? stringOf(fieldsOf(part)['text']) ?? stringOf(fieldsOf(part)['content']) ?? [])
    .join('\n\n');
}

function bashText(message: WireRecord): string {
  const command = stringOf(message['command']) ?? '';
  const output = stringOf(message['output']) ?? '';
  return `Ran \`${command}\`\n\`\`\`\n${output}\n\`\`\``;
}

function usageFrom(usage: unknown): SessionUsage | undefined {
  const { input, cacheRead, cacheWrite, output } = fieldsOf(usage) as { readonly [key: string]: unknown };
  return usageWithCache({ input, cacheRead, cacheWrite, output });
}
