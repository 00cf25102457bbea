import type { WireMessage } from './types.ts';

/** White space and escapes of JSON folded, so that a fact is found in a sentence, in arguments and in output alike. */
export function folded(text: string): string {
  return text
    .replaceAll('\\n', ' ')
    .replaceAll('\\t', ' ')
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\')
    .replaceAll(/\s+/g, ' ');
}

/** Everything of a message that a model reads. */
export function textOfMessage({ content, tool_calls = [] }: WireMessage): string {
  return [content ?? '', ...tool_calls.map((call) => `${call.function.name} ${call.function.arguments}`)].join(' ');
}

export function textOfView(messages: readonly WireMessage[]): string {
  return folded(messages.map(textOfMessage).join(' '));
}
