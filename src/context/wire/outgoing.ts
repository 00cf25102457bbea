import type { Conversation } from '../../core/conversation/conversation.ts';
import { checkSound, extendSound, type SoundConversation } from '../../core/conversation/sound.ts';
import { PrecisError } from '../../core/errors.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { SpokenFormat } from './spoken-format.ts';

/** The view as it is sent. */
export interface OutgoingView {
  readonly conversation: SoundConversation;
  /** The same in the wire format. */
  readonly request: unknown;
}

export interface Outgoing {
  /** The same object until the view changes, so that asking again costs nothing. */
  current(): OutgoingView;
  /** For changes that the timeline does not count. */
  forget(): void;
}

export function createOutgoing(timeline: Timeline, spoken: SpokenFormat): Outgoing {
  let cached: (OutgoingView & { readonly epoch: number; readonly length: number }) | null = null;
  return {
    current() {
      const { epoch } = timeline;
      const { length } = timeline.rows;
      if (cached !== null && cached.epoch === epoch && cached.length === length) return cached;
      const conversation = viewConversation(timeline, spoken);
      const format = spoken.current();
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
      cached = { epoch, length, conversation: checked.conversation, request: format.encode(checked.conversation) };
      return cached;
    },
    forget() {
      cached = null;
    },
  };
}

function viewConversation(timeline: Timeline, spoken: SpokenFormat): Conversation {
  const shown = timeline.shown();
  const envelope = spoken.event()?.envelope ?? null;
  return {
    format: spoken.current().id,
    messages: timeline.view(),
    history: timeline.history(),
    ...(shown.size === 0 ? {} : { shown }),
    ...(envelope === null ? {} : { envelope }),
  };
}
