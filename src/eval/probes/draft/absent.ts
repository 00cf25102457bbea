import type { Transcript } from '../check/transcript.ts';
import type { ProbeCandidate } from './candidate.ts';

/** Questions that sound answerable. Each may be asked only of a session that contains none of its words. */
const QUESTIONS: readonly (readonly [question: string, words: readonly string[]])[] = [
  ['Which Redis server are the counters kept on?', ['redis']],
  ['Which Kafka topic do the events go to?', ['kafka']],
  ['Which feature flag was the change put behind?', ['feature flag', 'feature-flag', 'featureflag']],
  ['How long is the certificate of the server valid?', ['certificate']],
  ['Which Terraform module was changed?', ['terraform']],
  ['Which phone number did the user ask to be called back on?', ['phone number', 'call back', 'call me']],
  ['Which translation was missing in the French version?', ['french']],
  ['How many disks of the backup server had failed?', ['backup server', 'disks']],
  ['Which licence did the legal department object to?', ['licence', 'license']],
  ['What is the name of the colleague who takes over on Thursday?', ['thursday']],
];

/** Proposes questions about things that were never said. The right answer is that the session does not say it. */
export function absentCandidates({ whole, texts }: Transcript): readonly ProbeCandidate[] {
  // Each session starts with a different question, so that banks differ.
  const first = texts.length % QUESTIONS.length;
  return [...QUESTIONS.slice(first), ...QUESTIONS.slice(0, first)]
    .filter(([, words]) => !words.some((word) => whole.lower.includes(word)))
    .map(([question]) => ({
      prefix: 'a',
      type: 'abstention',
      question,
      expected: [],
      message: -1,
      worth: 0,
    }));
}
