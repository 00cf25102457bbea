/** Tags that models put around text that is not meant for the reader. */
const TAGS = ['think', 'thinking', 'reasoning_scratchpad', 'scratchpad'] as const;
const OPENING = new RegExp(`<(${TAGS.join('|')})>`, 'gi');

/** Removes reasoning between tags; a tag that is never closed reaches to the end. */
export function stripThinking(text: string): string {
  const parts: string[] = [];
  // A tag without a closing one further on needs no second search.
  const unclosed = new Set<string>();
  const lower = text.toLowerCase();
  let floor = 0;
  OPENING.lastIndex = 0;
  for (let hit = OPENING.exec(text); hit !== null; hit = OPENING.exec(text)) {
    const tag = (hit[1] ?? '').toLowerCase();
    const closing = `</${tag}>`;
    const end = unclosed.has(tag) ? -1 : lower.indexOf(closing, hit.index);
    if (end < 0) unclosed.add(tag);
    parts.push(text.slice(floor, hit.index));
    floor = end < 0 ? text.length : end + closing.length;
    OPENING.lastIndex = floor;
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(floor));
  const rest = parts.join('').trim();
  // The cut may join two halves to another opening tag.
  return rest.length < text.length ? stripThinking(rest) : rest;
}
