import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/message.ts';
import { type Account, accountFor, accountText, adjustedTo } from './account.ts';
import type { TokenCounter } from './counter.ts';
import { createMeasure, MESSAGE_OVERHEAD_TOKENS } from './measure.ts';

/** A token for each character makes every size a length. */
const counter: TokenCounter = { id: 'characters', count: (text) => text.length };
const ENVELOPE = MESSAGE_OVERHEAD_TOKENS;

const image = { type: 'image', mediaType: 'image/png', width: 750, height: 750, url: null, detail: 'auto' } as const;
const file = { type: 'file', name: 'a.pdf', mediaType: 'application/pdf', bytes: 4_000 } as const;
const messages: readonly Message[] = [
  { role: 'system', parts: [{ type: 'text', text: 's'.repeat(100) }] },
  { role: 'user', parts: [{ type: 'text', text: 'u'.repeat(50) }, image, file] },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'r'.repeat(30), bound: true, encrypted: 800 },
      { type: 'text', text: 'a'.repeat(20) },
    ],
  },
  { role: 'tool', parts: [{ type: 'tool-result', callId: '', content: [image], isError: false }] },
];

const linesOf = ({ total: _total, output: _output, ...lines }: Account): readonly number[] => Object.values(lines);
const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);
const accountAt = (factor: number): Account =>
  accountFor({
    messages,
    measure: createMeasure(counter, factor),
    fixed: { tools: 300, provider: 40 },
    output: 500,
  });

describe('the account of a request', () => {
  it('has lines that sum to its total, whatever the factor', () => {
    for (const factor of [0.2, 0.37, 1, 1.15, 2.9]) {
      const account = accountAt(factor);
      expect(sum(linesOf(account))).toBe(account.total);
      expect(account.total).toBe(createMeasure(counter, factor).messages(messages) + 340);
      expect(account.output).toBe(500);
    }
  });

  it('counts system messages, thoughts and media on lines of their own', () => {
    const picture = createMeasure(counter).shares({ role: 'user', parts: [image] }).media;
    expect(picture).toBeGreaterThan(0);
    expect(accountAt(1)).toMatchObject({
      system: 100 + ENVELOPE,
      media: 2 * picture + 1_000,
      tools: 300,
      provider: 40,
    });
  });

  it('counts encrypted reasoning by its size, when that is more than its words', () => {
    expect(accountAt(1).reasoning).toBe(200);
    const [, , thought] = messages as readonly [Message, Message, Message];
    const plain = { ...thought, parts: [{ type: 'reasoning', text: 'r'.repeat(30), bound: false } as const] };
    expect(createMeasure(counter).shares(plain).reasoning).toBe(30);
  });

  it('scales words and thoughts by the factor, and never media, tools or what the provider adds', () => {
    const [plain, scaled] = [accountAt(1), accountAt(2)];
    expect(scaled).toMatchObject({ media: plain.media, tools: plain.tools, provider: plain.provider });
    expect(scaled.system).toBe(plain.system * 2);
    expect(scaled.reasoning).toBe(plain.reasoning * 2);
  });

  it('does not scale a picture inside a result that only its provider can write', () => {
    const shot = { type: 'opaque', kind: 'screenshot', json: '', pictures: [{ width: 750, height: 750 }] } as const;
    const seen: Message = {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: '', content: [shot], isError: false }],
    };
    const media = createMeasure(counter).shares(seen).media;
    expect(media).toBeGreaterThan(0);
    expect(createMeasure(counter, 2).shares(seen).media).toBe(media);
  });

  it('names its lines for people, largest first, without empty ones', () => {
    const text = accountText({ ...accountAt(1), system: 0 });
    expect(text).not.toContain('system prompt');
    expect(text).toMatch(/^images and files [\d,]+, tools 300, reasoning 200, .*reserved for the answer 500$/);
  });
});

describe('an account that is adjusted to a total', () => {
  const account = accountAt(1);

  it('puts what is missing on the words', () => {
    const grown = adjustedTo(account, account.total + 77);
    expect(grown).toEqual({ ...account, messages: account.messages + 77, total: account.total + 77 });
  });

  it('still sums to the total when that is less than the media alone', () => {
    for (const total of [0, 10, 400, account.media - 1, account.total - 1]) {
      const smaller = adjustedTo(account, total);
      expect(smaller.total).toBe(total);
      expect(sum(linesOf(smaller))).toBe(total);
      for (const line of linesOf(smaller)) expect(line).toBeGreaterThanOrEqual(0);
    }
  });
});
