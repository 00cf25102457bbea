import { type ChatCall, ChatLog } from '../log/chat-log.ts';
import { collectDocument } from '../log/document-log.ts';
import {
  fieldsOf,
  isRecord,
  numberOf,
  parseJson,
  recordsOf,
  stringOf,
  timeOf,
  usageWithCache,
  type WireRecord,
} from '../log/fields.ts';
import type {
  ListedSession,
  ReaderOptions,
  SessionDatabase,
  SessionLog,
  SessionReader,
  SessionUsage,
} from '../reader.ts';

/** `opencode export`, and the database `~/.local/share/opencode/opencode.db`, which holds the same messages and parts as JSON. */
export const opencode: SessionReader = {
  id: 'opencode',
  title: 'a session of OpenCode',
  detect: (head) => {
    if (head.type === 'database') return ['session', 'message', 'part'].every((table) => head.tables.includes(table));
    return head.type === 'document' && isExport(head.value);
  },
  start: (options) => collectDocument((document) => readExport(fieldsOf(document), options)),
  database: { read: readDatabase, list: listDatabase },
};

/** True for the file in which OpenCode before 1.2 describes a session; messages and parts are in other folders. */
export function isStoredSession(value: unknown): boolean {
  const { id, directory, messages } = fieldsOf(value) as {
    readonly id?: unknown;
    readonly directory?: unknown;
    readonly messages?: unknown;
  };
  return typeof id === 'string' && id.startsWith('ses') && typeof directory === 'string' && messages === undefined;
}

function isExport(value: unknown): boolean {
  const { messages } = fieldsOf(value) as { readonly messages?: unknown };
  const [first] = recordsOf(messages);
  return first !== undefined && isRecord(first['info']) && Array.isArray(first['parts']);
}

function readExport(root: WireRecord, options: ReaderOptions): SessionLog {
  const messages = recordsOf(root['messages']).map((each) => ({
    info: fieldsOf(each['info']),
    parts: recordsOf(each['parts']),
  }));
  return logOf(fieldsOf(root['info']), messages, options);
}

interface StoredMessage {
  readonly info: WireRecord;
  readonly parts: readonly WireRecord[];
}

function listDatabase(database: SessionDatabase): readonly ListedSession[] {
  const columns = database.columns('session');
  const updated = columns.includes('time_updated') ? 'time_updated' : 'NULL';
  // Sessions with a parent belong to subagents.
  const conditions = ['time_archived', 'parent_id']
    .filter((name) => columns.includes(name))
    .map((name) => `${name} IS NULL`);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return [
    ...database.rows(`SELECT id, ${updated} AS updated FROM session ${where} ORDER BY updated DESC, id DESC`),
  ].map((row) => {
    const updatedAt = timeOf(row['updated']);
    return { id: String(row['id']), ...(updatedAt === undefined ? {} : { updatedAt }) };
  });
}

function readDatabase(database: SessionDatabase, options: ReaderOptions): SessionLog {
  const id = options.session ?? listDatabase(database)[0]?.id ?? '';
  const [session] = [...database.rows('SELECT * FROM session WHERE id = ?', id)];
  const parts = new Map<unknown, WireRecord[]>();
  for (const row of database.rows('SELECT * FROM part WHERE session_id = ? ORDER BY id', id)) {
    const list = parts.get(row['message_id']) ?? [];
    list.push({ ...dataOf(row), id: row['id'] });
    parts.set(row['message_id'], list);
  }
  const messages = [...database.rows('SELECT * FROM message WHERE session_id = ?', id)].map((row) => ({
    info: { ...dataOf(row), id: row['id'], created: row['time_created'] },
    parts: parts.get(row['id']) ?? [],
  }));
  const {
    directory,
    title,
    time_created: created,
  } = fieldsOf(session) as { readonly directory?: unknown; readonly title?: unknown; readonly time_created?: unknown };
  return logOf({ id, directory, title, time: { created } }, messages, options);
}

function dataOf({ data }: WireRecord): WireRecord {
  return fieldsOf(typeof data === 'string' ? parseJson(data) : data);
}

function logOf(info: WireRecord, stored: readonly StoredMessage[], options: ReaderOptions): SessionLog {
  const log = new ChatLog();
  const ordered = stored.toSorted((one, other) => createdAt(one) - createdAt(other) || compareIds(one, other));
  const compactions = ordered.filter(isSummary);
  for (const message of options.sinceCompaction === true ? sinceCompaction(ordered) : ordered) {
    if (message.info['role'] === 'assistant') writeAnswer(message, log, options);
    else log.user(userContent(message), { timestamp: timeOf(fieldsOf(message.info['time'])['created']) });
  }
  return log.end({
    id: stringOf(info['id']),
    title: stringOf(info['title']),
    cwd: stringOf(info['directory']),
    startedAt: timeOf(fieldsOf(info['time'])['created']),
    endedAt: timeOf(fieldsOf(info['time'])['updated']),
    compactions: compactions.length,
  });
}

