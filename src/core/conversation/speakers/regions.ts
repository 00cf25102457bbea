import type { Stretch } from './speaker.ts';

/** A text cut at its regions: a null speaker means that the piece has to be looked at. */
export interface RegionPiece {
  readonly speaker: Stretch['speaker'] | null;
  readonly text: string;
}

/** Regions that begin and end with a line of their own. What is inside may look like anything, tags included. */
interface Region {
  readonly speaker: Stretch['speaker'];
  readonly start: RegExp;
  readonly end: string;
  /** True when the region runs to the end of the text if its last line is missing. */
  readonly mayLackEnd: boolean;
}

const REGIONS: readonly Region[] = [
  {
    speaker: 'file',
    start: /^--- Content from referenced files ---$/gm,
    end: '\n--- End of content ---',
    mayLackEnd: true,
  },
  {
    speaker: 'file',
    start: /^<path>[^\n<]*<\/path>\n<type>\w+<\/type>\n<content>$/gm,
    end: '\n</content>',
    mayLackEnd: true,
  },
  {
    speaker: 'host',
    start: /^# (?:Context from my IDE setup|Files mentioned by the user):$/gm,
    end: '\n## My request for Codex:',
    mayLackEnd: false,
  },
];

/** Cuts a text at the regions that hosts put around the user's words. */
export function cutRegions(text: string): readonly RegionPiece[] {
  const pieces: RegionPiece[] = [];
  let at = 0;
  for (const { speaker, from, to } of regionsIn(text)) {
    if (from < at) continue;
    pieces.push({ speaker: null, text: text.slice(at, from) }, { speaker, text: text.slice(from, to) });
    at = to;
  }
  pieces.push({ speaker: null, text: text.slice(at) });
  return pieces;
}

interface Place {
  readonly speaker: Stretch['speaker'];
  readonly from: number;
  readonly to: number;
}

function regionsIn(text: string): readonly Place[] {
  const places: Place[] = [];
  for (const { speaker, start, end, mayLackEnd } of REGIONS) {
    let done = 0;
    for (const match of text.matchAll(start)) {
      if (match.index < done) continue;
      const last = text.indexOf(end, match.index + match[0].length);
      if (last < 0 && !mayLackEnd) break;
      done = last < 0 ? text.length : last + end.length;
      places.push({ speaker, from: match.index, to: done });
    }
  }
  return places.sort((left, right) => left.from - right.from);
}
