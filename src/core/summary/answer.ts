import { type HandoffSection, SECTIONS, wordsOf } from '../record/handoff/sections.ts';

/** One bullet of a model's answer. */
export interface SummaryLine {
  readonly section: string;
  readonly text: string;
  /** Numbers of the messages it says it comes from. */
  readonly sources: readonly number[];
}

/** Headings as a model is asked to write them, one line each. */
export function headingsOf(sections: readonly HandoffSection[]): readonly HandoffSection[] {
  return sections.flatMap(({ id, title }) => title.split('\n').map((line) => ({ id, title: line })));
}

/** Reads the bullets of an answer. Headings are matched by their words, whatever their level; text outside bullets is not taken. */
export function readAnswer(answer: string, sections: readonly HandoffSection[] = SECTIONS): readonly SummaryLine[] {
  const headings = new Map(headingsOf(sections).map(({ id, title }) => [wordsOf(title), id]));
  const lines: SummaryLine[] = [];
  let section = 'done';
  for (const raw of withoutThinking(answer).split('\n')) {
    // No bullet of a handoff is this long, and expressions on a line without end take for ever.
    if (raw.length > LINE_CHARS) continue;
    const heading = /^\s*(?:#{1,6}\s+|\*\*)(.+?)(?:\*\*)?:?\s*$/.exec(raw)?.[1];
    const known = heading === undefined ? undefined : headings.get(wordsOf(heading));
    if (known !== undefined) {
      section = known;
      continue;
    }
    const bullet = /^\s*(?:[-*•]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/.exec(raw)?.[1]?.trim();
    if (bullet === undefined || bullet.length < 3) continue;
    lines.push({
      section,
      text: bullet.replaceAll(/\s+/g, ' '),
      sources: [...bullet.matchAll(/#(\d{1,7})\b/g)].map((match) => Number(match[1])),
    });
  }
  return lines;
}

const LINE_CHARS = 1_000;

/** Some models write their reasoning into the answer. */
export function withoutThinking(answer: string): string {
  return answer.replaceAll(/<(think|thinking|reasoning|analysis)>[\s\S]*?(?:<\/\1>|$)/gi, '').trim();
}
