import { type Add, clip, isRule, isUser, pathsIn, type Section, tellDeed, tellWish, tellWords } from './retelling.ts';
import { readBullets, readHeadings, readTranscript, replacedValues } from './transcript.ts';

/**
 * Writes the summary of a careful model, always the same for the same prompt: the sections that the instructions ask for, the user's constraints
 * quoted, everything else in slightly other words, and every bullet with the number of its message.
 */
export function goodSummary(prompt: string, instructions = ''): string {
  return writeSections(prompt, instructions, sectionsOf(prompt));
}

/** Recognises a section by the words of its heading. */
const SECTIONS: readonly (readonly [Section, RegExp])[] = [
  ['goal', /goal|task|request|intent/i],
  ['constraints', /constraint|preference|rules/i],
  ['done', /done|completed|finished|^## progress/i],
  ['progress', /in progress|current/i],
  ['blocked', /block/i],
  ['decisions', /decision/i],
  ['files', /file/i],
  ['errors', /error|fix|problem/i],
  ['next', /next|pending|todo/i],
  ['critical', /critical|context|facts|details/i],
];

const HEADINGS: readonly string[] = [
  '## Goal',
  '## Constraints & Preferences',
  '## Progress',
  '### Done',
  '### In progress',
  '### Blocked',
  '## Key Decisions',
  '## Relevant Files',
  '## Errors & Fixes',
  '## Next Steps',
  '## Critical Context',
];

export function writeSections(
  prompt: string,
  instructions: string,
  sections: ReadonlyMap<Section, readonly string[]>,
): string {
  const headings = readHeadings(instructions) ?? readHeadings(prompt.split(/^#\d+ /m)[0] ?? '') ?? HEADINGS;
  const mayLeaveOut = /leave out|omit|skip/i.test(instructions);
  const blocks = headings.flatMap((heading, index) => {
    if (heading.startsWith('## ') && headings[index + 1]?.startsWith('### ')) return [heading];
    const bullets = sections.get(sectionNamed(heading) ?? 'critical') ?? [];
    if (bullets.length === 0) return mayLeaveOut ? [] : [`${heading}\n(none)`];
    return [`${heading}\n${bullets.join('\n')}`];
  });
  return blocks.join('\n');
}

function sectionNamed(heading: string): Section | undefined {
  return SECTIONS.find(([, pattern]) => pattern.test(heading))?.[0];
}

/** The bullets of each section. */
export function sectionsOf(prompt: string): ReadonlyMap<Section, readonly string[]> {
  const { demands, previous } = readBullets(prompt);
  const entries = readTranscript(prompt);
  const sections = new Map<Section, string[]>();
  const put = (section: Section, bullet: string): void => {
    const bullets = sections.get(section) ?? [];
    if (!bullets.includes(bullet)) bullets.push(bullet);
    sections.set(section, bullets);
  };
  const add: Add = (section, text, { number }) => put(section, `- ${clip(text)} (#${number})`);
  const users = entries.filter(isUser);
  for (const entry of entries) {
    if (entry.type === 'did') tellDeed(entry, entries, add);
    else if (isUser(entry) || isRule(entry))
      tellWish(entry, { isTask: entry === users[0], isNewest: entry === users.at(-1) }, add);
    else tellWords(entry, users.at(-1)?.number ?? 0, add);
    for (const path of pathsIn(entry)) add('files', path, entry);
  }
  sections.set('files', newestOfEach(sections.get('files') ?? []));
  dropReplaced(sections, prompt);
  for (const [section, bullets] of sections) {
    if (section !== 'constraints') sections.set(section, bullets.slice(-MOST_BULLETS));
  }
  const fresh = new Map(sections);
  sections.clear();
  for (const { heading, bullet } of previous) put(sectionNamed(heading) ?? 'critical', `- ${bullet}`);
  for (const [section, bullets] of fresh) for (const bullet of bullets) put(section, bullet);
  for (const demand of demands) {
    const words = demand.replace(/ \(#\d+\)$/, '');
    if ([...sections.values()].flat().some((bullet) => bullet.includes(words))) continue;
    const last = entries.at(-1)?.number ?? 1;
    put('critical', `- ${demand}${/\(#\d+\)$/.test(demand) ? '' : ` (#${last})`}`);
  }
  return sections;
}

/** Enough for the important points, few enough for a summary. Bullets of an earlier summary come on top. */
const MOST_BULLETS = 14;

function newestOfEach(bullets: readonly string[]): string[] {
  return [...new Map(bullets.map((bullet) => [bullet.replace(/ \(#\d+\)$/, ''), bullet])).values()];
}

/** A careful model does not state an outdated value, unless it names the new one too. */
function dropReplaced(sections: Map<Section, string[]>, prompt: string): void {
  const replaced = [...replacedValues(prompt)];
  const words = (text: string): readonly string[] => text.split(/[^\w.-]+|\.(?!\d)/);
  for (const section of ['done', 'critical'] as const) {
    const bullets = (sections.get(section) ?? []).filter((bullet) => {
      const said = words(bullet);
      return !replaced.some(([current, old]) => said.includes(old) && !said.includes(current));
    });
    sections.set(section, bullets);
  }
}
