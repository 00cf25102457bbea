import type { WireCall } from '../types.ts';

/** Peers hold arguments as objects. What does not parse is wrapped, as no peer takes a bare string. */
export function argumentsFrom(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through: a model wrote no JSON.
  }
  return { arguments: text };
}

export function argumentsOf(call: WireCall): Readonly<Record<string, unknown>> {
  return argumentsFrom(call.function.arguments);
}

/** Which tool each call of these messages went to, by the id of the call. */
export function toolNames(
  messages: readonly { readonly tool_calls?: readonly WireCall[] }[],
): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => [call.id, call.function.name] as const)),
  );
}
