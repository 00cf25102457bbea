/**
 * Who speaks in a stretch of a user message. `human`: a person, or whoever plays one. `host`: the program around the agent. `rules`: guides
 * and skills given to the agent. `report`: another agent's answer, or an account of earlier work. `file`: the contents of attached files.
 */
export type Speaker = 'human' | 'host' | 'rules' | 'report' | 'file';

/** A part of a message with one speaker. */
export interface Stretch {
  readonly speaker: Speaker;
  readonly text: string;
}

/** True when there is more than signs and white space: a bare `/` says nothing. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}\p{So}?!]/u.test(text);
}
