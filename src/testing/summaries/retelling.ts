import { sentencesOf, type TranscriptEntry } from './transcript.ts';

export type Section =
  | 'goal'
  | 'constraints'
  | 'done'
  | 'progress'
  | 'blocked'
  | 'decisions'
  | 'files'
  | 'errors'
  | 'next'
  | 'critical';

/** Puts a bullet in a section. */
export type Add = (section: Section, text: string, entry: TranscriptEntry) => void;

/** Which of the user's messages it is: the task, the newest, or one between them. */
export interface WishPlace {
  readonly isTask: boolean;
  readonly isNewest: boolean;
}

export function tellWish(entry: TranscriptEntry, { isTask, isNewest }: WishPlace, add: Add): void {
  const sentences = sentencesOf(entry);
  for (const sentence of sentences) if (CONSTRAINT.test(sentence)) add('constraints', quote(sentence), entry);
  if (!isUser(entry)) return;
  const wishes = sentences.filter((sentence) => !CONSTRAINT.test(sentence));
  const wish = wishes[0] ?? (isTask ? sentences[0] : undefined);
  if (wish === undefined) return;
  if (isTask) add('goal', quote(wish), entry);
  else add(isNewest ? 'progress' : 'done', `The user asked: ${quote(wish)}`, entry);
}

/** `all` is the whole transcript: if it marks failed calls, only those count as failed. */
export function tellDeed(entry: TranscriptEntry, all: readonly TranscriptEntry[], add: Add): void {
  const command = entry.head.replace(/ → failed.*$/, '');
  const failure = entry.lines.find((line) => FAILURE.test(line));
  const isMarked = all.some(({ head }) => head.includes(' → failed'));
  if (isMarked ? command !== entry.head : failure !== undefined) {
    const fixed = /fixed by #\d+/.exec(entry.head)?.[0];
    const again = all.some(({ number, who, head }) => number > entry.number && who === entry.who && head === command);
    const section = fixed !== undefined || again ? 'errors' : 'blocked';
    const why = failure === undefined ? '' : `: ${failure}`;
    add(section, `${entry.who} ${command} failed${fixed === undefined ? '' : `, ${fixed}`}${why}`, entry);
    return;
  }
  add('done', `${VERBS[entry.who.toLowerCase()] ?? `Used ${entry.who}:`} ${command}`, entry);
  for (const line of entry.lines.filter((text) => VALUE.test(text)).slice(0, 3)) {
    add('critical', `${entry.who} showed ${line.replace(/^[+-] /, '')}`, entry);
  }
}

export function tellWords(entry: TranscriptEntry, lastUser: number, add: Add): void {
  for (const sentence of sentencesOf(entry)) {
    if (sentence.endsWith(':')) continue;
    if (DECISION.test(sentence)) add('decisions', retell(sentence), entry);
    else if (!PLAN.test(sentence)) add('done', retell(sentence), entry);
    // A plan from before the newest wish is done by now, or no longer wanted.
    else if (entry.number > lastUser) add('next', retell(sentence), entry);
  }
}

const CONSTRAINT =
  /\b(must|never|always|do not|don't|only|without|prefer|avoid|keep|should|at most|at least|no more than|not|no)\b/i;
const DECISION = /\b(decided|chose|choose|instead|because|going with|will use|settled)\b/i;
const PLAN = /\b(next|i'll|i will|let me|todo|remaining|still (?:need|have)|going to)\b/i;
const FAILURE = /^\W*(?:\w*Error|error|fatal|panic|FAIL(?:ED)?|Traceback|\w*Exception)\b|\bE[A-Z]{4,}\b:/;
const VALUE = /\d{2,}|https?:|[0-9a-f]{7,}|=/;
const PATH =
  /(?<![\w/:.])(?:[\w@-][\w.@-]*\/)+[\w.-]*\w|\b[\w-]+\.(?:ts|js|py|rs|go|md|json|toml|ya?ml|sql|sh|c|h|txt)\b/g;
const VERBS: Readonly<Record<string, string>> = {
  bash: 'Ran',
  shell: 'Ran',
  read: 'Looked at',
  write: 'Wrote',
  edit: 'Changed',
  grep: 'Searched for',
};

export function isUser({ type, who }: TranscriptEntry): boolean {
  return type === 'said' && /^(user|human)$/i.test(who);
}

export function isRule({ type, who }: TranscriptEntry): boolean {
  return type === 'said' && /^(system|developer|rules)$/i.test(who);
}

/** Rewrites a sentence as a report. Names at the beginning keep their spelling. */
function retell(sentence: string): string {
  const bare = sentence.replace(/^(?:ok(?:ay)?|sure|great|now)[,.!]? /i, '').replace(/^(?:I've|I have|I) (?!am\b)/, '');
  const told = bare.replace(/^(?:(?:Next )?I(?:'ll| will)|Let me) /, 'Planned to ').replace(/\.$/, '');
  return /^[a-z]+(?=[ ,]|$)/.test(told) ? told.charAt(0).toUpperCase() + told.slice(1) : told;
}

function quote(text: string): string {
  return text.includes('"') ? text : `"${clip(text)}"`;
}

/** Files that were worked on or talked about; outputs name too many others. */
export function pathsIn({ type, head, lines }: TranscriptEntry): readonly string[] {
  return (type === 'did' ? head : [head, ...lines].join('\n')).match(PATH) ?? [];
}

export function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= 240) return line;
  const space = line.lastIndexOf(' ', 238);
  return `${line.slice(0, space > 120 ? space : 238)} …`;
}
