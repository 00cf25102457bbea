import { goodSummary, sectionsOf, writeSections } from './good-summary.ts';
import { IDENTIFIER, readBullets, readTranscript, replacedValues } from './transcript.ts';

/** Drops all constraints and every second identifier. */
export function forgetfulSummary(prompt: string, instructions = ''): string {
  const sections = new Map(sectionsOf(prompt)).set('constraints', []);
  const asked = new Set(readBullets(prompt).demands.map((demand) => `- ${demand}`));
  sections.set(
    'critical',
    (sections.get('critical') ?? []).filter((bullet) => !asked.has(bullet)),
  );
  const known = new Map<string, boolean>();
  return writeSections(prompt, instructions, sections)
    .replaceAll(IDENTIFIER, (identifier) => {
      if (!known.has(identifier)) known.set(identifier, known.size % 2 === 0);
      return known.get(identifier) === true ? identifier : 'something';
    })
    .replaceAll(/^- something \(#\d+\)\n/gm, '');
}

/** Inverts constraints, invents a path and a value, and changes every number. */
export function lyingSummary(prompt: string, instructions = ''): string {
  const sections = new Map(sectionsOf(prompt));
  const last = readTranscript(prompt).at(-1)?.number ?? 1;
  sections.set('constraints', (sections.get('constraints') ?? []).map(invert));
  sections.set('files', [...(sections.get('files') ?? []), `- src/legacy/phantom-handler.ts was rewritten (#${last})`]);
  sections.set('critical', [...(sections.get('critical') ?? []).map(invert), `- The retry limit is 7331 (#${last})`]);
  return writeSections(prompt, instructions, sections).replaceAll(/(?<![#\w.])\d{2,}(?!\w|\.\d)/g, (digits) =>
    String(Number(digits) + 1),
  );
}

/** States every replaced value in its old form. */
export function staleSummary(prompt: string, instructions = ''): string {
  let text = goodSummary(prompt, instructions);
  for (const [current, old] of replacedValues(prompt)) {
    const word = current.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    text = text.replaceAll(new RegExp(`(?<![\\w#.-])${word}(?![\\w-])`, 'g'), () => old);
  }
  return text
    .replaceAll(/(\S*\d),? (?:instead of|rather than|not) \1/g, '$1')
    .replaceAll(/from (\S*\d\S*) to \1/g, 'to $1');
}

const OPPOSITES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:must not|must never|do not|don't|never|should not|cannot)\b/i, 'always'],
  [/\bwithout\b/i, 'with'],
  [/\bat most\b/i, 'at least'],
  [/\bat least\b/i, 'at most'],
  [/\bavoid\b/i, 'prefer'],
  [/\balways\b/i, 'never'],
  [/\bmust\b/i, 'must not'],
  [/\bshould\b/i, 'should not'],
  [/\bprefer\b/i, 'avoid'],
  [/\bkeep\b/i, 'drop'],
  [/\bonly\b/i, 'not only'],
  [/\b(?:not|no)\b /i, ''],
];

function invert(bullet: string): string {
  const opposite = OPPOSITES.find(([pattern]) => pattern.test(bullet));
  return opposite === undefined ? bullet : bullet.replace(opposite[0], opposite[1]);
}
