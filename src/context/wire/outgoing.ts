import type { Conversation } from '../../core/conversation/conversation.ts';
import { checkSound, extendSound, type SoundConversation } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import type { DecodeNote, Format } from '../../core/format.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { WireFormat } from './wire-format.ts';

/** The view as it is sent. */
export interface OutgoingView {
  readonly conversation: SoundConversation;
  /** The same view in the wire format. */
  readonly request: unknown;
  /** What was changed for a server that demands more than the format does. */
  readonly notes: readonly DecodeNote[];
}

export interface Outgoing {
  /** Returns the same object until the view changes, so that repeated calls are cheap. */
  current(): OutgoingView;
  /** Drops the cached view after a change that the timeline does not count. */
  forget(): void;
}

export interface OutgoingInput {
  readonly timeline: Timeline;
  readonly wireFormat: WireFormat;
  /** Encodes a sound view in the format of the context. */
  readonly encode: (format: Format, view: SoundConversation) => Pick<OutgoingView, 'request' | 'notes'>;
}

export function createOutgoing({ timeline, wireFormat, encode }: OutgoingInput): Outgoing {
  let cached: (OutgoingView & { readonly epoch: number; readonly length: number }) | null = null;
  return {
    current() {
      const { epoch } = timeline;
      const { length } = timeline.rows;
      if (cached !== null && cached.epoch === epoch && cached.length === length) return cached;
      const conversation = viewConversation(timeline, wireFormat);
      const format = wireFormat.current();
      const checked =
        cached?.epoch === epoch
          ? extendSound(cached.conversation, conversation, format)
          : checkSound(conversation, format);
      if (checked.type === 'unsound') {
        const [issue] = checked.issues;
        throw new PrecisError(
          'unsound',
          `message ${(issue?.message ?? 0) + 1}: ${issue?.text ?? 'unknown reason'}`,
          {},
        );
      }
      cached = { epoch, length, conversation: checked.conversation, ...encode(format, checked.conversation) };
      return cached;
    },
    forget() {
      cached = null;
    },
  };
}

function viewConversation(timeline: Timeline, wireFormat: WireFormat): Conversation {
  const shown = timeline.shown();
  const envelope = wireFormat.event()?.envelope ?? null;
  return {
    format: wireFormat.current().id,
    messages: timeline.view(),
    history: timeline.history(),
    ...(shown.size === 0 ? {} : { shown }),
    ...(envelope === null ? {} : { envelope }),
  };
}
