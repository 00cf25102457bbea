import { isToolOutput, LINES, speakerOfWhole } from './openings.ts';
import { cutRegions } from './regions.ts';
import { hasWords, type Speaker, type Stretch } from './speaker.ts';
import { isHarnessStyle, meaningOf, wordsOf } from './tag-names.ts';
import { type Tagged, taggedIn } from './tagged.ts';

/** Splits the text of a user message by who speaks in it. Never throws, and takes time linear in the text. */
export function splitStretches(text: string): readonly Stretch[] {
  const whole = speakerOfWhole(text);
  if (whole !== null) return [{ speaker: whole, text }];
  const plain: Speaker = isToolOutput(text) ? 'file' : 'human';
  return cutRegions(text)
    .flatMap((piece): readonly Stretch[] =>
      piece.speaker === null ? readTags(piece.text, plain) : [{ speaker: piece.speaker, text: piece.text }],
    )
    .filter((stretch) => stretch.text.trim() !== '');
}

/** Wrappers of a person's words are opened this deep. */
const MOST_LEVELS = 3;

function readTags(text: string, plain: Speaker, level = 0): readonly Stretch[] {
  const pieces = piecesOf(text);
  // A doubtful tag counts as a wrapper only when the message has other words too. Alone, it is what the person sent.
  const isAlone = pieces.every((piece) => (piece.type === 'plain' ? !hasWords(piece.text) : !isSaid(piece)));
  const stretches: Stretch[] = [];
  let command = '';
  for (const piece of pieces) {
    if (piece.type === 'plain') {
      for (const stretch of readLines(piece.text, plain)) stretches.push(stretch);
      continue;
    }
    const { name, inner } = piece.tagged;
    const role = COMMAND_TAGS.get(name);
    if (role === 'name') command = inner.trim();
    else if (role === 'words' && inner.trim() !== '') {
      // The person typed the command together with these words.
      stretches.push({ speaker: 'human', text: `${command} ${inner.trim()}`.trim() });
      command = '';
    } else if (role !== undefined) continue;
    else if (isWrapper(piece, isAlone, stretches)) {
      const spoken = piece.speaker === 'human' && level < MOST_LEVELS;
      const own = spoken ? readTags(inner, 'human', level + 1) : readWrapped(piece.tagged, piece.speaker);
      for (const stretch of own) stretches.push(stretch);
    } else stretches.push({ speaker: plain, text: text.slice(piece.tagged.from, piece.tagged.to) });
  }
  if (command !== '') stretches.push({ speaker: 'host', text: command });
  return stretches;
}

/** A slash command as Claude Code writes it down: its name, its name again, and the words behind it. */
const COMMAND_TAGS: ReadonlyMap<string, 'name' | 'again' | 'words'> = new Map([
  ['command-name', 'name'],
  ['command-message', 'again'],
  ['command-args', 'words'],
]);

type Piece = { readonly type: 'plain'; readonly text: string } | TaggedPiece;

interface TaggedPiece {
  readonly type: 'tagged';
  readonly tagged: Tagged;
  readonly speaker: Speaker;
  readonly isSure: boolean;
  /** False for a name that only looks like one of a program. */
  readonly isKnown: boolean;
}

function isSaid({ speaker, isSure }: TaggedPiece): boolean {
  return isSure || speaker === 'human';
}

/** Hosts put stretches with names of their own before the user's words; behind them, XML is more likely a thing to look at. */
function isWrapper(piece: TaggedPiece, isAlone: boolean, before: readonly Stretch[]): boolean {
  if (isSaid(piece)) return true;
  const hasSpoken = before.some(({ speaker, text }) => speaker === 'human' && hasWords(text));
  return !isAlone && (piece.isKnown || !hasSpoken);
}

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const tagged of taggedIn(text, (name) => meaningOf(name) !== null || isHarnessStyle(name))) {
    const meaning = meaningOf(tagged.name);
    pieces.push({ type: 'plain', text: text.slice(at, tagged.from) });
    pieces.push({
      type: 'tagged',
      tagged,
      ...(meaning ?? { speaker: 'host', isSure: false }),
      isKnown: meaning !== null,
    });
    at = tagged.to;
  }
  pieces.push({ type: 'plain', text: text.slice(at) });
  return pieces;
}

/** What a wrapper holds. A notification carries the answer of another agent, and a reminder may carry a project's rules. */
function readWrapped({ name, inner }: Tagged, speaker: Speaker): readonly Stretch[] {
  const words = wordsOf(name);
  if (/notification$/.test(words)) {
    const from = inner.indexOf('<result>');
    const to = inner.lastIndexOf('</result>');
    if (from >= 0 && to > from)
      return [
        { speaker, text: inner.slice(0, from) },
        { speaker: 'report', text: inner.slice(from + '<result>'.length, to) },
        { speaker, text: inner.slice(to + '</result>'.length) },
      ];
  }
  const holdsRules = /reminder$/.test(words) && /^(?:# claudeMd$|Contents of \S+\.md\b)/m.test(inner);
  return [{ speaker: holdsRules ? 'rules' : speaker, text: inner }];
}

/** Plain text: the user's, but for lines that agents write. */
function readLines(text: string, plain: Speaker): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let own: string[] = [];
  const finish = (): void => {
    if (own.length > 0) stretches.push({ speaker: plain, text: own.join('\n') });
    own = [];
  };
  for (const line of text.split('\n')) {
    const form = LINES.find(([, pattern]) => pattern.test(line));
    if (form === undefined) own.push(line);
    else {
      finish();
      stretches.push({ speaker: form[0], text: line });
    }
  }
  finish();
  return stretches;
}
