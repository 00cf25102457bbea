import type { LogCollector, ReaderOptions, SessionLog, SessionNote, SessionReader, SessionUsage } from '../reader.ts';
import { type ChatCall, ChatLog } from './chat-log.ts';
import {
  counted,
  fieldsOf,
  isRecord,
  numberOf,
  recordsOf,
  stringOf,
  timeOf,
  usageOf,
  type WireRecord,
} from './fields.ts';

/** `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`: items of the Responses API in an envelope, beside events for display. */
export const codex: SessionReader = {
  id: 'codex',
  title: 'a log of Codex',
  // Most lines are enough: a log may hold a line that something else wrote.
  detect: (head) => head.type === 'lines' && head.values.filter(isCodexLine).length * 2 > head.values.length,
  start: (options) => new CodexLog(options),
};

function isCodexLine(value: unknown): boolean {
  if (!isRecord(value) || typeof value['type'] !== 'string' || 'uuid' in value) return false;
  return 'timestamp' in value && isRecord(value['payload']);
}

/** An item with what the log says about it. */
interface Item {
  readonly item: WireRecord;
  readonly timestamp?: string | undefined;
  readonly model?: string | undefined;
  readonly isSummary?: boolean;
  usage?: SessionUsage | undefined;
}

class CodexLog implements LogCollector {
  readonly #options: ReaderOptions;
  readonly #notes: SessionNote[] = [];
  #items: Item[] = [];
  #model: string | undefined;
  #meta: WireRecord = {};
  #instructions = '';
  #compactions = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  add(value: unknown, line: number): void {
    const { type, payload } = fieldsOf(value) as { readonly type?: unknown; readonly payload?: unknown };
    if (!isRecord(payload)) {
      this.#notes.push({ line, text: 'no line of Codex, left out' });
      return;
    }
    const timestamp = timeOf(fieldsOf(value)['timestamp']);
    switch (type) {
      case 'session_meta':
        // A forked session repeats the opening line of its parent.
        if (this.#meta['id'] === undefined) this.#meta = payload;
        this.#instructions ||=
          stringOf(fieldsOf(payload['base_instructions'])['text']) ?? stringOf(payload['instructions']) ?? '';
        return;
      case 'turn_context':
        this.#model = stringOf(payload['model']) ?? this.#model;
        return;
      case 'response_item':
        this.#items.push({ item: withoutSecrets(payload), timestamp, model: this.#model });
        return;
      case 'compacted':
        this.#compact(payload, timestamp);
        return;
      case 'event_msg':
        this.#event(payload);
    }
  }

