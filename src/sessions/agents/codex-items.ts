import type { ChatCall, ChatLog } from '../log/chat-log.ts';
import { argumentsText, contentText, isRecord, recordsOf, stringOf, type WireRecord } from '../log/fields.ts';
import type { SessionUsage } from '../reader.ts';

/** An item of the Responses API, and what the log says about it. */
export interface CodexItem {
  readonly item: WireRecord;
  readonly timestamp?: string | undefined;
  readonly model?: string | undefined;
  readonly isSummary?: boolean;
  usage?: SessionUsage | undefined;
}

/** Writes items as chat messages: reasoning, text and calls up to the next result or user message are one answer. */
export function writeItems(items: readonly CodexItem[], log: ChatLog): void {
  const writer = new ItemWriter(log);
  for (const item of items) writer.write(item);
  writer.endAnswer();
}

/** An answer that is being put together from items. */
interface OpenAnswer {
  text: string;
  reasoning: string;
  calls: ChatCall[];
  item: CodexItem;
}

class ItemWriter {
  readonly #log: ChatLog;
  #open: OpenAnswer | null = null;
  #made = 0;

  constructor(log: ChatLog) {
    this.#log = log;
  }

  write(each: CodexItem): void {
    const { item, timestamp } = each;
    switch (item['type']) {
      case 'message':
        this.#writeMessage(each);
        break;
      case 'reasoning': {
        const text = reasoningText(item);
        if (text === '') break;
        const answer = this.#answerWith(each);
        answer.reasoning = joinParagraphs(answer.reasoning, text);
        break;
      }
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call':
        this.#answerWith(each).calls.push(callOf(item, () => `call_${++this.#made}`));
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.endAnswer();
        this.#log.result(stringOf(item['call_id']) ?? '', outputText(item['output']), { timestamp });
        break;
      case 'web_search_call':
      case 'image_generation_call':
        this.#writeProviderCall(each);
    }
  }

  #writeMessage(each: CodexItem): void {
    const { item, timestamp, isSummary } = each;
    const text = contentText(item['content']);
    if (item['role'] === 'assistant') {
      // A second text is a second message, unless calls are open: their results come right after them.
      if (this.#open !== null && this.#open.calls.length === 0 && this.#open.text !== '') this.endAnswer();
      const answer = this.#answerWith(each);
      answer.text = joinParagraphs(answer.text, text);
      return;
    }
    this.endAnswer();
    if (item['role'] === 'user') this.#log.user(userContent(item), { timestamp, isSummary });
    else this.#log.system(text, { timestamp });
  }

  /** The provider ran the call itself, and the log holds no result. */
  #writeProviderCall(each: CodexItem): void {
    const { item, timestamp } = each;
    const id = stringOf(item['call_id']) ?? stringOf(item['id']) ?? `provider_${++this.#made}`;
    const name = String(item['type']).replace('_call', '');
    this.#answerWith(each).calls.push({ id, name, arguments: JSON.stringify(item['action'] ?? {}) });
    this.endAnswer();
    this.#log.result(id, '[run by the provider; its result is not in the log]', { timestamp });
  }

  /** The answer that this item belongs to. */
  #answerWith(item: CodexItem): OpenAnswer {
    // The log writes usage when a request ends, so a later item belongs to another request.
    if (this.#open !== null && this.#open.item.usage !== undefined && this.#open.calls.length === 0) this.endAnswer();
    this.#open ??= { text: '', reasoning: '', calls: [], item };
    if (item.usage !== undefined) this.#open.item = { ...this.#open.item, usage: item.usage };
    return this.#open;
  }

  endAnswer(): void {
    if (this.#open === null) return;
    const { timestamp, model, usage } = this.#open.item;
    this.#log.assistant(this.#open, { timestamp, model, usage });
    this.#open = null;
  }
}

function joinParagraphs(before: string, text: string): string {
  return before === '' ? text : `${before}\n\n${text}`;
}

function callOf(item: WireRecord, makeId: () => string): ChatCall {
  return {
    id: stringOf(item['call_id']) ?? stringOf(item['id']) ?? makeId(),
    name: stringOf(item['name']) ?? String(item['type']).replace('_call', ''),
    arguments: argumentsText(item['arguments'] ?? item['input'] ?? item['action']),
    isCustom: item['type'] === 'custom_tool_call',
  };
}

/** Text, or content parts; older versions wrap the text in `{content, success}`. */
function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output))
    return recordsOf(output)
      .map((part) => stringOf(part['text']) ?? `[${String(part['type'])}]`)
      .join('\n');
  if (isRecord(output)) return stringOf(output['content']) ?? JSON.stringify(output);
  return '';
}

function userContent({ content }: WireRecord): string | readonly unknown[] {
  const parts = recordsOf(content);
  if (!parts.some((part) => part['type'] === 'input_image')) return contentText(content);
  return parts.flatMap((part): readonly object[] => {
    const url = stringOf(part['image_url']);
    if (url !== undefined) return [{ type: 'image_url', image_url: { url } }];
    const text = stringOf(part['text']);
    return text === undefined ? [] : [{ type: 'text', text }];
  });
}

function reasoningText(item: WireRecord): string {
  const pieces = [...recordsOf(item['summary']), ...recordsOf(item['content'])];
  return pieces.flatMap((piece) => stringOf(piece['text']) ?? []).join('\n\n');
}
