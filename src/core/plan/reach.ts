import type { Message, Part } from '../conversation/message.ts';
import type { Step } from '../conversation/steps.ts';
import { isHandoff } from '../record/handoff/handoff-message.ts';

/**
 * How far a plan may reach. `usual`: output, arguments, words, calls that the provider ran. `deep`: also media of the newest request, later system
 * messages and parts that nobody can read. `least`: also the newest request and the newest step, each trimmed to its least.
 */
export type Reach = 'usual' | 'deep' | 'least';

export interface ReachInput {
  readonly messages: readonly Message[];
  readonly pinned: ReadonlySet<Message>;
  readonly reach: Reach;
}

/** Says which steps must stay as they are: the system prompt, pinned messages, calls in flight, and everything beyond the reach of the plan. */
export function untouchableSteps(steps: readonly Step[], { messages, pinned, reach }: ReachInput): readonly boolean[] {
  const firstSaid = messages.findIndex((message) => message.role !== 'system');
  const newestOfKind = newestByKind(messages);
  const said = new Map<string, number>();
  for (const [index, message] of messages.entries()) if (message.role === 'system') said.set(textIn(message), index);
  return steps.map((step) => {
    const own = messages.slice(step.from, step.to);
    const [first] = own;
    if (first !== undefined && isHandoff(first)) return false;
    if (own.some((message) => pinned.has(message))) return true;
    if (step.inFlight.length > 0) return reach !== 'least';
    if (first?.role === 'system') {
      if (firstSaid < 0 || step.from < firstSaid) return true;
      const isRepeated = (said.get(textIn(first)) ?? step.from) > step.from;
      if (!isRepeated && reach === 'usual') return true;
    }
    return own.some((message) =>
      message.parts.some((part) => {
        const kind = unreadableKind(part);
        if (kind === null) return false;
        // Settings and server state stay in force until a newer part of their kind replaces them.
        return reach === 'usual' || (reach === 'deep' && newestOfKind.get(kind) === part);
      }),
    );
  });
}

/** The newest part of every kind that nobody can read. */
function newestByKind(messages: readonly Message[]): ReadonlyMap<string, Part> {
  const newest = new Map<string, Part>();
  for (const { parts } of messages)
    for (const part of parts) {
      const kind = unreadableKind(part);
      if (kind !== null) newest.set(kind, part);
    }
  return newest;
}

/** The kind of a part that we can neither read nor shorten; null for all others. */
function unreadableKind(part: Part): string | null {
  if (part.type === 'opaque') return part.hosted === undefined ? part.kind : null;
  if (part.type !== 'tool-result') return null;
  const opaque = part.content.find((item) => item.type === 'opaque' && item.hosted === undefined);
  return opaque?.type === 'opaque' ? opaque.kind : null;
}

function textIn({ parts }: Message): string {
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
}
