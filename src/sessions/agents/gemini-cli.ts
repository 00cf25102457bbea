import { type ChatCall, ChatLog } from '../log/chat-log.ts';
import {
  fieldsOf,
  isRecord,
  listOf,
  numberOf,
  recordsOf,
  stringOf,
  timeOf,
  usageOf,
  type WireRecord,
} from '../log/fields.ts';
import type { LogCollector, SessionLog, SessionNote, SessionReader, SessionUsage } from '../reader.ts';

/** `~/.gemini/tmp/<project>/chats/session-*.json` or `.jsonl`; in JSONL, later lines replace, rewind and update earlier ones. */
export const geminiCli: SessionReader = {
  id: 'gemini-cli',
  title: 'a session of Gemini CLI',
  detect: (head) => {
    if (head.type === 'document') return isDocument(head.value);
    return (
      head.type === 'lines' &&
      isOpening(head.values[0]) &&
      (head.values.length === 1 || head.values.slice(1).some(isLine))
    );
  },
  start: () => new GeminiLog(),
};

function isDocument(value: unknown): boolean {
  if (!isRecord(value) || typeof value['sessionId'] !== 'string') return false;
  const [first] = listOf(value['messages']);
  return Array.isArray(value['messages']) && 'startTime' in value
    ? first === undefined || isTyped(first)
    : isTyped(first);
}

function isOpening(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['sessionId'] === 'string' &&
    ('projectHash' in value || 'startTime' in value) &&
    !('uuid' in value)
  );
}

function isLine(value: unknown): boolean {
  return isTyped(value) || isOpening(value) || (isRecord(value) && ('$rewindTo' in value || '$set' in value));
}

function isTyped(value: unknown): boolean {
  return (
    isRecord(value) && typeof value['type'] === 'string' && !('role' in value) && ('content' in value || 'id' in value)
  );
}

class GeminiLog implements LogCollector {
  readonly #notes: SessionNote[] = [];
  #meta: WireRecord = {};
  #messages: WireRecord[] = [];

  add(value: unknown, line: number): void {
    if (!isRecord(value)) {
      this.#notes.push({ line, text: 'not an object, left out' });
      return;
    }
    if ('$rewindTo' in value) {
      this.#rewind(value['$rewindTo']);
      return;
    }
    if (isRecord(value['$set'])) {
      this.#set(value['$set']);
      return;
    }
    if ('sessionId' in value && !('type' in value)) {
      this.#set(value);
      return;
    }
    if (!isTyped(value)) {
      this.#notes.push({ line, text: 'no record of Gemini CLI, left out' });
      return;
    }
    this.#put(value);
  }

  /** Adds a record, or replaces an earlier one with the same id. */
  #put(value: WireRecord): void {
    const at =
      value['id'] === undefined ? -1 : this.#messages.findLastIndex((message) => message['id'] === value['id']);
    if (at < 0) this.#messages.push(value);
    else this.#messages[at] = value;
  }

  #rewind(id: unknown): void {
    const at = this.#messages.findIndex((message) => message['id'] === id);
    // For an unknown id, the client deletes everything.
    this.#messages.length = Math.max(0, at);
  }

  #set(fields: WireRecord): void {
    const { messages, ...meta } = fields as { readonly messages?: unknown };
    this.#meta = { ...this.#meta, ...meta };
    if (Array.isArray(messages)) this.#messages = [...recordsOf(messages)];
  }

  end(): SessionLog {
    const log = new ChatLog();
    log.notes.push(...this.#notes);
    for (const message of this.#messages) writeMessage(message, log);
    return log.end({
      id: stringOf(this.#meta['sessionId']),
      title: stringOf(this.#meta['summary']),
      startedAt: timeOf(this.#meta['startTime']),
      endedAt: timeOf(this.#meta['lastUpdated']),
    });
  }
}

/** Writes a message, with the results that its calls hold. Infos, warnings and errors are only for the screen. */
function writeMessage(message: WireRecord, log: ChatLog): void {
  const timestamp = timeOf(message['timestamp']);
  if (message['type'] === 'user') {
    log.user(contentOf(message['content']), { timestamp });
    return;
  }
  if (message['type'] !== 'gemini') return;
  const calls = recordsOf(message['toolCalls']);
  const thoughts = recordsOf(message['thoughts']).map((thought) =>
    [thought['subject'], thought['description']].filter((text) => typeof text === 'string').join(': '),
  );
  const content = contentOf(message['content']);
  log.assistant(
    {
      text: typeof content === 'string' ? content : partsText(message['content']),
      reasoning: thoughts.join('\n\n'),
      calls: calls.map(callOf),
    },
    { timestamp, model: stringOf(message['model']), usage: usageFrom(message['tokens']) },
  );
  for (const call of calls) {
    const result = resultOf(call);
    if (result !== null)
      log.result(stringOf(call['id']) ?? '', result, { timestamp: timeOf(call['timestamp']) ?? timestamp });
  }
}

function callOf(call: WireRecord): ChatCall {
  return {
    id: stringOf(call['id']) ?? '',
    name: stringOf(call['name']) ?? 'unknown',
    arguments: JSON.stringify(call['args'] ?? {}),
  };
}

/** The result of a call; null while there is none. */
function resultOf(call: WireRecord): string | null {
  const { result, status } = call as { readonly result?: unknown; readonly status?: unknown };
  if (result === undefined || result === null)
    return status === 'cancelled' || status === 'error' ? `[${status}]` : null;
  if (typeof result === 'string') return result;
  const parts = Array.isArray(result) ? recordsOf(result) : recordsOf([result]);
  return parts
    .map((part) => {
      const response = fieldsOf(fieldsOf(part['functionResponse'])['response']);
      return (
        stringOf(part['text']) ??
        stringOf(response['output']) ??
        stringOf(response['error']) ??
        (Object.keys(response).length === 0 ? '' : JSON.stringify(response))
      );
    })
    .join('\n');
}

function contentOf(content: unknown): string | readonly unknown[] {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  if (!parts.some((part) => isRecord(part) && isRecord(part['inlineData']))) return partsText(content);
  return parts.flatMap((part): readonly object[] => {
    const { inlineData, text } = fieldsOf(part) as { readonly inlineData?: unknown; readonly text?: unknown };
    const { mimeType, data } = fieldsOf(inlineData) as { readonly mimeType?: unknown; readonly data?: unknown };
    if (typeof data === 'string')
      return [{ type: 'image_url', image_url: { url: `data:${String(mimeType)};base64,${data}` } }];
    return typeof text === 'string' ? [{ type: 'text', text }] : [];
  });
}

function partsText(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => stringOf(part) ?? stringOf(fieldsOf(part)['text']) ?? []).join('\n');
}

function usageFrom(value: unknown): SessionUsage | undefined {
  const tokens = fieldsOf(value);
  return usageOf({
    inputTokens: numberOf(tokens['input']),
    cachedInputTokens: numberOf(tokens['cached']),
    cacheWriteTokens: 0,
    outputTokens: numberOf(tokens['output']) + numberOf(tokens['thoughts']),
  });
}
