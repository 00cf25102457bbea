import type { ChainDone } from './job.ts';
import type { Verdict } from './results.ts';
import { FLOOD_LINE, REFUSAL } from './summariser.ts';
import { folded, textOfView } from './text.ts';
import type { BenchFact } from './types.ts';

export interface Judged {
  readonly verdict: Verdict;
  /** A short phrase for the report. */
  readonly detail: string;
}

export interface Evidence {
  readonly chain: Pick<ChainDone, 'before' | 'view' | 'error' | 'outcomes'>;
  /** Tokens of the view afterwards. */
  readonly tokens: number;
  /** Tokens of the agent's model. */
  readonly window: number;
  readonly constraints: readonly BenchFact[];
  readonly work: readonly BenchFact[];
}

/** What a bad answer leaves in the view if an arm believes it. */
const BAD_TEXT: readonly (readonly [string | RegExp, string])[] = [
  [REFUSAL, 'the refusal replaced the history'],
  [FLOOD_LINE.trim(), 'the flood replaced the history'],
  ['The work that was asked for, as far as it', 'the half sentence replaced the history'],
  [
    /error generating summary|internal server error|had an error while processing/i,
    'the error text replaced the history',
  ],
];

/** Judges from the view alone what a misbehaving summariser did to a session. */
export function verdictOf({ chain, tokens, window, constraints, work }: Evidence): Judged {
  const after = textOfView(chain.view);
  if (tokens > window) return lost(`the view no longer fits the window: ${tokens.toLocaleString('en-US')} tokens`);
  if (after === textOfView(chain.before)) {
    return chain.error === null
      ? { verdict: 'kept', detail: 'nothing changed, no error' }
      : { verdict: 'threw', detail: `error: ${shortened(chain.error)}` };
  }
  const bad = BAD_TEXT.find(([text]) => (typeof text === 'string' ? after.includes(text) : text.test(after)));
  if (bad !== undefined) return lost(bad[1]);
  const here = (fact: BenchFact): boolean => fact.needles.every((needle) => after.includes(needle));
  const gone = constraints.filter((fact) => !here(fact)).length;
  if (gone > 0) return lost(`${gone} of ${constraints.length} constraints lost`);
  const kept = work.filter(here).length;
  if (kept === 0) return lost('no fact of the work is left');
  return { verdict: 'fell-back', detail: `all constraints, ${kept} of ${work.length} facts of the work` };
}

function lost(detail: string): Judged {
  return { verdict: 'lost', detail };
}

const ERROR_LENGTH = 90;

function shortened(text: string): string {
  const line = folded(text).trim();
  return line.length <= ERROR_LENGTH ? line : `${line.slice(0, ERROR_LENGTH)}…`;
}
