import type { Message } from '../../src/core/conversation/message.ts';
import { splitSteps } from '../../src/core/conversation/steps.ts';
import { sessionTokens } from './kept.ts';
import type { LabelledSession } from './labelled.ts';

/**
 * Sessions of about the wanted size, stitched together from those of one source, one after the other, as in a project where one context lives for
 * days. Sources that have less give none. The facts of all pieces count.
 */
export function stitched(sessions: readonly LabelledSession[], tokens: number): readonly LabelledSession[] {
  const sources = [...new Set(sessions.filter(({ shipped }) => !shipped).map(({ source }) => source))];
  return sources.flatMap((source) => {
    const pieces: LabelledSession[] = [];
    let size = 0;
    for (const session of sessions.filter((one) => one.source === source)) {
      const own = sessionTokens(session);
      // A piece that would make it far too large is left out.
      if (size + own > tokens * 1.15) continue;
      pieces.push(session);
      size += own;
    }
    const [first, ...later] = pieces;
    if (first === undefined || size < tokens * 0.85) return [];
    const messages = [first, ...later].flatMap(({ conversation }, at) =>
      finished(conversation.messages).filter(({ role }) => at === 0 || role !== 'system'),
    );
    const facts = pieces.flatMap((piece) => piece.facts);
    return [
      { ...first, name: `${source}, ${tokens} tokens`, conversation: { ...first.conversation, messages }, facts },
    ];
  });
}

/** Without calls that never got a result: in the middle of a session they would break its rules. */
function finished(messages: readonly Message[]): readonly Message[] {
  return splitSteps(messages)
    .filter(({ inFlight }) => inFlight.length === 0)
    .flatMap(({ from, to }) => messages.slice(from, to));
}