function createdAt({ info }: StoredMessage): number {
  return numberOf(fieldsOf(info['time'])['created'] ?? info['created']);
}

function compareIds({ info: one }: StoredMessage, { info: other }: StoredMessage): number {
  return String(one['id']) < String(other['id']) ? -1 : 1;
}

/** True for a finished summary; a failed one replaced nothing. */
function isSummary({ info }: StoredMessage): boolean {
  return info['role'] === 'assistant' && info['summary'] === true && !isRecord(info['error']);
}

/** Lists the summary of the newest compaction, the tail it kept, and everything after it. */
function sinceCompaction(ordered: readonly StoredMessage[]): readonly StoredMessage[] {
  const at = ordered.findLastIndex(isSummary);
  const summary = ordered[at];
  if (summary === undefined) return ordered;
  const asked = ordered.findIndex(({ info }) => info['id'] === summary.info['parentID']);
  const mark = ordered[asked]?.parts.find((part) => part['type'] === 'compaction');
  const tail = ordered.findIndex(({ info }) => info['id'] !== undefined && info['id'] === mark?.['tail_start_id']);
  const kept = tail < 0 ? [] : ordered.slice(tail, asked < 0 ? at : asked);
  return [summary, ...kept, ...ordered.slice(at + 1)];
}

function userContent({ parts }: StoredMessage): string | readonly unknown[] {
  const content = parts.flatMap((part): readonly { readonly type: string; readonly text?: string }[] => {
    const text = stringOf(part['text']);
    if (part['type'] === 'text' && text !== undefined) return [{ type: 'text', text }];
    const url = stringOf(part['url']);
    if (part['type'] === 'file' && url?.startsWith('data:image/') === true)
      return [{ type: 'image_url', image_url: { url } } as { readonly type: string }];
    if (part['type'] === 'subtask')
      return [{ type: 'text', text: stringOf(part['prompt']) ?? stringOf(part['description']) ?? '' }];
    return [];
  });
  return content.every((part) => part.text !== undefined) ? content.map((part) => part.text).join('\n\n') : content;
}

/** Writes an answer. The log holds a call and its result as one part; chat needs two messages. A message may hold several steps, each of them a request. */
function writeAnswer({ info, parts }: StoredMessage, log: ChatLog, options: ReaderOptions): void {
  const time = fieldsOf(info['time']);
  const record = {
    timestamp: timeOf(time['created']),
    model: stringOf(info['modelID']),
    isSummary: info['summary'] === true ? true : undefined,
  };
  const steps: WireRecord[][] = [[]];
  for (const part of parts) {
    if (part['type'] === 'step-start' && (steps.at(-1)?.length ?? 0) > 0) steps.push([]);
    else steps.at(-1)?.push(part);
  }
  const usages = steps.map((step) => usageFrom(step.find((part) => part['type'] === 'step-finish')?.['tokens']));
  steps.forEach((step, index) => {
    const text = (type: string): string =>
      step.flatMap((part) => (part['type'] === type ? (stringOf(part['text']) ?? []) : [])).join('\n\n');
    const tools = step.filter((part) => part['type'] === 'tool');
    const usage = usages[index] ?? (steps.length === 1 ? usageFrom(info['tokens']) : undefined);
    log.assistant({ text: text('text'), reasoning: text('reasoning'), calls: tools.map(callOf) }, { ...record, usage });
    for (const tool of tools) writeResult(tool, log, options);
  });
}

function callOf(tool: WireRecord): ChatCall {
  return {
    id: idOf(tool),
    name: stringOf(tool['tool']) ?? 'unknown',
    arguments: JSON.stringify(fieldsOf(tool['state'])['input'] ?? {}),
  };
}

function idOf(tool: WireRecord): string {
  return stringOf(tool['callID']) ?? stringOf(tool['id']) ?? '';
}

function writeResult(tool: WireRecord, log: ChatLog, options: ReaderOptions): void {
  const state = fieldsOf(tool['state']);
  const time = fieldsOf(state['time']);
  const isCleared = options.sinceCompaction === true && time['compacted'] !== undefined;
  const output = isCleared
    ? '[Old tool result content cleared]'
    : (stringOf(state['output']) ?? stringOf(state['error']));
  // A call in flight: still running, or never run.
  if (output === undefined && state['status'] !== 'completed' && state['status'] !== 'error') return;
  log.result(idOf(tool), output ?? '', { timestamp: timeOf(time['end']) });
}

function usageFrom(tokens: unknown): SessionUsage | undefined {
  const { input, output, reasoning, cache } = fieldsOf(tokens) as { readonly [key: string]: unknown };
  const { read: cacheRead, write: cacheWrite } = fieldsOf(cache) as { readonly [key: string]: unknown };
  return usageWithCache({ input, cacheRead, cacheWrite, output: numberOf(output) + numberOf(reasoning) });
}
