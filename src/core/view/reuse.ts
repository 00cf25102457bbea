import type { Message } from '../conversation/message.ts';

/**
 * The new view, with messages of the old one wherever they say the same. A message that is condensed the same way again stays the very same
 * object, so that the provider's cache holds up to the first real change.
 */
export function reuseMessages(before: readonly Message[], after: readonly Message[]): readonly Message[] {
  const kept = new Set(before);
  return after.map((message, index) => {
    const old = before[index];
    // A message that stays keeps its own object, even if another reads the same.
    if (old === undefined || kept.has(message)) return message;
    return message.raw === undefined && says(old) === says(message) ? old : message;
  });
}

function says(message: Message): string {
  return JSON.stringify([message.role, message.parts.map(({ raw: _raw, base: _base, ...part }) => part)]);
}
