import { ChatLog } from '../log/chat-log.ts';
import {
  argumentsText,
  fieldsOf,
  isRecord,
  listOf,
  parseJson,
  recordsOf,
  stringOf,
  timeOf,
  type WireRecord,
} from '../log/fields.ts';
import type {
  ListedSession,
  LogCollector,
  ReaderOptions,
  SessionDatabase,
  SessionLog,
  SessionReader,
} from '../reader.ts';

/** `~/.hermes/state.db`; older versions wrote `sessions/*.jsonl`, one chat message per line, and `session_<id>.json`. */
export const hermes: SessionReader = {
  id: 'hermes',
  title: 'a session of Hermes',
  detect: (head) => {
    if (head.type === 'database') return ['sessions', 'messages'].every((table) => head.tables.includes(table));
    if (head.type === 'lines') return head.values.some((value) => fieldsOf(value)['role'] === 'session_meta');
    return head.type === 'document' && isSnapshot(head.value);
  },
  start: () => startLog(),
  database: { read: readDatabase, list: listDatabase },
};

function isSnapshot(value: unknown): boolean {
  return (
    isRecord(value) &&
    Array.isArray(value['messages']) &&
    typeof value['session_id'] === 'string' &&
    ('system_prompt' in value || 'message_count' in value)
  );
}

function startLog(): LogCollector {
  const log = new ChatLog();
  let meta: WireRecord = {};
  const add = (value: unknown, line: number): void => {
    if (!isRecord(value)) {
      log.notes.push({ line, text: 'not an object, left out' });
      return;
    }
    if (Array.isArray(value['messages']) && !('role' in value)) {
      meta = value;
      log.system(stringOf(value['system_prompt']) ?? '');
      for (const message of recordsOf(value['messages'])) add(message, line);
    } else if (value['role'] === 'session_meta') meta = value;
    else if (!writeRow(value, log)) log.notes.push({ line, text: 'no message, left out' });
  };
  return {
    add,
    end: () => {
      const model = stringOf(meta['model']);
      return log.end({
        id: stringOf(meta['session_id']),
        startedAt: timeOf(meta['session_start']) ?? timeOf(meta['timestamp']),
        models: model === undefined ? [] : [model],
      });
    },
  };
}

/** Writes a table row or a log line, which hold the same fields; the table holds lists as JSON text. False when it is no message. */
function writeRow(row: WireRecord, log: ChatLog): boolean {
  const { role } = row as { readonly role?: unknown };
  const content = contentOf(row['content']);
  const isSummary = typeof content === 'string' && SUMMARY.test(content) ? true : undefined;
  const record = { timestamp: timeOf(row['timestamp']), isSummary };
  switch (role) {
    case 'system':
    case 'developer':
      log.system(typeof content === 'string' ? content : '', record);
      return true;
    case 'user':
      log.user(content, record);
      return true;
    case 'tool':
      log.result(stringOf(row['tool_call_id']) ?? '', content, record);
      return true;
    case 'assistant': {
      const reasoning = stringOf(row['reasoning_content']) ?? stringOf(row['reasoning']) ?? '';
      const calls = listOf(jsonField(row['tool_calls'])).filter(isRecord);
      if (content.length === 0 && reasoning === '' && calls.length === 0) return true;
      log.add(
        {
          role,
          content: content.length === 0 ? null : content,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
        },
        { ...record, model: stringOf(row['model']) },
      );
      return true;
    }
    default:
      return false;
  }
}

function callOf(call: WireRecord): WireRecord {
  const body = fieldsOf(call['function']);
  const name = stringOf(body['name']) ?? stringOf(call['name']) ?? 'unknown';
  const id = stringOf(call['id']) ?? stringOf(call['call_id']) ?? '';
  return {
    id,
    type: 'function',
    function: { name, arguments: argumentsText(body['arguments'] ?? call['arguments']) },
  };
}

