import { type Message, textOf } from '../../core/conversation/message.ts';
import type { Speaker } from '../../core/conversation/speakers/speaker.ts';
import { PrecisError } from '../../core/errors.ts';

/** What the host knows about messages that it appends. */
export interface AppendOptions {
  /** Who speaks in the user messages, such as `host` for a reminder that your program writes. @default precis tells by their text */
  readonly by?: Speaker;
}

const SPEAKERS: readonly string[] = ['human', 'host', 'rules', 'report', 'file'] satisfies readonly Speaker[];

export function checkAppendOptions({ by }: AppendOptions): void {
  if (by === undefined || SPEAKERS.includes(by)) return;
  throw new PrecisError(
    'bad-option',
    `Expected \`by\` to be one of ${SPEAKERS.join(', ')}, got \`${String(by)}\` (${typeof by})`,
    { option: 'by' },
  );
}

/** New messages with the speaker that the host states. Messages that were read before keep theirs, because no wire has it. */
export function withSpeakers(
  messages: readonly Message[],
  by: Speaker | undefined,
  before: readonly Message[] = [],
): readonly Message[] {
  return messages.map((message, index) => {
    const earlier = before[index];
    if (earlier !== undefined)
      return textOf(earlier) === textOf(message) ? spokenBy(message, earlier.speaker) : message;
    return spokenBy(message, by);
  });
}

export function spokenBy(message: Message, speaker: Speaker | undefined): Message {
  return speaker === undefined || message.role !== 'user' ? message : { ...message, speaker };
}
