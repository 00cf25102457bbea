import { createHash } from 'node:crypto';

/** A message as the binding of thinking sees it. */
export interface BoundMessage {
  readonly role: string;
  readonly blocks: readonly BoundBlock[];
}

export type BoundBlock =
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string }
  /** `digest` leaves cache markers out. */
  | { readonly type: 'other'; readonly digest: string; readonly isCall: boolean; readonly isResult: boolean };

interface Signed {
  readonly prefix: string;
  readonly previous: string | null;
  readonly text: string;
}

/** Signs thinking blocks with everything before them, and refuses blocks that come back behind something else. */
export interface ThinkingBinding {
  readonly check: (head: string, messages: readonly BoundMessage[]) => readonly string[];
  /** A signature for thinking that answers these messages. */
  readonly sign: (head: string, messages: readonly BoundMessage[], text: string) => string;
}

export function createThinkingBinding(): ThinkingBinding {
  const signed = new Map<string, Signed>();
  return {
    check(head, messages) {
      const faults: string[] = [];
      const { blocks } = walk(head, messages);
      let previous: string | null = null;
      for (const { signature, text, prefix, at } of blocks) {
        const record = signed.get(signature);
        if (record === undefined) faults.push(`ANT-4: message ${at}: a signature that was never given`);
        else if (record.text !== text) faults.push(`ANT-4: message ${at}: thinking was changed`);
        else if (record.prefix !== prefix)
          faults.push(`ANT-5: message ${at}: thinking is bound to a different conversation`);
        else if (previous !== null && record.previous !== previous)
          faults.push(`ANT-5: message ${at}: the thinking block before this one is missing`);
        previous = signature;
      }
      return faults;
    },
    sign(head, messages, text) {
      const { hash, blocks } = walk(head, messages);
      const previous = blocks.at(-1)?.signature ?? null;
      const signature = `sig${digestOf(hash + previous + text)}`;
      signed.set(signature, { prefix: hash, previous, text });
      return signature;
    },
  };
}

/** Says whether the run of calls and results under way starts with thinking, as the API demands once thinking is on. */
export function opensWithThinking(messages: readonly BoundMessage[]): boolean {
  const isResults = ({ role, blocks }: BoundMessage): boolean =>
    role === 'user' && blocks.some((block) => block.type === 'other' && block.isResult);
  const spoken = messages.filter(({ role }) => role !== 'system');
  const last = spoken.at(-1);
  if (last === undefined || !isResults(last)) return true;
  const asked = spoken.findLastIndex((message) => message.role === 'user' && !isResults(message));
  const opener = spoken.slice(asked + 1).find(({ role }) => role === 'assistant');
  return opener === undefined || opener.blocks[0]?.type === 'thinking';
}

interface Walked {
  /** Hash of everything. */
  readonly hash: string;
  readonly blocks: readonly {
    readonly signature: string;
    readonly text: string;
    readonly prefix: string;
    readonly at: number;
  }[];
}

/** Neighbours of one role are one message, so the prefix of thinking ends where the role changed last. */
function walk(head: string, messages: readonly BoundMessage[]): Walked {
  let hash = digestOf(head);
  let start = hash;
  let role = '';
  const blocks: Walked['blocks'][number][] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== role) {
      start = hash;
      role = message.role;
      hash = digestOf(`${hash}|${role}`);
    }
    for (const block of message.blocks) {
      if (block.type === 'thinking') blocks.push({ signature: block.signature, text: block.text, prefix: start, at });
      else hash = digestOf(hash + block.digest);
    }
  }
  return { hash, blocks };
}

export function digestOf(value: string): string {
  return createHash('sha1').update(value).digest('base64');
}

/** Digest of a wire value without its cache markers. */
export function digestOfBlock(value: unknown): string {
  return digestOf(JSON.stringify(value, (key, field: unknown) => (key === 'cache_control' ? undefined : field)) ?? '');
}
