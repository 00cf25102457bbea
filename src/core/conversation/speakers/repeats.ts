import { hasWords, type Stretch } from './speaker.ts';

/** A shorter paragraph may be a person's habit: "commit this and go on". */
const BLOCK_CHARS = 120;
/** In this many messages a paragraph is a program's. People send a text again once, after an interruption. */
const FEWEST_MESSAGES = 3;

/** Gives paragraphs that come again in several messages, but for their numbers, to the host. Whoever writes one first may be a person. */
export function withRepeats(messages: readonly (readonly Stretch[])[]): readonly (readonly Stretch[])[] {
  const counts = new Map<string, number>();
  for (const stretches of messages)
    for (const block of new Set(stretches.flatMap(blocksOf))) counts.set(block, (counts.get(block) ?? 0) + 1);
  const repeated = new Set([...counts].filter(([, count]) => count >= FEWEST_MESSAGES).map(([block]) => block));
  if (repeated.size === 0) return messages;
  const seen = new Set<string>();
  return messages.map((stretches) => {
    const own = stretches.flatMap(blocksOf).filter((block) => repeated.has(block));
    if (own.length === 0) return stretches;
    const isNew = own.some((block) => !seen.has(block));
    for (const block of own) seen.add(block);
    const cut = stretches.flatMap((stretch) => withoutBlocks(stretch, repeated));
    const speaks = cut.some(({ speaker, text }) => speaker === 'human' && hasWords(text));
    return isNew && !speaks ? stretches : cut;
  });
}

function blocksOf({ speaker, text }: Stretch): readonly string[] {
  return speaker === 'human'
    ? paragraphsOf(text)
        .map(blockOf)
        .filter((block) => block.length >= BLOCK_CHARS)
    : [];
}

function withoutBlocks(stretch: Stretch, repeated: ReadonlySet<string>): readonly Stretch[] {
  if (stretch.speaker !== 'human') return [stretch];
  return paragraphsOf(stretch.text).map((text) => ({
    speaker: repeated.has(blockOf(text)) ? 'host' : 'human',
    text,
  }));
}

function paragraphsOf(text: string): readonly string[] {
  return text.split(/\n[ \t]*\n/);
}

function blockOf(paragraph: string): string {
  return paragraph.trim().replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ');
}
