import { type Message, textOf } from './message.ts';

/**
 * User messages that a host writes for the user: environment notes, permission texts, hook output, slash commands without words.
 * They are kept like any other text, but the user did not ask for anything in them.
 */
const SCAFFOLDING: readonly RegExp[] = [
  /^<(environment_context|permissions|system-reminder|local-command|task-notification|turn_aborted|skill|collaboration_mode)\b/i,
  /^\[Request interrupted\b/i,
  /^Caveat: The messages below/,
  /^Base directory for this skill:/,
  /^\/[\w:-]+$/,
];

/** Messages in which a host hands over a project's rules: the user did not write them, but they are in force. */
const RULES =
  /^(?:# (?:AGENTS|CLAUDE|GEMINI)\.md\b|<user_instructions>|<(?:project|repo(?:sitory)?|workspace)[_-](?:rules|instructions)>)/i;

export function isRulesText(text: string): boolean {
  return RULES.test(text.trimStart());
}

/** True when a person (or whoever plays the user) really said something in this message. */
export function isUserTurn(message: Message): boolean {
  if (message.role !== 'user') return false;
  const text = textOf(message).trimStart();
  if (text === '') return message.parts.some((part) => part.type !== 'text' && part.type !== 'tool-result');
  return !isRulesText(text) && !SCAFFOLDING.some((pattern) => pattern.test(text));
}

/** Index of the task: the first thing the user asked for, else the first user message, else -1. */
export function taskIndex(messages: readonly Message[]): number {
  const asked = messages.findIndex(isUserTurn);
  return asked >= 0 ? asked : messages.findIndex((message) => message.role === 'user');
}

/** Index of the newest thing the user said, else of the last user message, else -1. */
export function lastUserIndex(messages: readonly Message[]): number {
  const asked = messages.findLastIndex(isUserTurn);
  return asked >= 0 ? asked : messages.findLastIndex((message) => message.role === 'user');
}