  #event(payload: WireRecord): void {
    if (payload['type'] === 'token_count') {
      const usage = usageFrom(fieldsOf(fieldsOf(payload['info'])['last_token_usage']));
      const last = this.#items.findLast(({ item }) => isAnswer(item));
      if (usage !== undefined && last !== undefined) last.usage = usage;
    } else if (payload['type'] === 'thread_rolled_back') this.#rollBack(numberOf(payload['num_turns']));
  }

  /** The user took back so many turns; nobody sees them any more. */
  #rollBack(turns: number): void {
    for (let left = turns; left > 0; left--) {
      const from = this.#items.findLastIndex(({ item }) => item['role'] === 'user' && !isScaffolding(textOfItem(item)));
      if (from < 0) break;
      this.#items.length = from;
    }
    if (turns > 0) this.#notes.push({ text: `${counted(turns, 'turn')} that the user took back left out` });
  }

  /** What a compaction put in place of the history. All of it was said before, but for a summary, which is the last thing the user says. */
  #compact(payload: WireRecord, timestamp: string | undefined): void {
    this.#compactions += 1;
    const replacement = Array.isArray(payload['replacement_history'])
      ? recordsOf(payload['replacement_history'])
      : null;
    const message = stringOf(payload['message']);
    const summary = message === undefined ? [] : [{ item: userItem(message), timestamp, isSummary: true }];
    if (this.#options.sinceCompaction === true) {
      const users = this.#items.filter(({ item }) => item['role'] === 'user');
      // Older versions kept what the user said, and their summary after it.
      this.#items =
        replacement === null
          ? [...users, ...summary]
          : replacement.map((item) => ({ item: withoutSecrets(item), timestamp }));
      return;
    }
    const last = replacement?.findLast((item) => item['role'] === 'user');
    const text = last === undefined ? '' : textOfItem(last);
    const isSaid = text === '' || isScaffolding(text) || this.#items.some(({ item }) => textOfItem(item) === text);
    if (message !== undefined) this.#items.push(...summary);
    else if (last !== undefined && !isSaid) this.#items.push({ item: last, timestamp, isSummary: true });
  }

  end(): SessionLog {
    const log = new ChatLog();
    log.notes.push(...this.#notes);
    log.system(this.#instructions);
    writeItems(this.#items, log);
    return log.end({
      id: stringOf(this.#meta['id']),
      cwd: stringOf(this.#meta['cwd']),
      startedAt: timeOf(this.#meta['timestamp']),
      compactions: this.#compactions,
    });
  }
}

/** One answer that is being put together from items. */
interface Pending {
  text: string;
  reasoning: string;
  calls: ChatCall[];
  item: Item;
}

/** Items become chat messages: reasoning, text and calls up to the next result or user message are one answer. */
function writeItems(items: readonly Item[], log: ChatLog): void {
  let pending: Pending | null = null;
  let made = 0;
  const flush = (): void => {
    if (pending === null) return;
    const { timestamp, model, usage } = pending.item;
    log.assistant(pending, { timestamp, model, usage });
    pending = null;
  };
  const answer = (item: Item): Pending => {
    // Usage is written when a request ends; what comes after it is another one.
    if (pending !== null && pending.item.usage !== undefined && pending.calls.length === 0) flush();
    pending ??= { text: '', reasoning: '', calls: [], item };
    if (item.usage !== undefined) pending.item = { ...pending.item, usage: item.usage };
    return pending;
  };
  for (const each of items) {
    const { item, timestamp, isSummary } = each;
    switch (item['type']) {
      case 'message': {
        const text = textOfItem(item);
        if (item['role'] === 'assistant') {
          // A second text is a second message, unless calls are open: their results come right after them.
          const open = pending as Pending | null;
          if (open !== null && open.calls.length === 0 && open.text !== '') flush();
          const into = answer(each);
          into.text += into.text === '' ? text : `\n\n${text}`;
          break;
        }
        flush();
        if (item['role'] === 'user') log.user(contentOfItem(item), { timestamp, isSummary });
        else log.system(text, { timestamp });
        break;
      }
      case 'reasoning': {
        const text = reasoningText(item);
        if (text !== '') {
          const into = answer(each);
          into.reasoning += into.reasoning === '' ? text : `\n\n${text}`;
        }
        break;
      }
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call':
        answer(each).calls.push(callOf(item, () => `call_${++made}`));
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        flush();
        log.result(stringOf(item['call_id']) ?? '', outputOf(item['output']), { timestamp });
        break;
      case 'web_search_call':
      case 'image_generation_call': {
        // The provider ran it, and the log holds no result.
        const id = stringOf(item['call_id']) ?? stringOf(item['id']) ?? `provider_${++made}`;
        const name = String(item['type']).replace('_call', '');
        answer(each).calls.push({ id, name, arguments: JSON.stringify(item['action'] ?? {}) });
        flush();
        log.result(id, '[run by the provider; its result is not in the log]', { timestamp });
      }
    }
  }
  flush();
}

function callOf(item: WireRecord, makeId: () => string): ChatCall {
  const input = item['arguments'] ?? item['input'] ?? item['action'];
  return {
    id: stringOf(item['call_id']) ?? stringOf(item['id']) ?? makeId(),
    name: stringOf(item['name']) ?? String(item['type']).replace('_call', ''),
    arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    isCustom: item['type'] === 'custom_tool_call',
  };
}

/** Text, or content parts; older versions wrap the text in `{content, success}`. */
function outputOf(output: unknown): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output))
    return recordsOf(output)
      .map((part) => stringOf(part['text']) ?? `[${String(part['type'])}]`)
      .join('\n');
  if (isRecord(output)) return stringOf(output['content']) ?? JSON.stringify(output);
  return '';
}

function contentOfItem(item: WireRecord): string | readonly unknown[] {
  const parts = recordsOf(item['content']);
  if (!parts.some((part) => part['type'] === 'input_image')) return textOfItem(item);
  return parts.flatMap((part): readonly object[] => {
    const url = stringOf(part['image_url']);
    if (url !== undefined) return [{ type: 'image_url', image_url: { url } }];
    const text = stringOf(part['text']);
    return text === undefined ? [] : [{ type: 'text', text }];
  });
}

function textOfItem(item: WireRecord): string {
  if (typeof item['content'] === 'string') return item['content'];
  return recordsOf(item['content'])
    .flatMap((part) => stringOf(part['text']) ?? [])
    .join('\n');
}

function reasoningText(item: WireRecord): string {
  const pieces = [...recordsOf(item['summary']), ...recordsOf(item['content'])];
  return pieces.flatMap((piece) => stringOf(piece['text']) ?? []).join('\n\n');
}

/** Encrypted reasoning is long, and no use outside its own API. */
function withoutSecrets(item: WireRecord): WireRecord {
  if (!('encrypted_content' in item)) return item;
  const { encrypted_content: _, ...rest } = item as { readonly encrypted_content?: unknown };
  return rest;
}

function userItem(text: string): WireRecord {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

/** User items that the client wrote itself. */
function isScaffolding(text: string): boolean {
  return /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted|user_shell_command)|# AGENTS\.md instructions)/.test(
    text,
  );
}

function isAnswer(item: WireRecord): boolean {
  return (
    item['role'] === 'assistant' ||
    item['type'] === 'function_call' ||
    item['type'] === 'custom_tool_call' ||
    item['type'] === 'local_shell_call'
  );
}

function usageFrom(usage: WireRecord): SessionUsage | undefined {
  return usageOf({
    inputTokens: numberOf(usage['input_tokens']),
    cachedInputTokens: numberOf(usage['cached_input_tokens']),
    cacheWriteTokens: 0,
    outputTokens: numberOf(usage['output_tokens']),
  });
}
