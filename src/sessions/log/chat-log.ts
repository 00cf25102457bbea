import type { LogMessage, MessageRecord, SessionLog, SessionMeta, SessionNote } from '../reader.ts';
import { compactFields } from './fields.ts';

/** What a record may lack is absent; a reader may hand over undefined. */
export type LooseRecord = { readonly [Key in keyof MessageRecord]?: MessageRecord[Key] | undefined };
export type LooseMeta = { readonly [Key in keyof SessionMeta]?: SessionMeta[Key] | undefined };

export interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** JSON in a string, as chat messages hold it; any text for a custom tool. */
  readonly arguments: string;
  readonly isCustom?: boolean;
}

export interface ChatAnswer {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly calls?: readonly ChatCall[];
}

/** Collects messages in the OpenAI chat format, with their records, for logs that hold no messages of a provider. */
export class ChatLog {
  readonly messages: LogMessage[] = [];
  readonly notes: SessionNote[] = [];

  system(text: string, record: LooseRecord = {}): void {
    if (text !== '') this.add({ role: 'system', content: text }, record);
  }

  user(content: string | readonly unknown[], record: LooseRecord = {}): void {
    if (content.length > 0) this.add({ role: 'user', content }, record);
  }

  /** Nothing is added when nothing was said, e.g. by a request that was aborted. Reasoning alone is kept. */
  assistant({ text = '', reasoning = '', calls = [] }: ChatAnswer, record: LooseRecord = {}): void {
    if (text === '' && reasoning === '' && calls.length === 0) return;
    this.add(
      {
        role: 'assistant',
        content: text === '' ? null : text,
        ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
      },
      record,
    );
  }

  result(callId: string, content: string | readonly unknown[], record: LooseRecord = {}): void {
    this.add({ role: 'tool', tool_call_id: callId, content }, record);
  }

  add(wire: Readonly<Record<string, unknown>>, record: LooseRecord): void {
    this.messages.push({ wire, record: compactFields(record) as MessageRecord });
  }

  end(meta: LooseMeta = {}): SessionLog {
    return { format: 'openai-chat', messages: this.messages, meta: metaOf(this.messages, meta), notes: this.notes };
  }
}

function wireCall({ id, name, arguments: text, isCustom }: ChatCall): object {
  if (isCustom === true) return { id, type: 'custom', custom: { name, input: text } };
  return { id, type: 'function', function: { name, arguments: text } };
}

/** What the reader knows of the session; times and models that it does not know come from the messages. */
export function metaOf(messages: readonly LogMessage[], meta: LooseMeta): SessionMeta {
  const times = messages.flatMap(({ record }) => record.timestamp ?? []);
  const models = messages.flatMap(({ record }) => record.model ?? []);
  return compactFields({
    ...meta,
    startedAt: meta.startedAt ?? times[0],
    endedAt: meta.endedAt ?? times.at(-1),
    models: [...new Set([...(meta.models ?? []), ...models])],
    compactions: meta.compactions ?? 0,
  }) as SessionMeta;
}
