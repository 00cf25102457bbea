import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { Call, Event, Reasoning, Script, Wire } from './arbitraries.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Step = Pick<Extract<Event, { type: 'step' }>, 'text' | 'reasoning' | 'calls' | 'reversed'>;

/** A script as messages of LangChain: a third each as instances, as stored messages and as the JSON of instances. */
export function langChainRequest(script: Script): { readonly messages: readonly Wire[] } {
  const messages = instances(script);
  const held: readonly unknown[] =
    script.events.length % 3 === 0
      ? messages
      : script.events.length % 3 === 1
        ? mapChatMessagesToStoredMessages(messages)
        : (JSON.parse(JSON.stringify(messages)) as readonly unknown[]);
  return { messages: held as readonly Wire[] };
}

function instances({ system, events, inFlight }: Script): BaseMessage[] {
  const messages: BaseMessage[] = [];
  const nextId = (): string => `m${messages.length}`;
  if (system !== null) messages.push(new SystemMessage({ content: system.text, id: nextId() }));
  const addCalls = (step: Step, answered: number): void => {
    const ids = step.calls.map((call, at) => (call.reusesId ? `call_${at}` : `toolu_${messages.length}_${at}`));
    messages.push(answer(step, ids, nextId()));
    const results = step.calls.map(
      (call, at) =>
        new ToolMessage({
          content: result(call) as string,
          tool_call_id: ids[at] ?? '',
          name: call.tool,
          id: `${nextId()}-${at}`,
          artifact: { never: 'sent' },
          ...(call.failed ? { status: 'error' as const } : {}),
        }),
    );
    messages.push(...(step.reversed ? results.reverse() : results).slice(0, answered));
  };
  for (const item of events) {
    if (item.type === 'user') messages.push(new HumanMessage({ content: user(item) as string, id: nextId() }));
    else if (item.type === 'note') messages.push(new SystemMessage({ content: item.text }));
    else if (item.type === 'assistant')
      messages.push(answer({ text: item.text, reasoning: item.reasoning, calls: [], reversed: false }, [], nextId()));
    else {
      addCalls(item, item.calls.length);
      if (item.remark !== null) messages.push(new HumanMessage(item.remark));
    }
  }
  if (inFlight !== null)
    addCalls(
      { text: null, reasoning: null, calls: inFlight.calls, reversed: false },
      Math.min(inFlight.answered, inFlight.calls.length - 1),
    );
  return messages;
}

/** As Anthropic's integration writes it where there is signed thinking, else as OpenAI's does. */
function answer({ text, reasoning, calls }: Step, ids: readonly string[], id: string): AIMessage {
  const parsed = calls.flatMap(({ tool, args }, at) =>
    typeof args === 'string' ? [] : [{ id: ids[at] ?? '', name: tool, args: { ...args }, type: 'tool_call' as const }],
  );
  const invalid = calls.flatMap(({ tool, args }, at) =>
    typeof args === 'string'
      ? [{ id: ids[at] ?? '', name: tool, args, error: 'not JSON', type: 'invalid_tool_call' as const }]
      : [],
  );
  const common = { id, tool_calls: parsed, invalid_tool_calls: invalid };
  if (reasoning?.bound === true)
    return new AIMessage({
      ...common,
      content: [
        { type: 'thinking', thinking: reasoning.text, signature: 'c2ln' },
        ...(text === null ? [] : [{ type: 'text', text }]),
        ...parsed.map(({ id: callId, name, args }) => ({ type: 'tool_use', id: callId, name, input: args })),
      ],
    });
  // LangChain warns of copies without any call beside them.
  const copies = (parsed.length === 0 ? [] : calls).map(({ tool, args }, at) => ({
    id: ids[at] ?? '',
    type: 'function' as const,
    function: { name: tool, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return new AIMessage({
    ...common,
    content: text ?? (parsed.length === 0 ? 'Calling.' : ''),
    additional_kwargs: { ...(copies.length === 0 ? {} : { tool_calls: copies }), ...unsigned(reasoning) },
  });
}

function unsigned(reasoning: Reasoning | null): Wire {
  return reasoning === null || reasoning.text === '' ? {} : { reasoning_content: reasoning.text };
}

function result({ result: text, media }: Call): unknown {
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
  if (media === 'only-image') return [image];
  if (media === 'image') return [{ type: 'text', text: text || 'picture' }, image];
  if (media === 'opaque') return [{ type: 'text', text: text || 'strange' }, { type: 'hologram' }];
  return text;
}

function user({ text, extra, cached }: Extract<Event, { type: 'user' }>): unknown {
  const part = { type: 'text', text, ...(cached ? { cache_control: { type: 'ephemeral' } } : {}) };
  if (extra === 'image') return [part, { type: 'image', url: 'https://shop.example/a.png' }];
  if (extra === 'opaque') return [part, { type: 'hologram', depth: [[1]] }];
  if (extra === 'file') return [part, { type: 'file', data: 'AAAA', mimeType: 'application/pdf' }];
  return cached ? [part] : text;
}
