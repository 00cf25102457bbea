/**
 * Who speaks in a passage. `rules`: a project's instructions. `report`: another agent's answer. `host`: text that the host writes for the user.
 * `argument` and `removed`: text that a call adds or takes away. `content`: what a lookup shows. `summary`: a line that a model wrote.
 */
export const VOICES = [
  'user',
  'summary',
  'rules',
  'report',
  'assistant',
  'host',
  'argument',
  'removed',
  'output',
  'content',
] as const;
export type Voice = (typeof VOICES)[number];
