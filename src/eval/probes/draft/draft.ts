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

/** Options of `draftBank`. */
export interface DraftOptions {
  /** Name of the fixture. */
  readonly fixture: string;
  /** Most probes to draft. @default 10: enough for a session, few enough for a person to read */
  readonly count?: number;
  /** Proposes decisions and reasons. The session must hold its answers letter for letter. @default none */
  readonly model?: Model;
  /** Finds the kinds of secrets and personal data in a text. @default the rules for secrets of core */
  readonly secretsIn?: (text: string) => readonly string[];
  /** Counts tokens, to find what truncation would keep. @default the heuristic counter */
  readonly counter?: TokenCounter;
  /** Makes the digest of the bank. @default the content hash of core */
  readonly hash?: Hash;
  /** Ends a call to the model early. @default none */
  readonly signal?: AbortSignal;
}

/** A drafted bank, for a person to review. */
export interface Draft {
  /** The probes that passed every gate. */
  readonly bank: ProbeBank;
  /** Candidates that failed a gate, with the gate and the reason. */
  readonly rejected: readonly NotTaken[];
  /** Proposals of the model that could not be verified, as sentences. */
  readonly dropped: readonly string[];
  /** Number of candidates. */
  readonly candidates: number;
}

const USUAL_COUNT = 10;

/**
 * Drafts a probe bank from a session, for a person to review. It asks for facts from messages that will be folded, preferably facts that are
 * used again later, and verifies that the session holds each of them.
 */
export async function draftBank(conversation: Conversation, options: DraftOptions): Promise<Draft> {
  const { fixture, count = USUAL_COUNT, model, secretsIn = usualSecrets, counter, hash, signal } = options;
  const transcript = transcriptOf(historyOf(conversation), counter);
  const proposed =
    model === undefined ? { candidates: [], dropped: [] } : await askForDecisions(transcript, model, signal);
  const found = [...proposed.candidates, ...candidatesOf(transcript)];
  // One question in ten has no answer: enough to see whether a model makes things up.
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
