/** Tags that models put around what is not meant for the reader. */
const TAGS = ['think', 'thinking', 'reasoning_scratchpad', 'scratchpad'] as const;
const OPENING = new RegExp(`<(${TAGS.join('|')})>`, 'gi');

/** The text without reasoning between tags; one that was never closed goes to the end. */
export function stripThinking(text: string): string {
  const parts: string[] = [];
  // A tag that is closed nowhere behind here needs no second search.
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
  // What was cut out may leave another opening tag behind, made of two halves.
  return rest.length < text.length ? stripThinking(rest) : rest;
}
