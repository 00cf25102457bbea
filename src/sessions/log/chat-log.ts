import type { LogMessage, MessageRecord, SessionLog, SessionMeta, SessionNote } from '../reader.ts';
import { compactFields } from './fields.ts';

/** A record or meta whose fields may be undefined; `ChatLog` drops those. */
export type LooseRecord = { readonly [Key in keyof MessageRecord]?: MessageRecord[Key] | undefined };
export type LooseMeta = { readonly [Key in keyof SessionMeta]?: SessionMeta[Key] | undefined };

export interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as in chat messages; any text for a custom tool. */
  readonly arguments: string;
  readonly isCustom?: boolean;
}

export interface ChatAnswer {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly calls?: readonly ChatCall[];
}

/** Collects messages in the OpenAI chat format, with their records, for logs without provider messages. */
export class ChatLog {
  readonly messages: LogMessage[] = [];
  readonly notes: SessionNote[] = [];

  system(text: string, record: LooseRecord = {}): void {
    if (text !== '') this.add({ role: 'system', content: text }, record);
  }

  user(content: string | readonly unknown[], record: LooseRecord = {}): void {
    if (content.length > 0) this.add({ role: 'user', content }, record);
  }

  /** Adds nothing for an empty answer, e.g. of an aborted request. Reasoning alone is kept. */
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

/** The meta that the reader knows; missing times and models come from the messages. */
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
