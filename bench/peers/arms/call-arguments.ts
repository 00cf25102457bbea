import type { WireCall } from '../types.ts';

/** Peers keep arguments as an object. What is no object becomes an empty one, as their own clients do with it. */
export function argumentsOf(call: WireCall): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(call.function.arguments);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : {};
  } catch {
    return {};
  }
}

/** Which tool each call of these messages went to, by the id of the call. */
export function toolNames(
  messages: readonly { readonly tool_calls?: readonly WireCall[] }[],
): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => [call.id, call.function.name] as const)),
  );
}
