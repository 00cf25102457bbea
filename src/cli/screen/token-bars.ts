import type { Conversation } from '../../core/conversation/conversation.ts';
import { isHandoff } from '../../core/record/handoff/handoff-message.ts';
import { breakdown } from '../../core/tokens/breakdown.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import type { Screen } from '../world.ts';
import { type Paint, whole } from './paint.ts';

/** The tokens of one sort of content, before and after. */
export type Share = readonly [label: string, before: number, after: number];

/** The tokens of each sort of content, without sorts that never occur. */
export function sharesOf(before: Conversation, after: Conversation, counter: TokenCounter): readonly Share[] {
  const measure = createMeasure(counter);
  const sizes = ({ messages }: Conversation): readonly number[] => {
    const { system, user, assistant, calls, output } = breakdown(
      messages.filter((message) => !isHandoff(message)),
      measure,
    );
    return [system, user, assistant, calls, output, measure.messages(messages.filter(isHandoff))];
  };
  const was = sizes(before);
  const is = before === after ? was : sizes(after);
  return SORTS.map((label, index): Share => [label, was[index] ?? 0, is[index] ?? 0]).filter(
    ([, old, now]) => old > 0 || now > 0,
  );
}

const SORTS = ['system', 'user', 'assistant', 'tool calls', 'tool output', 'handoff'] as const;
const MOST_CELLS = 40;

/** A bar for each sort of content, all on one scale: full cells remain, light cells are gone. */
export function barsText(shares: readonly Share[], { columns }: Screen, paint: Paint): readonly string[] {
  const most = Math.max(1, ...shares.flatMap(([, old, now]) => [old, now]));
  const digits = Math.max('before'.length, whole(most).length);
  const labels = Math.max(...shares.map(([label]) => label.length));
  const room = Math.max(8, Math.min(MOST_CELLS, columns - labels - 2 * digits - 9));
  const cells = (value: number): number => (value === 0 ? 0 : Math.max(1, Math.round((value / most) * room)));
  const isChanged = shares.some(([, old, now]) => old !== now);
  const figures = (old: string, now: string): string =>
    isChanged ? `${old.padStart(digits)}  ${now.padStart(digits)}` : old.padStart(digits);
  return [
    `  ${' '.repeat(labels)}  ${paint('dim', isChanged ? figures('before', 'after') : figures('tokens', ''))}`,
    ...shares.map(([label, old, now]) => {
      const left = cells(now);
      const gone = '░'.repeat(Math.max(0, cells(old) - left));
      const bar = `${paint(label === 'handoff' ? 'cyan' : 'green', '█'.repeat(left))}${paint('dim', gone)}`;
      return `  ${label.padEnd(labels)}  ${figures(whole(old), whole(now))}  ${bar}`;
    }),
  ];
}
