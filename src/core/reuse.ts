import type { Message } from './conversation/message.ts';

/**
 * The new view with the messages of the old one wherever they say the same. A message that was condensed before and is condensed the same way
 * again stays the very same object, so that the provider's cache holds up to the first real change.
 */
export function reuseMessages(before: readonly Message[], after: readonly Message[]): readonly Message[] {
  return after.map((message, index) => {
    const old = before[index];
    return old !== undefined && old !== message && message.raw === undefined && says(old) === says(message)
      ? old
      : message;
  });
}

function says(message: Message): string {
  return JSON.stringify([message.role, message.parts.map(({ raw: _raw, base: _base, ...part }) => part)]);
}
