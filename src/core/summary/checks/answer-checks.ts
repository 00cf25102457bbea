import type { FinishReason } from '../../model.ts';
import { readAnswer, withoutThinking } from '../answer.ts';

/** What is looked at to decide whether an answer is a summary at all. */
export interface AnswerInput {
  readonly answer: string;
  readonly finish: FinishReason;
  /** The transcript it was to summarise. Lines of the handoff so far are not in it: repeating those is right. */
  readonly transcript: string;
  readonly answerTokens: number;
  readonly sourceTokens: number;
  /** Tokens of the lines so far, which an answer takes over. */
  readonly previousTokens: number;
}

/** A check with its name in the receipt: null when all is well, else what was wrong, for the model and for people. */
export interface AnswerCheck {
  readonly name: string;
  readonly run: (input: AnswerInput) => string | null;
}

const REFUSAL =
  /\b(?:i(?:'m| am)? (?:sorry|unable|not able)|i can(?:'t|not)|i won't|cannot (?:help|assist|comply)|as an ai|not comfortable|against my)\b|(?:抱歉|无法|不能(?:帮|协助|提供))|(?:申し訳|できません)|\b(?:es tut mir leid|ich kann (?:nicht|das nicht|dabei))\b|\b(?:désolé|je ne peux pas)\b|\b(?:lo siento|no puedo)\b|(?:извините|не могу)|\b(?:desculpe|não posso)\b/i;
const ERROR_TEXT =
  /^\s*(?:\{\s*"(?:error|type"\s*:\s*"error)|<!doctype|<html|(?:internal server |api |unexpected )?error\b|exception\b|traceback \(most|http \d{3}\b|\d{3} (?:unauthorized|forbidden|too many|internal|bad gateway|service)|rate limit|request timed out|error generating)/i;

/** A text this short without a single bullet is not a handoff of anything. */
const SHORT_CHARS = 600;
const EMPTY_CHARS = 20;
/** Lines shared with the prompt above this share are an echo. */
const ECHO_SHARE = 0.6;
const LEAST_BULLETS = 2;
/** A summary of more than this share of its source is not one. */
const SMALLER_SHARE = 0.8;
/** Below this the source is so short that its summary may be as long. */
const SMALL_SOURCE_TOKENS = 400;

export const ANSWER_CHECKS: readonly AnswerCheck[] = [
  {
    name: 'empty',
    run: ({ answer }) => (withoutThinking(answer).length < EMPTY_CHARS ? 'the answer was empty' : null),
  },
  {
    name: 'truncated',
    run: ({ finish }) => (finish === 'stop' ? null : `the answer ended early (${finish})`),
  },
  {
    name: 'refusal',
    run: ({ answer }) =>
      answer.length < SHORT_CHARS && REFUSAL.test(answer) && readAnswer(answer).length < LEAST_BULLETS
        ? 'the answer was a refusal'
        : null,
  },
  {
    name: 'error-text',
    run: ({ answer }) =>
      ERROR_TEXT.test(answer) && readAnswer(answer).length < LEAST_BULLETS ? 'the answer was an error message' : null,
  },
  {
    name: 'echo',
    run: ({ answer, transcript }) =>
      echoShare(answer, transcript) > ECHO_SHARE ? 'the answer repeated the transcript' : null,
  },
  {
    name: 'not-smaller',
    run: ({ answerTokens, sourceTokens, previousTokens }) =>
      answerTokens > previousTokens + Math.max(SMALL_SOURCE_TOKENS, sourceTokens * SMALLER_SHARE)
        ? 'the answer was not shorter than the transcript'
        : null,
  },
  {
    name: 'missing-sections',
    run: ({ answer }) =>
      readAnswer(answer).length < LEAST_BULLETS ? 'the answer had no bullets under the headings asked for' : null,
  },
];

/** Share of the answer's longer lines that stand in the transcript word for word. */
function echoShare(answer: string, transcript: string): number {
  const known = new Set(transcript.split('\n').map((line) => line.trim()));
  const lines = answer
    .split('\n', 2_000)
    .map((line) => line.trim())
    .filter((line) => line.length > 30);
  return lines.length === 0 ? 0 : lines.filter((line) => known.has(line)).length / lines.length;
}
