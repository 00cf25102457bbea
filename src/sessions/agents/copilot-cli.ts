import { ChatLog } from '../log/chat-log.ts';
import {
  argumentsText,
  counted,
  fieldsOf,
  isRecord,
  numberOf,
  recordsOf,
  stringOf,
  timeOf,
  type WireRecord,
} from '../log/fields.ts';
import type { LogCollector, ReaderOptions, SessionLog, SessionNote, SessionReader } from '../reader.ts';

/** `~/.copilot/session-state/<id>/events.jsonl`: one event per line. */
export const copilotCli: SessionReader = {
  id: 'copilot-cli',
  title: 'a log of Copilot CLI',
  detect: (head) => head.type === 'lines' && head.values.some(isStart),
  start: (options) => new CopilotLog(options),
};

function isStart(value: unknown): boolean {
  return (
    isRecord(value) &&
    isRecord(value['data']) &&
    (value['type'] === 'session.start' || value['type'] === 'session.resume')
  );
}

class CopilotLog implements LogCollector {
  readonly #options: ReaderOptions;
  readonly #notes: SessionNote[] = [];
  #log = new ChatLog();
  /** The log repeats the prompt whenever it changes; the model sees the newest. */
  #system = '';
  #prompts = 0;
  #subagent = 0;
  #compactions = 0;
  #start: WireRecord = {};

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  add(value: unknown, line: number): void {
    if (!isRecord(value) || typeof value['type'] !== 'string') {
      this.#notes.push({ line, text: 'no event, left out' });
      return;
    }
    const data = fieldsOf(value['data']);
    const timestamp = timeOf(value['timestamp']);
    // Subagents write into the same file, under their own id.
    const isMain = value['agentId'] === undefined || value['agentId'] === null;
    if (!isMain) {
      if (value['type'].endsWith('.message')) this.#subagent += 1;
      return;
    }
    switch (value['type']) {
      case 'session.start':
        this.#start = data;
        return;
      case 'system.message':
        this.#system = stringOf(data['content']) ?? this.#system;
        this.#prompts += 1;
        return;
      case 'user.message':
        this.#log.user(stringOf(data['transformedContent']) ?? stringOf(data['content']) ?? '', { timestamp });
        break;
      case 'system.notification':
        this.#log.user(stringOf(data['content']) ?? '', { timestamp });
        break;
      case 'assistant.message':
        this.#answer(data, timestamp);
        break;
      case 'tool.execution_complete':
        this.#log.result(stringOf(data['toolCallId']) ?? '', resultOf(data), { timestamp });
        break;
      case 'session.compaction_complete':
        this.#compact(data, timestamp);
        break;
    }
  }

  #answer(data: WireRecord, timestamp: string | undefined): void {
    const calls = recordsOf(data['toolRequests']).map((request) => ({
      id: stringOf(request['toolCallId']) ?? '',
      name: stringOf(request['name']) ?? 'unknown',
      arguments: argumentsText(request['arguments']),
    }));
    const outputTokens = numberOf(data['outputTokens']);
    // The log only counts the output.
    const usage =
      outputTokens === 0 ? undefined : { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens };
    const text = stringOf(data['content']);
    this.#log.assistant(
      { text, reasoning: stringOf(data['reasoningText']), calls },
      { timestamp, model: stringOf(data['model']), usage },
    );
  }

  #compact(data: WireRecord, timestamp: string | undefined): void {
    if (data['success'] === false) return;
    this.#compactions += 1;
    if (this.#options.sinceCompaction === true) this.#log = new ChatLog();
    this.#log.user(stringOf(data['summaryContent']) ?? '', { timestamp, isSummary: true });
  }

  end(): SessionLog {
    const log = new ChatLog();
    log.notes.push(...this.#notes);
    if (this.#prompts > 1)
      log.notes.push({ text: `${counted(this.#prompts - 1, 'earlier version')} of the system prompt left out` });
    if (this.#subagent > 0) log.notes.push({ text: `${counted(this.#subagent, 'message')} of subagents left out` });
    log.system(this.#system);
    log.messages.push(...this.#log.messages);
    return log.end({
      id: stringOf(this.#start['sessionId']),
      cwd: stringOf(fieldsOf(this.#start['context'])['cwd']),
      startedAt: timeOf(this.#start['startTime']),
      compactions: this.#compactions,
    });
  }
}

function resultOf(data: WireRecord): string {
  const result = fieldsOf(data['result']);
  const error = fieldsOf(data['error']);
  return (
    stringOf(result['content']) ??
    stringOf(result['detailedContent']) ??
    stringOf(error['message']) ??
    stringOf(data['result']) ??
    ''
  );
}
