import { type Conversation, historyOf } from '../../../core/conversation/conversation.ts';
import type { Model } from '../../../core/model.ts';
import type { TokenCounter } from '../../../core/tokens/counter.ts';
import type { ProbeBank } from '../../types.ts';
import { bankOf, type Hash } from '../bank.ts';
import { usualSecrets } from '../check/gates.ts';
import { transcriptOf } from '../check/transcript.ts';
import { absentCandidates } from './absent.ts';
import { candidatesOf } from './candidates.ts';
import { choose, type NotTaken } from './choose.ts';
import { askForDecisions } from './decisions.ts';

/** How a bank is drafted. */
export interface DraftOptions {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Probes to draft at most. @default 10: enough for a session, few enough to be read by a person */
  readonly count?: number;
  /** Proposes decisions and reasons; what it answers must stand in the session letter for letter. @default none */
  readonly model?: Model;
  /** Kinds of secrets and personal things in a text. @default the rules for secrets of core */
  readonly secretsIn?: (text: string) => readonly string[];
  /** Counts tokens, to tell what truncation would keep. @default the heuristic counter */
  readonly counter?: TokenCounter;
  /** Makes the digest of the bank. @default the content hash of core */
  readonly hash?: Hash;
  /** Ends a call to the model early. @default none */
  readonly signal?: AbortSignal;
}

/** A drafted bank, for a person to read. */
export interface Draft {
  /** The probes that passed every gate. */
  readonly bank: ProbeBank;
  /** Candidates that failed a gate, with the gate and the reason. */
  readonly rejected: readonly NotTaken[];
  /** Proposals of the model that could not be verified, as sentences. */
  readonly dropped: readonly string[];
  /** How many candidates there were. */
  readonly candidates: number;
}

const USUAL_COUNT = 10;

/** Drafts a probe bank from a session: facts of what will be folded, preferably used again later, each verified to stand there. For a person to read. */
export async function draftBank(conversation: Conversation, options: DraftOptions): Promise<Draft> {
  const { fixture, count = USUAL_COUNT, model, secretsIn = usualSecrets, counter, hash, signal } = options;
  const transcript = transcriptOf(historyOf(conversation), counter);
  const proposed =
    model === undefined ? { candidates: [], dropped: [] } : await askForDecisions(transcript, model, signal);
  const found = [...proposed.candidates, ...candidatesOf(transcript)];
  // One question in ten that has no answer: enough to see who makes things up.
  const blanks = Math.min(Math.floor(count / 8), absentCandidates(transcript).length);
  const chosen = choose({ candidates: found, count: count - blanks, transcript, secretsIn });
  const absent = choose({ candidates: absentCandidates(transcript), count: blanks, transcript, secretsIn });
  const probes = [...chosen.probes, ...absent.probes];
  return {
    bank: bankOf({ fixture, probes, file: '', ...(hash === undefined ? {} : { hash }) }),
    rejected: [...chosen.rejected, ...absent.rejected],
    dropped: proposed.dropped,
    candidates: found.length,
  };
}
