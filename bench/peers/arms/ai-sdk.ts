import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Arm, ArmSession, Settings, WireCall, WireMessage } from '../types.ts';
import { argumentsFrom } from './call-arguments.ts';
import { installedVersions } from './installed-version.ts';
import { countTokens, newestWithin } from './steps.ts';

/**
 * The strongest setting that leaves an agent able to go on: `all` would also take the result that it is about to read. This is what a caller sets
 * for every turn.
 */
const STRONGEST = 1;

export const aiSdkPrune: Arm = {
  id: 'ai-sdk-prune',
  title: 'AI SDK pruneMessages + truncation',
  how: 'Searches for the largest N for which `pruneMessages` of the package `ai`, with `toolCalls: before-last-N-messages`, fits into `keep`. It only removes calls and results. If N = 1 is still too large, our truncation follows (system message, first user message, newest steps).',
  packages: 'ai-sdk',
  summarises: false,
  hasKnob: true,
  counting: 'none',
  load: async (folder) => {
    const { pruneMessages } = (await import(
      pathToFileURL(join(folder, 'node_modules', 'ai', 'dist', 'index.js')).href
    )) as AiSdk;
    const prune: Prune = (messages, untouched) =>
      pruneMessages({ messages, toolCalls: `before-last-${untouched}-messages`, reasoning: 'all' });
    return {
      versions: await installedVersions(folder, ['ai']),
      open: async (settings) => openSession(settings, prune),
    };
  },
};

type Prune = (messages: readonly SdkMessage[], untouched: number) => readonly SdkMessage[];

function openSession({ keep }: Settings, prune: Prune): ArmSession {
  let held: readonly SdkMessage[] = [];
  return {
    append: async (messages) => {
      held = [...held, ...toSdk(messages, held)];
    },
    prepare: async () => {
      prune(held, STRONGEST);
    },
    compact: async () => {
      const pruned = largestWithin(held, keep, prune);
      const wire = fromSdk(pruned);
      const kept = newestWithin(wire, keep);
      const isUnchanged = kept === wire && partsOf(pruned) === partsOf(held);
      held = kept === wire ? pruned : toSdk(kept, []);
      return isUnchanged ? 'skipped' : 'compacted';
    },
    view: () => fromSdk(held),
  };
}

/** More messages left alone is never smaller, so the place is found by halving. */
function largestWithin(messages: readonly SdkMessage[], keep: number, prune: Prune): readonly SdkMessage[] {
  let best = prune(messages, STRONGEST);
  let low = STRONGEST + 1;
  let high = messages.length;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const pruned = prune(messages, middle);
    if (countTokens(fromSdk(pruned)) <= keep) {
      best = pruned;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

/** Removal is all that can happen, so a count tells. */
function partsOf(messages: readonly SdkMessage[]): number {
  return messages.reduce((sum, { content }) => sum + (typeof content === 'string' ? 1 : content.length), 0);
}

/** A result of the SDK names its tool; the chat format does not, so the name comes from the call. */
export function toSdk(messages: readonly WireMessage[], before: readonly SdkMessage[]): readonly SdkMessage[] {
  const names = new Map<string, string>();
  for (const { content } of before) {
    if (typeof content === 'string') continue;
    for (const part of content) if (part.type === 'tool-call') names.set(part.toolCallId, part.toolName);
  }
  return messages.map(({ role, content, tool_calls = [], tool_call_id = '' }): SdkMessage => {
    if (role === 'tool') {
      const toolName = names.get(tool_call_id) ?? 'unknown';
      const output = { type: 'text', value: content ?? '' } as const;
      return { role, content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName, output }] };
    }
    if (role !== 'assistant') return { role, content: content ?? '' };
    for (const { id, function: called } of tool_calls) names.set(id, called.name);
    const text = content === null || content === '' ? [] : [{ type: 'text', text: content } as const];
    const calls = tool_calls.map(({ id, function: called }): CallPart => {
      const input = argumentsFrom(called.arguments);
      return { type: 'tool-call', toolCallId: id, toolName: called.name, input };
    });
    return { role, content: [...text, ...calls] };
  });
}

export function fromSdk(messages: readonly SdkMessage[]): readonly WireMessage[] {
  return messages.flatMap(({ role, content }): readonly WireMessage[] => {
    if (typeof content === 'string') return [{ role, content }];
    const results = content.filter((part) => part.type === 'tool-result');
    if (results.length > 0) {
      return results.map(({ toolCallId, output }) => ({
        role: 'tool',
        tool_call_id: toolCallId,
        content: output.value,
      }));
    }
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const calls = content.flatMap((part): readonly WireCall[] => (part.type === 'tool-call' ? [callOf(part)] : []));
    return [{ role, content: text === '' ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  });
}

function callOf({ toolCallId, toolName, input }: CallPart): WireCall {
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: JSON.stringify(input) } };
}

/** As much of the package as is used. */
interface AiSdk {
  pruneMessages(options: {
    readonly messages: readonly SdkMessage[];
    readonly toolCalls: `before-last-${number}-messages`;
    readonly reasoning: 'all';
  }): readonly SdkMessage[];
}

export interface SdkMessage {
  readonly role: WireMessage['role'];
  readonly content: string | readonly SdkPart[];
}

type SdkPart = TextPart | CallPart | ResultPart;

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

interface CallPart {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface ResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: 'text'; readonly value: string };
}
