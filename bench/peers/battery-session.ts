import { logOutput, looking, matchesOutput, testsOutput } from './battery/output.ts';
import { type Call, type Deed, STORY, type Step, SYSTEM } from './battery/story.ts';
import { CONSTRAINTS, FILES, type FileTruth, WORK } from './battery/truth.ts';
import { type Dialect, spoken } from './dialect.ts';
import { folded, textOfMessage } from './text.ts';
import type { BenchFact, BenchSession, WireMessage } from './types.ts';

/** A session made by code, of which everything is known. */
export interface BatterySession extends BenchSession {
  /** What the user demanded: must never be lost. */
  readonly constraints: readonly BenchFact[];
  /** Decisions, errors, values and files. */
  readonly work: readonly BenchFact[];
  readonly files: readonly FileTruth[];
}

/** About 90,000 and 600,000 tokens: one call with its output is some 2,000. */
export const USUAL_CALLS = 60;
export const LONG_CALLS = 320;

/** The same words each time. The dialect says only how calls are spelled: every peer knows the tools of its own agent. */
export function batterySession(dialect: Dialect, calls: number = USUAL_CALLS): BatterySession {
  const deeds = STORY.filter(({ type }) => type === 'call').length;
  const gaps = STORY.filter(({ type }) => type === 'looks-around').length;
  const looks = Math.max(0, calls - deeds);
  let gap = 0;
  let seed = 0;
  const messages: WireMessage[] = [{ role: 'system', content: SYSTEM }];
  const add = (step: Step): void => {
    if (step.type === 'user') messages.push({ role: 'user', content: step.text });
    else if (step.type === 'says') messages.push({ role: 'assistant', content: step.text });
    else if (step.type === 'call') messages.push(...callMessages(step, dialect, seed++));
    else {
      const share = Math.floor((looks * (gap + 1)) / gaps) - Math.floor((looks * gap) / gaps);
      gap++;
      for (let look = 0; look < share; look++) messages.push(...lookMessages(dialect, seed++));
    }
  };
  for (const step of STORY) add(step);
  const texts = messages.map((message) => folded(textOfMessage(message)));
  const factOf = (kind: string, needle: string, index: number): BenchFact => ({
    id: `${kind}-${index + 1}`,
    kind,
    question: `What was said: ${kind} ${index + 1}?`,
    needles: [folded(needle)],
    position: texts.findLastIndex((text) => text.includes(folded(needle))) / (texts.length - 1),
  });
  const constraints = CONSTRAINTS.map((needle, index) => factOf('constraint', needle, index));
  const work = [
    ...WORK.map(({ kind, needle }, index) => factOf(kind, needle, index)),
    ...FILES.map(({ path }, index) => factOf('file', path, index)),
  ];
  return {
    name: `battery (${dialect}, ${calls} calls)`,
    messages,
    facts: [...constraints, ...work],
    constraints,
    work,
    files: FILES,
  };
}

function callMessages({ says, does, output }: Call, dialect: Dialect, seed: number): readonly WireMessage[] {
  const printed = [...(output === undefined ? [] : [output]), printedBy(does, seed)].join('\n');
  return pair(says, does, { dialect, seed, printed });
}

function lookMessages(dialect: Dialect, seed: number): readonly WireMessage[] {
  const { command, path, output } = looking(seed);
  const does: Deed = command === null ? { type: 'read', path } : { type: 'shell', command, prints: 'matches' };
  return pair(null, does, { dialect, seed, printed: output });
}

function pair(
  says: string | null,
  does: Deed,
  { dialect, seed, printed }: { readonly dialect: Dialect; readonly seed: number; readonly printed: string },
): readonly WireMessage[] {
  const id = `call_${String(seed + 1).padStart(4, '0')}`;
  const { name, input } = spoken(does, dialect);
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } } as const;
  return [
    { role: 'assistant', content: says, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: printed },
  ];
}

function printedBy(does: Deed, seed: number): string {
  switch (does.type) {
    case 'write':
      return `Wrote ${does.content.length} bytes to ${does.path}`;
    case 'edit':
      return `Edited ${does.path}: replaced 1 occurrence`;
    case 'read':
      return looking(seed).output;
    case 'shell':
      return { tests: testsOutput, log: logOutput, matches: matchesOutput }[does.prints](seed);
  }
}
