import { ChatLog } from '../log/chat-log.ts';
import {
  contentText,
  counted,
  fieldsOf,
  isRecord,
  numberOf,
  recordsOf,
  stringOf,
  timeOf,
  usageOf,
  type WireRecord,
} from '../log/fields.ts';
import type { LogCollector, ReaderOptions, SessionLog, SessionNote, SessionReader, SessionUsage } from '../reader.ts';
import { type CodexItem, writeItems } from './codex-items.ts';

/** `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`: items of the Responses API in an envelope, between events for display. */
export const codex: SessionReader = {
  id: 'codex',
  title: 'a log of Codex',
  // A majority is enough: another program may have written lines into the log.
  detect: (head) => head.type === 'lines' && head.values.filter(isCodexLine).length * 2 > head.values.length,
  start: (options) => new CodexLog(options),
};

function isCodexLine(value: unknown): boolean {
  if (!isRecord(value) || typeof value['type'] !== 'string' || 'uuid' in value) return false;
  return 'timestamp' in value && isRecord(value['payload']);
}

class CodexLog implements LogCollector {
  readonly #options: ReaderOptions;
  readonly #notes: SessionNote[] = [];
  #items: CodexItem[] = [];
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
        this.#items.push({ item: withoutEncrypted(payload), timestamp, model: this.#model });
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

  /** Drops the turns that the user took back; no model sees them any more. */
  #rollBack(turns: number): void {
    for (let left = turns; left > 0; left--) {
      const from = this.#items.findLastIndex(
        ({ item }) => item['role'] === 'user' && !isScaffolding(contentText(item['content'])),
      );
      if (from < 0) break;
      this.#items.length = from;
    }
    if (turns > 0) this.#notes.push({ text: `${counted(turns, 'turn')} that the user took back left out` });
  }

  /** Takes the items that a compaction put in place of the history. They repeat earlier items, except for a summary, which is the last user item. */
  #compact(payload: WireRecord, timestamp: string | undefined): void {
    this.#compactions += 1;
    const replacement = Array.isArray(payload['replacement_history'])
      ? recordsOf(payload['replacement_history'])
      : null;
    const message = stringOf(payload['message']);
    const summary = message === undefined ? [] : [{ item: userItem(message), timestamp, isSummary: true }];
    if (this.#options.sinceCompaction === true) {
      const users = this.#items.filter(({ item }) => item['role'] === 'user');
      // Older versions kept the user's messages and put the summary after them.
      this.#items =
        replacement === null
          ? [...users, ...summary]
          : replacement.map((item) => ({ item: withoutEncrypted(item), timestamp }));
      return;
    }
    const last = replacement?.findLast((item) => item['role'] === 'user');
    const text = last === undefined ? '' : contentText(last['content']);
    const isSaid =
      text === '' || isScaffolding(text) || this.#items.some(({ item }) => contentText(item['content']) === text);
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

/** Encrypted reasoning is long, and useless outside its own API. */
function withoutEncrypted(item: WireRecord): WireRecord {
  if (!('encrypted_content' in item)) return item;
  const { encrypted_content: _, ...rest } = item as { readonly encrypted_content?: unknown };
  return rest;
}

function userItem(text: string): WireRecord {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

/** True for user items that the client itself wrote. */
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
