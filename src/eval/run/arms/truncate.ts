import type { Message, Part, TextPart } from '../../../core/conversation/message.ts';
import { withParts, withText } from '../../../core/conversation/message.ts';
import { splitSteps } from '../../../core/conversation/steps.ts';
import { safeCut } from '../../../core/language/cut.ts';
import type { Measure } from '../../../core/tokens/measure.ts';

/** How close truncation must come to the candidate's size: within this share of it, or within a short message for short sessions. */
export const MATCH_SHARE = 0.02;
export const MATCH_TOKENS = 150;

/**
 * Makes room as most agents do: it keeps the system messages and the newest steps, calls with their results. To match the candidate's size, the
 * oldest step that stays loses the beginning of its longest text.
 */
export function truncate(messages: readonly Message[], tokens: number, measure: Measure): readonly Message[] {
  const head = messages.filter(({ role }) => role === 'system');
  const rest = messages.filter(({ role }) => role !== 'system');
  const tail: Message[] = [];
  let left = tokens - measure.messages(head);
  for (const { from, to } of splitSteps(rest).toReversed()) {
    const step = rest.slice(from, to);
    const size = measure.messages(step);
    if (size <= left) {
      tail.unshift(...step);
      left -= size;
      continue;
    }
    tail.unshift(...cutStep(step, left, measure));
    break;
  }
  return [...head, ...tail];
}

/** Cuts the beginnings of a step's texts, the longest first, until it has at most `tokens`. Returns nothing when that is not enough. */
function cutStep(step: readonly Message[], tokens: number, measure: Measure): readonly Message[] {
  let cut = step;
  for (const place of placesOf(step)) {
    const { text } = textAt(cut, place);
    const bare = replaceText(cut, place, '');
    const room = tokens - measure.messages(bare);
    if (room < 0) {
      cut = bare;
      continue;
    }
    let kept = 0;
    let tooMuch = text.length + 1;
    while (tooMuch - kept > 1) {
      const middle = (kept + tooMuch) >> 1;
      if (measure.text(text.slice(text.length - middle)) <= room) kept = middle;
      else tooMuch = middle;
    }
    return replaceText(cut, place, text.slice(safeCut(text, text.length - kept)));
  }
  return [];
}

interface Place {
  readonly message: number;
  readonly part: number;
  /** Index within the content of a result; null for a text part. */
  readonly item: number | null;
  readonly length: number;
}

function placesOf(step: readonly Message[]): readonly Place[] {
  return step
    .flatMap(({ parts }, message) =>
      parts.flatMap((each, part): readonly Place[] => {
        if (each.type === 'text') return [{ message, part, item: null, length: each.text.length }];
        if (each.type !== 'tool-result') return [];
        return each.content.flatMap((content, item) =>
          content.type === 'text' ? [{ message, part, item, length: content.text.length }] : [],
        );
      }),
    )
    .toSorted((one, other) => other.length - one.length);
}

function textAt(step: readonly Message[], { message, part, item }: Place): TextPart {
  const found = step[message]?.parts[part];
  const text = found?.type === 'tool-result' && item !== null ? found.content[item] : found;
  return text?.type === 'text' ? text : { type: 'text', text: '' };
}

function replaceText(step: readonly Message[], place: Place, text: string): readonly Message[] {
  const written = withText(textAt(step, place), text);
  return step.map((message, at) => {
    if (at !== place.message) return message;
    const parts = message.parts.map((part, index): Part => {
      if (index !== place.part) return part;
      if (part.type !== 'tool-result') return written;
      const { raw, base: _, ...own } = part;
      const content = part.content.map((item, position) => (position === place.item ? written : item));
      return { ...own, content, ...(raw === undefined ? {} : { base: raw }) };
    });
    return withParts(message, parts);
  });
}
