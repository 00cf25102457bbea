/** Lines get at most this share of the room: quotes carry the user's own words and need the rest. */
const ROOM_SHARE = 0.5;
/** A text longer than this share of what it sums up is no longer a summary. */
const SOURCE_SHARE = 0.2;
/** A handoff in fewer tokens says nothing. */
const SHORTEST_TOKENS = 400;

/** Tokens of the room in the view, of the steps to sum up, and of the lines so far, which an answer takes over. */
export interface LengthInput {
  readonly room: number;
  readonly folded: number;
  readonly previous: number;
}

/** The length to ask for, in tokens: as much as the room allows and the content deserves. */
export function lengthFor({ room, folded, previous }: LengthInput): number {
  const deserved = previous + folded * SOURCE_SHARE;
  return Math.floor(Math.max(SHORTEST_TOKENS, Math.min(room * ROOM_SHARE, deserved)));
}

/** The length of each part's answer, in proportion to what the part holds. The first one also takes over the lines so far. None exceeds `most`. */
export function lengthsOfParts(
  total: number,
  parts: readonly { readonly tokens: number }[],
  { previous, most }: { readonly previous: number; readonly most: number },
): readonly number[] {
  const carried = Math.min(previous, total);
  const all = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return parts.map(({ tokens }, index) => {
    const own = ((total - carried) * tokens) / Math.max(1, all);
    return Math.floor(Math.min(most, own + (index === 0 ? carried : 0)));
  });
}
