import type { Call, Event, Reasoning, Script, Wire } from './arbitraries.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Step = Pick<Extract<Event, { type: 'step' }>, 'text' | 'reasoning' | 'calls' | 'reversed'>;

/** A script as messages of the AI SDK: every kind of output, approvals, bytes and URLs, and results in one message or in several. */
export function aiSdkRequest({ system, events, inFlight }: Script): { readonly messages: readonly Wire[] } {
  const messages: Wire[] = [];
  if (system !== null)
    messages.push({ role: 'system', content: system.text, ...(system.cached ? { providerOptions: cache } : {}) });
  const addCalls = (step: Step, answered: number): void => {
    const ids = step.calls.map((call, at) => (call.reusesId ? `call_${at}` : `toolu_${messages.length}_${at}`));
    const approvals = step.calls.flatMap((call, at) =>
      call.media === 'opaque' && answered === step.calls.length
        ? [{ approvalId: `approval_${messages.length}_${at}`, toolCallId: ids[at] }]
        : [],
    );
    messages.push({
      role: 'assistant',
      content: [
        ...thought(step.reasoning),
        ...(step.text === null ? [] : [{ type: 'text', text: step.text }]),
        ...step.calls.map(({ tool, args }, at) => ({
          type: 'tool-call',
          toolCallId: ids[at],
          toolName: tool,
          input: args,
          ...(at % 2 === 0 ? { providerOptions: { openai: { itemId: `fc_${at}` } } } : {}),
        })),
        ...approvals.map((approval) => ({ type: 'tool-approval-request', ...approval })),
      ],
    });
    if (approvals.length > 0)
      messages.push({
        role: 'tool',
        content: approvals.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true })),
      });
    const results = step.calls.map((call, at) => ({
      type: 'tool-result',
      toolCallId: ids[at],
      toolName: call.tool,
      output: output(call),
    }));
    if (step.reversed)
      for (const part of results.reverse().slice(0, answered)) messages.push({ role: 'tool', content: [part] });
    else if (answered > 0) messages.push({ role: 'tool', content: results.slice(0, answered) });
  };
  for (const item of events) {
    if (item.type === 'user') messages.push({ role: 'user', content: user(item) });
    else if (item.type === 'note') messages.push({ role: 'system', content: item.text });
    else if (item.type === 'assistant')
      messages.push({
        role: 'assistant',
        content: item.reasoning === null ? item.text : [...thought(item.reasoning), { type: 'text', text: item.text }],
      });
    else {
      addCalls(item, item.calls.length);
      if (item.remark !== null) messages.push({ role: 'user', content: item.remark });
    }
  }
  if (inFlight !== null)
    addCalls(
      { text: null, reasoning: null, calls: inFlight.calls, reversed: false },
      Math.min(inFlight.answered, inFlight.calls.length - 1),
    );
  return { messages };
}

const cache = { anthropic: { cacheControl: { type: 'ephemeral' } } };

function thought(reasoning: Reasoning | null): readonly Wire[] {
  if (reasoning === null) return [];
  const options = reasoning.bound ? { anthropic: { signature: 'c2ln' } } : { openai: { itemId: 'rs_1' } };
  return [{ type: 'reasoning', text: reasoning.text, providerOptions: options }];
}

function output({ result, failed, media }: Call): Wire {
  const image = { type: 'image-data', data: PIXEL, mediaType: 'image/png' };
  if (media === 'only-image') return { type: 'content', value: [image] };
  if (media === 'image')
    return {
      type: 'content',
      value: [
        { type: 'text', text: result || 'picture' },
        { type: 'file', data: { type: 'data', data: Uint8Array.from([1, 2, 3]) }, mediaType: 'image/png' },
      ],
    };
  if (media === 'opaque')
    return { type: 'content', value: [{ type: 'text', text: result || 'x' }, { type: 'custom' }] };
  try {
    return { type: failed ? 'error-json' : 'json', value: JSON.parse(result) as unknown };
  } catch {
    return { type: failed ? 'error-text' : 'text', value: result };
  }
}

function user({ text, extra, cached }: Extract<Event, { type: 'user' }>): unknown {
  const part = { type: 'text', text, ...(cached ? { providerOptions: cache } : {}) };
  if (extra === 'image') return [part, { type: 'image', image: new URL('https://shop.example/a.png') }];
  if (extra === 'opaque') return [part, { type: 'hologram', depth: [[1]] }];
  if (extra === 'file')
    return [part, { type: 'file', data: Uint8Array.from([4, 5]), mediaType: 'application/pdf', filename: 'a.pdf' }];
  return cached ? [part] : text;
}
