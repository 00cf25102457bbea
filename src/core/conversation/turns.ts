import { type Message, textOf } from './message.ts';

/**
 * User messages that a host writes for the user: environment notes, permission texts, hook output, slash commands without words.
 * They are kept like any other text, but they are not what the user asked for.
 */
const SCAFFOLDING: readonly RegExp[] = [
  /^<(environment_context|permissions|system-reminder|user_instructions|local-command|task-notification|turn_aborted|skill|collaboration_mode)\b/i,
  /^# AGENTS\.md\b/,
  /^\[Request interrupted\b/i,
  /^Caveat: The messages below/,
  /^Base directory for this skill:/,
  /^\/[\w:-]+$/,
];

/** True when a person (or whoever plays the user) really said something in this message. */
export function isUserTurn(message: Message): boolean {
  if (message.role !== 'user') return false;
  const text = textOf(message).trimStart();
  if (text === '') return message.parts.some((part) => part.type === 'image' || part.type === 'file');
  return !SCAFFOLDING.some((pattern) => pattern.test(text));
}

/** Index of the first thing the user asked for, -1 when nobody asked. */
export function taskIndex(messages: readonly Message[]): number {
  const asked = messages.findIndex(isUserTurn);
  return asked >= 0 ? asked : messages.findIndex((message) => message.role === 'user');
}

/** Index of the newest thing the user said, -1 when nobody did. */
export function lastUserIndex(messages: readonly Message[]): number {
  const asked = messages.findLastIndex(isUserTurn);
  return asked >= 0 ? asked : messages.findLastIndex((message) => message.role === 'user');
}
