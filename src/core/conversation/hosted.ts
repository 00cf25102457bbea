import { type Message, type OpaquePart, type ToolCallPart, type ToolResultPart, toolCallsOf } from './message.ts';

/** A call that the provider ran itself, in the form of any other call. */
export interface HostedStep {
  readonly call: ToolCallPart;
  /** Its result; null while the provider is still at work. */
  readonly result: ToolResultPart | null;
}

/** The calls that the provider ran itself in a message, in order, each with its result. */
export function hostedIn(message: Message): readonly HostedStep[] {
  const steps = new Map<string, HostedStep>();
  for (const [index, part] of message.parts.entries()) {
    if (part.type !== 'opaque' || part.hosted === undefined) continue;
    const callId = hostedIdOf(part, index);
    const known = steps.get(callId);
    const { name, arguments: asked } = part.hosted;
    const call: ToolCallPart =
      asked === null && known !== undefined
        ? known.call
        : { type: 'tool-call', callId, name, arguments: asked ?? '{}' };
    steps.set(callId, { call, result: hostedResult(part, callId) ?? known?.result ?? null });
  }
  return [...steps.values()];
}

/** The id of a hosted call. One without an id on the wire is a call of its own, named by its place in the message. */
export function hostedIdOf({ hosted }: OpaquePart, index: number): string {
  return hosted?.callId ?? `hosted-${index}`;
}

/** What a hosted call found, as a result; null for a part that is only a call. */
export function hostedResult({ hosted }: OpaquePart, callId: string): ToolResultPart | null {
  if (hosted === undefined || hosted.output === null) return null;
  const content = hosted.output === '' ? [] : [{ type: 'text' as const, text: hosted.output }];
  return { type: 'tool-result', callId, content, isError: false };
}

/** Everything in a message that a result says: results of calls, and those of calls that the provider ran itself. */
export function resultsIn(message: Message): readonly ToolResultPart[] {
  return message.parts.flatMap((part, index): readonly ToolResultPart[] => {
    if (part.type === 'tool-result') return [part];
    const hosted = part.type === 'opaque' ? hostedResult(part, hostedIdOf(part, index)) : null;
    return hosted === null ? [] : [hosted];
  });
}

/** Every call in a message: those that the model made, and those that the provider ran itself. */
export function callsIn(message: Message): readonly ToolCallPart[] {
  return [...toolCallsOf(message), ...hostedIn(message).map(({ call }) => call)];
}
