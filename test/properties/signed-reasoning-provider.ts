import { checkers } from '../../bench/loops/checkers/all.ts';
import { isRecord, listIn, records } from '../../bench/loops/checkers/checker.ts';
import { digestOf, digestOfBlock } from '../../bench/loops/checkers/thinking-binding.ts';
import type { Wire } from '../../bench/loops/said.ts';
import type { ScriptedStep } from './signed-reasoning-script.ts';

export const SIGNED_WIRES = ['anthropic', 'ai-sdk', 'openai-responses', 'gemini'] as const;
export type SignedWire = (typeof SIGNED_WIRES)[number];

/** A provider that signs its reasoning and refuses a request for the reasons that its documentation gives. */
export interface SigningProvider {
  readonly faults: (request: unknown) => readonly string[];
  /** The answer to a request, signed. `thought` says how the model thinks; null when it does not. */
  readonly sign: (
    request: unknown,
    answer: readonly Wire[],
    thought: ScriptedStep['thought'] | null,
  ) => readonly Wire[];
}

export function signingProvider(wire: SignedWire): SigningProvider {
  if (wire === 'anthropic' || wire === 'ai-sdk') return claude(wire);
  const { check, sign } = checkers[wire]({ hasReminders: true });
  return { faults: (request) => check(request).filter((fault) => !SHORTENED_CALL.test(fault)), sign };
}

/** No documentation says that Gemini compares the arguments of a signed call; its signature must be there, and that is another fault. */
const SHORTENED_CALL = /^GEM-4: .*a signed part was changed/;

/** How a wire writes a thought of Claude. */
interface Thoughts {
  readonly read: (block: Wire) => { readonly text: string; readonly signature: string } | null;
  readonly write: (text: string, signature: string, isRedacted: boolean) => Wire;
}

const THOUGHTS: Readonly<Record<'anthropic' | 'ai-sdk', Thoughts>> = {
  anthropic: {
    read(block) {
      if (block['type'] === 'thinking')
        return { text: String(block['thinking']), signature: String(block['signature']) };
      return block['type'] === 'redacted_thinking' ? { text: '', signature: String(block['data']) } : null;
    },
    write: (text, signature, isRedacted) =>
      isRedacted ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking: text, signature },
  },
  'ai-sdk': {
    read(block) {
      const options = isRecord(block['providerOptions']) ? block['providerOptions']['anthropic'] : null;
      if (block['type'] !== 'reasoning' || !isRecord(options)) return null;
      return { text: String(block['text']), signature: String(options['signature'] ?? options['redactedData']) };
    },
    write: (text, signature, isRedacted) => ({
      type: 'reasoning',
      text: isRedacted ? '' : text,
      providerOptions: { anthropic: isRedacted ? { redactedData: signature } : { signature } },
    }),
  },
};

interface Signed {
  readonly prefix: string;
  readonly previous: string | null;
  readonly text: string;
}

/** Signs every thought with all that came before its message, and with the thought before it. */
function claude(wire: 'anthropic' | 'ai-sdk'): SigningProvider {
  const { read, write } = THOUGHTS[wire];
  const structure = checkers[wire]({ hasReminders: true });
  const signed = new Map<string, Signed>();
  const remember = (from: Signed): string => {
    const signature = `sig${signed.size}${digestOf(from.prefix + from.previous + from.text)}`;
    signed.set(signature, from);
    return signature;
  };
  return {
    faults(request) {
      const rules = structure.check(withPlainThoughts(request, read, write));
      return [...rules.filter((fault) => !BY_US.test(fault)), ...bindingFaults(walk(request, read), signed)];
    },
    sign(request, answer, thought) {
      const { end, thoughts } = walk(request, read);
      let previous = thoughts.at(-1)?.signature ?? null;
      const again = (text: string, isRedacted: boolean): Wire => {
        const words = isRedacted ? '' : text;
        previous = remember({ prefix: end, previous, text: words });
        return write(words, previous, isRedacted);
      };
      return answer.map((message) => {
        const blocks = blocksOf(message).flatMap((block): readonly Wire[] => {
          const own = read(block);
          if (own === null) return [block];
          const first = again(own.text, thought === 'redacted');
          return thought === 'twice'
            ? [first, { type: 'text', text: 'First the plan.' }, again(`${own.text}?`, false)]
            : [first];
        });
        return { ...message, content: blocks };
      });
    },
  };
}

/** Faults that the binding below finds itself. */
const BY_US = /^ANT-[45]: message \d+: (?:a signature|thinking (?:was|is)|the thinking)/;

function bindingFaults({ thoughts }: Walked, signed: ReadonlyMap<string, Signed>): readonly string[] {
  let previous: string | null = null;
  return thoughts.flatMap(({ signature, text, prefix, at }) => {
    const from = signed.get(signature);
    const before = previous;
    previous = signature;
    if (from === undefined) return [`ANT-4: message ${at}: a signature that was never given`];
    if (from.text !== text) return [`ANT-4: message ${at}: a thought was changed`];
    if (from.prefix !== prefix) return [`ANT-5: message ${at}: a thought is bound to a different conversation`];
    // Thoughts may be missing from the start, not from the middle.
    if (before !== null && from.previous !== before)
      return [`ANT-5: message ${at}: the thought before this one is missing`];
    return [];
  });
}

interface Walked {
  /** Hash of system prompt, tools and all messages, without thoughts and cache markers. */
  readonly end: string;
  readonly thoughts: readonly {
    readonly signature: string;
    readonly text: string;
    readonly prefix: string;
    readonly at: number;
  }[];
}

/** The API merges neighbours of one role: what binds a thought ends where the role changed last. */
function walk(request: unknown, read: Thoughts['read']): Walked {
  const { system, tools }: Wire = isRecord(request) ? request : {};
  const thoughts: Walked['thoughts'][number][] = [];
  let end = digestOfBlock([system, tools]);
  let prefix = end;
  let role = '';
  for (const [at, message] of listIn(request, 'messages').entries()) {
    const own = message['role'] === 'tool' ? 'user' : String(message['role']);
    if (own !== role) {
      prefix = end;
      role = own;
      end = digestOf(`${end}|${role}`);
    }
    for (const block of blocksOf(message)) {
      const thought = read(block);
      if (thought !== null) thoughts.push({ ...thought, prefix, at });
      else end = digestOf(end + digestOfBlock(block));
    }
  }
  return { end, thoughts };
}

/** The rules about structure ask where a thought is, not what it hides. */
function withPlainThoughts(request: unknown, read: Thoughts['read'], write: Thoughts['write']): unknown {
  if (!isRecord(request)) return request;
  const messages = listIn(request, 'messages').map((message) => {
    if (typeof message['content'] === 'string') return message;
    const content = records(message['content']).map((block) => {
      const thought = read(block);
      return thought === null ? block : write('hidden', thought.signature, false);
    });
    return { ...message, content };
  });
  return { ...request, messages };
}

function blocksOf({ content }: Wire): readonly Wire[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : records(content);
}

/** Every thought in a request or message list, as the bytes that were sent. */
export function thoughtsIn(wire: SignedWire, value: unknown): readonly string[] {
  const found: string[] = [];
  JSON.stringify(value, (_key, field: unknown) => {
    if (isRecord(field) && isThought(wire, field)) found.push(JSON.stringify(field));
    return field;
  });
  return found;
}

function isThought(wire: SignedWire, part: Wire): boolean {
  if (wire === 'anthropic' || wire === 'ai-sdk') return THOUGHTS[wire].read(part) !== null;
  return wire === 'gemini' ? typeof part['thoughtSignature'] === 'string' : part['type'] === 'reasoning';
}
