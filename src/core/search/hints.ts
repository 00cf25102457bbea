import { classify, isDecision } from '../language/classify.ts';

/** Hints about an answer from the form of the question, beyond the words they share. */
export interface Hints {
  /** True when it asks for the user's words. */
  readonly fromUser: boolean;
  /** 1: it asks how things stand at the end; -1: how they were at first; 0: neither. */
  readonly time: -1 | 0 | 1;
  /** Shapes that an answer has: a hash, a path, a number, a reason. */
  readonly shapes: readonly Shape[];
}

type Shape = (text: string) => boolean;

export function hintsOf(question: string): Hints {
  return {
    fromUser: USER.test(question),
    time: LATE.test(question) ? 1 : EARLY.test(question) ? -1 : 0,
    shapes: SHAPES.filter(([asks]) => asks.test(question)).map(([, shape]) => shape),
  };
}

/** How many of the expected shapes a text has: 0 to 1. */
export function fitOf(text: string, { shapes }: Hints): number {
  return shapes.length === 0 ? 0 : shapes.filter((shape) => shape(text)).length / shapes.length;
}

const USER = /\b(?:users?|owner|customer|client|human)\b(?! (?:see|interface|message|prompt|input|id|name|agent))/i;
const LATE = /\b(?:latest|last|final(?:ly)?|current(?:ly)?|now|newest|most recent(?:ly)?|eventually|in the end)\b/i;
const EARLY = /\b(?:first|initial(?:ly)?|original(?:ly)?|earliest|at the beginning)\b/i;

const matches =
  (pattern: RegExp): Shape =>
  (text) =>
    pattern.test(text);

const SHAPES: readonly (readonly [RegExp, Shape])[] = [
  [/\bcommits?\b|\bhash(?:es)?\b|\bsha\b/i, matches(/\b(?=[a-f]*\d)[0-9a-f]{7,40}\b/)],
  [/\b(?:prs?|pull requests?|issues?|tickets?)\b/i, matches(/#\d+|\/(?:pull|issues)\/\d+/)],
  [/\b(?:files?|where|paths?|folders?|director(?:y|ies)|scripts?)\b/i, matches(/[\w-]\/[\w.-]|[\w-]\.[a-z]{1,5}\b/)],
  [
    /\bhow (?:many|much|big|large|long|often)\b|\b(?:numbers?|counts?|ports?|versions?|values?|sizes?|limits?|results?|levels?|colou?rs?)\b/i,
    matches(/\d/),
  ],
  [
    /\b(?:functions?|methods?|tests?|class(?:es)?|helpers?|members?|tokens?|fields?|keys?|types?|propert(?:y|ies)|symbols?|name[sd]?)\b/i,
    matches(/\p{Ll}\p{Lu}|[\p{L}\d]_\p{L}/u),
  ],
  [/\b(?:why|causes?|caused|reasons?)\b/i, (text) => REASON.test(text) || classify(text, 'report') === 'cause'],
  [
    /\b(?:errors?|fail(?:ed|s|ures?)?|problems?|messages?|warnings?)\b/i,
    (text) => classify(text, 'output') === 'error',
  ],
  [/\b(?:decisions?|decided?|chosen?|choose|pick(?:ed)?|reject(?:ed)?|approach)\b/i, isDecision],
];

const REASON =
  /\b(?:because|since|so that|due to|caused?|reasons?|root cause|would|means|doesn't|does not|didn't|wasn't)\b/i;
