import { o200k } from '../../src/models/o200k.ts';
import type { Random } from './random.ts';

/** Invented texts of about as many tokens as asked for. */
export interface Words {
  readonly prose: (tokens: number) => string;
  readonly log: (tokens: number) => string;
  readonly code: (tokens: number) => string;
  /** One short sentence. */
  readonly sentence: () => string;
  /** A word that no other text holds. */
  readonly marker: () => string;
}

const NOUNS = [
  'ferry',
  'ledger',
  'kiln',
  'orchard',
  'signal',
  'harbour',
  'valve',
  'parcel',
  'lantern',
  'meadow',
] as const;
const VERBS = ['moves', 'checks', 'loads', 'counts', 'opens', 'repairs', 'sorts', 'signs', 'ships', 'paints'] as const;
const PLACES = [
  'the north yard',
  'bay seven',
  'the upper mill',
  'pier two',
  'the glass house',
  'the quiet room',
] as const;
const LEVELS = ['INFO', 'DEBUG', 'WARN', 'INFO', 'TRACE'] as const;
const SYLLABLES = ['qua', 'bri', 'zol', 'mek', 'tiv', 'ru', 'phe', 'dax', 'lin', 'oko', 'yar', 'ume'] as const;

export function wordsOf(random: Random): Words {
  const number = (): number => random.below(90_000) + 10_000;
  const sentence = (): string =>
    `The ${random.pick(NOUNS)} ${random.pick(VERBS)} the ${random.pick(NOUNS)} at ${random.pick(PLACES)} after ${number()} rounds, and the ${random.pick(NOUNS)} of ${random.pick(PLACES)} ${random.pick(VERBS)} it again.`;
  const logLine = (): string =>
    `${random.pick(LEVELS)} ${random.pick(NOUNS)}-${random.below(40)} ${random.pick(VERBS)} batch=${number()} took=${random.below(900)}ms at ${random.pick(PLACES)}, next ${random.pick(NOUNS)} ${random.pick(VERBS)} ${random.pick(PLACES)}`;
  const codeLine = (): string =>
    `  const ${random.pick(NOUNS)}${random.below(999)} = ${random.pick(VERBS)}(${random.pick(NOUNS)}, ${number()});`;
  return {
    prose: (tokens) => fill(tokens, sentence, ' '),
    log: (tokens) => fill(tokens, logLine, '\n'),
    code: (tokens) => fill(tokens, codeLine, '\n'),
    sentence,
    marker: () => `${Array.from({ length: 4 }, () => random.pick(SYLLABLES)).join('')}${random.below(900) + 100}`,
  };
}

/** Counting a sample once is enough: all lines of a kind are alike. */
function fill(tokens: number, line: () => string, between: string): string {
  const sample = Array.from({ length: 8 }, line);
  const each = o200k.count(sample.join(between)) / sample.length;
  const lines = Math.max(1, Math.round(tokens / each));
  return Array.from({ length: lines }, (_, index) => sample[index] ?? line()).join(between);
}