/** Summaries of its compactions begin this way. */
const SUMMARY = /^\s*\[CONTEXT (?:COMPACTION|SUMMARY)\b/;
const JSON_MARK = '\0json:';

/** Content in parts is marked as JSON; anything else is text. */
function contentOf(content: unknown): string | readonly unknown[] {
  if (Array.isArray(content)) return content;
  if (typeof content !== 'string') return '';
  if (!content.startsWith(JSON_MARK)) return content;
  const value = jsonField(content.slice(JSON_MARK.length));
  return Array.isArray(value) ? value : content.slice(JSON_MARK.length);
}

function jsonField(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : value;
}

function listDatabase(database: SessionDatabase): readonly ListedSession[] {
  const columns = database.columns('sessions');
  const has = (name: string): boolean => columns.includes(name);
  const time = has('ended_at') ? 'COALESCE(s.ended_at, s.started_at)' : has('started_at') ? 's.started_at' : 'NULL';
  // A compacted session continues in its child, and the child leads back to it.
  const conditions = [
    ...(has('archived') ? ['COALESCE(s.archived, 0) = 0'] : []),
    ...(has('parent_session_id') && has('end_reason')
      ? ["NOT (s.end_reason = 'compression' AND EXISTS (SELECT 1 FROM sessions c WHERE c.parent_session_id = s.id))"]
      : []),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const last = database.columns('messages').includes('timestamp')
    ? '(SELECT MAX(m.timestamp) FROM messages m WHERE m.session_id = s.id)'
    : 'NULL';
  const sql = `SELECT s.id AS id, COALESCE(${last}, ${time}) AS updated FROM sessions s ${where} ORDER BY updated DESC, s.rowid DESC`;
  return [...database.rows(sql)].map((row) => {
    const updatedAt = timeOf(row['updated']);
    return { id: String(row['id']), ...(updatedAt === undefined ? {} : { updatedAt }) };
  });
}

function readDatabase(database: SessionDatabase, options: ReaderOptions): SessionLog {
  const tip = options.session ?? listDatabase(database)[0]?.id ?? '';
  const lineage = lineageOf(database, tip);
  const sessions = options.sinceCompaction === true ? lineage.slice(-1) : lineage;
  const info = lineage.at(-1) ?? {};
  const log = new ChatLog();
  log.system(stringOf(info['system_prompt']) ?? '');
  const rows = sessions.flatMap((session) =>
    rowsOf(database, String(session['id']), options).map((row): WireRecord => ({ model: session['model'], ...row })),
  );
  const archived = rows.some(isArchived);
  const compactions = lineage.length - 1 + (archived ? 1 : 0);
  for (const row of compactions === 0 ? rows : withoutCopies(rows))
    if (row['role'] !== 'session_meta') writeRow(row, log);
  return log.end({
    id: stringOf(info['id']),
    title: stringOf(info['title']),
    startedAt: timeOf(lineage[0]?.['started_at']),
    endedAt: timeOf(info['ended_at']),
    compactions,
  });
}

/** Lists a session and the earlier sessions that it continues after compactions, oldest first. */
function lineageOf(database: SessionDatabase, tip: string): readonly WireRecord[] {
  const lineage: WireRecord[] = [];
  const seen = new Set<unknown>();
  for (let id: unknown = tip; typeof id === 'string' && !seen.has(id); ) {
    seen.add(id);
    const [session]: readonly WireRecord[] = [...database.rows('SELECT * FROM sessions WHERE id = ?', id)];
    if (session === undefined || (lineage.length > 0 && session['end_reason'] !== 'compression')) break;
    lineage.unshift(session);
    id = session['parent_session_id'];
  }
  return lineage;
}

/** Reads the rows of a session. Rewound rows are neither active nor compacted; compacted rows are the originals behind a summary. */
function rowsOf(database: SessionDatabase, id: string, options: ReaderOptions): readonly WireRecord[] {
  const columns = database.columns('messages');
  const original = columns.includes('compacted') && options.sinceCompaction !== true ? ' OR compacted = 1' : '';
  const active = columns.includes('active') ? `AND (active = 1${original})` : '';
  const sql = `SELECT *, CAST(content AS BLOB) AS content_bytes FROM messages WHERE session_id = ? ${active} ORDER BY id`;
  return [...database.rows(sql, id)].map(withWholeContent);
}

/** Reads structured content from its bytes. It begins with a NUL, at which Node 22 would end the text. */
function withWholeContent({ content_bytes: bytes, ...row }: WireRecord): WireRecord {
  return bytes instanceof Uint8Array ? { ...row, content: new TextDecoder().decode(bytes) } : row;
}

/** Says whether a compaction in place archived a row. The rows that replace it are next to it. */
function isArchived(row: WireRecord): boolean {
  return row['compacted'] === 1 && row['active'] === 0;
}

/** Within this many rows after a compaction, a single repeated row counts as a copy: the task, and the summary before or after it. */
const NEAR = 3;
/** Text of this many characters is never repeated by chance. */
const LONG = 200;

/**
 * Drops copies. A compaction archives every row, or starts another session, and writes the rows that it kept a second time, around its summary. Ids
 * identify calls and results, long text identifies itself, and short text, which people do repeat, is identified by its place.
 */
function withoutCopies(rows: readonly WireRecord[]): readonly WireRecord[] {
  const said = new Set<string>();
  const isRepeated = rows.map((row) => {
    const key = keyOf(row);
    const isSaid = said.has(key);
    said.add(key);
    return isSaid;
  });
  let start = -1;
  return rows.filter((row, index) => {
    const before = rows[index - 1];
    if (
      before !== undefined &&
      (before['session_id'] !== row['session_id'] || (isArchived(before) && !isArchived(row)))
    )
      start = index;
    if (isRepeated[index] !== true) return true;
    const isNear = start >= 0 && index - start < NEAR;
    const isInRun = isRepeated[index - 1] === true || isRepeated[index + 1] === true;
    return !(hasIds(row) || isInRun || isNear || String(row['content'] ?? '').length >= LONG);
  });
}

function hasIds(row: WireRecord): boolean {
  return stringOf(row['tool_call_id']) !== undefined || stringOf(row['tool_calls']) !== undefined;
}

/** Returns the key of a row. A copy may lack the output, so ids alone identify the original. */
function keyOf(row: WireRecord): string {
  if (hasIds(row)) return JSON.stringify([row['role'], row['tool_call_id'], row['tool_calls']]);
  return JSON.stringify([row['role'], row['content']]);
}
