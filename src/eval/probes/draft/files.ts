import type { Fact } from '../../../core/facts/fact.ts';
import type { ExpectedFact } from '../../types.ts';
import { isProtected } from '../check/regions.ts';
import { spansOf, type Transcript } from '../check/transcript.ts';
import { type ProbeCandidate, placedFact } from './candidate.ts';

/** Longer lists are more than anybody remembers. */
const MOST_FILES = 5;

const QUESTIONS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  deleted: ['Which file was deleted in this session?', 'Which files were deleted in this session? Name each.'],
  created: ['Which file was created in this session?', 'Which files were created in this session? Name each.'],
  modified: [
    'Which existing file was changed in this session?',
    'Which existing files were changed in this session? Name each.',
  ],
};

/** Proposes questions about files, by their final state in the ledger. */
export function fileCandidates(transcript: Transcript): readonly ProbeCandidate[] {
  const files = transcript.ledger.filter(({ kind, critical }) => kind === 'file' && critical);
  return [
    ...Object.keys(QUESTIONS).flatMap((state) => inState(files, state, transcript)),
    ...renamed(files, transcript),
  ];
}

function inState(files: readonly Fact[], state: string, transcript: Transcript): readonly ProbeCandidate[] {
  const all = files.filter(({ text }) => text.endsWith(`(${state})`));
  const asked = all
    .toSorted((one, other) => other.weight - one.weight)
    .flatMap((file) => placedPath(file.key, transcript) ?? [])
    .slice(0, MOST_FILES);
  const [first] = asked;
  const [one = '', many = ''] = QUESTIONS[state] ?? [];
  if (first === undefined) return [];
  const worth = Math.max(...all.map(({ weight }) => weight));
  return [
    {
      prefix: 'f',
      type: 'artifact',
      question: all.length === 1 ? one : many,
      expected: asked,
      message: first.spans[0]?.message ?? 0,
      worth: worth + 2,
    },
  ];
}

function renamed(files: readonly Fact[], transcript: Transcript): readonly ProbeCandidate[] {
  const moves = files.flatMap((file) => {
    const from = /\(renamed from (.+)\)$/.exec(file.text)?.[1];
    return from === undefined ? [] : [{ from, to: file.key, worth: file.weight }];
  });
  return moves.flatMap(({ from, to, worth }): readonly ProbeCandidate[] => {
    const [old, now] = [placedPath(from, transcript), placedPath(to, transcript)];
    if (now === null) return [];
    const isOnly = moves.length === 1 && old !== null;
    const question = isOnly
      ? 'Which file was renamed in this session, and to what?'
      : `What is the file called now that was ${from}?`;
    const message = now.spans[0]?.message ?? 0;
    return [
      { prefix: 'f', type: 'artifact', question, expected: isOnly ? [old, now] : [now], message, worth: worth + 2 },
    ];
  });
}

/** Makes a fact of a path, unless messages that every view keeps contain it. */
function placedPath(path: string, transcript: Transcript): ExpectedFact | null {
  const isKept = spansOf(path, transcript).some(({ message }) => isProtected(transcript.regions[message] ?? 'folded'));
  return isKept ? null : placedFact({ value: path, kind: 'path' }, transcript);
}
