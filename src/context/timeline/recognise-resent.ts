import type { Message } from '../../core/conversation/message.ts';
import { fingerprintOf } from '../../core/conversation/ref.ts';
import type { Redactor } from '../store/stored-rows.ts';
import type { Timeline } from './timeline.ts';
import type { Row } from './timeline-data.ts';

export interface RecogniserInput {
  readonly timeline: Timeline;
  readonly amend: (index: number, message: Message) => void;
  readonly redact: Redactor;
  /** True when the history holds redacted messages, which the host's originals must not replace. */
  readonly isRedacted: boolean;
  readonly counts: WeakMap<Message, number>;
}

/** Recognises messages that a host sends again: returns how many at the start of a list the history already has. */
export function createRecogniser(input: RecogniserInput): (messages: readonly Message[]) => number {
  const { timeline, amend, redact } = input;
  const fingerprints = new WeakMap<Message, string>();
  const fingerprint = (message: Message): string => {
    const text = fingerprints.get(message) ?? fingerprintOf(redact(message) as Message);
    fingerprints.set(message, text);
    return text;
  };
  return (messages) => {
    let common = 0;
    for (; ; common++) {
      const message = messages[common];
      const row = timeline.rows[timeline.lineage[common] ?? -1];
      if (message === undefined || row === undefined) break;
      if (fingerprint(row.message) === fingerprint(message)) continue;
      // A changed system prompt does not make it another conversation.
      if (message.role !== 'system' || row.message.role !== 'system') break;
      amend(common, message);
    }
    for (const [index, message] of messages.slice(0, common).entries()) takeNewest(input, index, message);
    return common;
  };
}

/** Takes the host's newest object for a history message, because its cache markers may have moved. */
function takeNewest({ timeline, counts, isRedacted }: RecogniserInput, index: number, resent: Message): void {
  const rowNumber = timeline.lineage[index] as number;
  const row = timeline.rows[rowNumber] as Row;
  const { speaker } = row.message;
  // No wire says who speaks, so what the host once stated stays.
  const message = speaker === undefined ? resent : { ...resent, speaker };
  const isTrimmed = row.shown !== row.message && row.shown.raw === undefined;
  if (row.message.raw === message.raw && (isTrimmed || row.shown.raw === message.raw)) return;
  const count = counts.get(row.message);
  if (count !== undefined) counts.set(message, count);
  timeline.replace(rowNumber, {
    ...row,
    message: isRedacted ? row.message : message,
    shown: isTrimmed ? row.shown : message,
  });
}
