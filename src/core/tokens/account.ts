import type { Message } from '../conversation/message.ts';
import type { Measure } from './measure.ts';

/** The size of a whole request, line by line, in tokens. The lines sum to `total`; `output` is reserved in addition to it. */
export interface Account {
  /** Words, calls and output of users, assistants and tools. */
  readonly messages: number;
  /** System and developer messages. */
  readonly system: number;
  /** Images and files, by formula. */
  readonly media: number;
  /** Thoughts of models, encrypted ones included. */
  readonly reasoning: number;
  /** Definitions of tools and schemas of answers. */
  readonly tools: number;
  /** What the provider counts beyond all that, learned from its reports. */
  readonly provider: number;
  /** The whole request. */
  readonly total: number;
  /** Tokens kept free for the answer. */
  readonly output: number;
}

/** Parts of a request that are in no message. No compaction can cut them. */
export interface Fixed {
  readonly tools: number;
  readonly provider: number;
}

/** Splits the fixed tokens of a request. Tools that the caller counted among them are not counted again. */
export function fixedOf(tools: number, all: number): Fixed {
  const counted = Math.min(tools, all);
  return { tools: counted, provider: all - counted };
}

export interface AccountInput {
  readonly messages: readonly Message[];
  readonly measure: Measure;
  readonly fixed: Fixed;
  readonly output: number;
}

/** Draws up the account of a request. */
export function accountFor({ messages, measure, fixed, output }: AccountInput): Account {
  const lines = { messages: 0, system: 0, media: 0, reasoning: 0 };
  for (const message of messages) {
    const size = measure.message(message);
    const { media, reasoning } = measure.shares(message);
    lines.media += media;
    lines.reasoning += reasoning;
    lines[message.role === 'system' ? 'system' : 'messages'] += Math.max(0, size - media - reasoning);
  }
  const total = lines.messages + lines.system + lines.media + lines.reasoning + fixed.tools + fixed.provider;
  return { ...lines, ...fixed, total, output };
}

/**
 * The account with another total. The words take up the difference. If they are less than that, the provider counts media for less than their
 * formula, and the other lines give way too: the lines always sum to the total.
 */
export function adjustedTo(account: Account, total: number): Account {
  const { total: before, output, ...lines } = account;
  let missing = total - before;
  for (const name of GIVING_WAY) {
    const tokens = Math.max(0, lines[name] + missing);
    missing -= tokens - lines[name];
    lines[name] = tokens;
  }
  return { ...lines, total, output };
}

const GIVING_WAY = ['messages', 'media', 'reasoning', 'system', 'provider', 'tools'] as const;

/** Names the lines of an account that take tokens, largest first, for people. */
export function accountText(account: Account): string {
  const { total: _total, output, ...lines } = account;
  const named = Object.entries(lines)
    .filter(([, tokens]) => tokens > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, tokens]) => `${NAMES[name as keyof typeof lines]} ${whole(tokens)}`);
  return [...named, ...(output > 0 ? [`reserved for the answer ${whole(output)}`] : [])].join(', ');
}

const NAMES: Readonly<Record<Exclude<keyof Account, 'total' | 'output'>, string>> = {
  messages: 'messages',
  system: 'system prompt',
  media: 'images and files',
  reasoning: 'reasoning',
  tools: 'tools',
  provider: 'added by the provider',
};

function whole(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
