/** The JSON receipt is an interface: exactly these fields, of these types. */
import { describe, expect, test } from 'vitest';
import { fixture, precis } from './fake-world.ts';
import { anthropicSession, chatSession } from './sample.ts';

type Shape = 'count' | 'index' | 'text' | { readonly [field: string]: Check } | readonly [Check];
type Check = Shape | ((value: unknown) => boolean);

const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRef = (value: unknown): boolean => typeof value === 'string' && /^⟦r:[0-9a-f]{13}⟧$/.test(value);

const ACCOUNT: Check = {
  messages: 'count',
  system: 'count',
  media: 'count',
  reasoning: 'count',
  tools: 'count',
  provider: 'count',
  total: 'count',
  output: 'count',
};

const RECEIPT: Check = {
  version: oneOf(1),
  outcome: oneOf('unchanged', 'trimmed', 'condensed', 'folded', 'repaired', 'fell-back', 'refused'),
  reason: 'text',
  tokens: { before: 'count', after: 'count', window: 'count', threshold: 'count', target: 'count' },
  account: { before: ACCOUNT, after: ACCOUNT },
  messages: { before: 'count', after: 'count' },
  facts: { critical: 'count', kept: 'count', recoverable: 'count', lost: 'count' },
  cache: { earliestChangedIndex: 'index', invalidatedTokens: 'count' },
  edits: [
    {
      kind: oneOf('trim', 'dedupe', 'condense', 'fold', 'retell', 'strip-reasoning', 'drop-image'),
      from: 'count',
      to: 'count',
      tokensBefore: 'count',
      tokensAfter: 'count',
      ref: isRef,
    },
  ],
  writer: { kind: oneOf('extractive', 'model', 'none'), model: isTextOrNull, attempts: 'count', validation: isObject },
  refusal: (value) => value === null || isObject(value),
  calls: [isObject],
  checkpoint: isTextOrNull,
  notes: ['text'],
  ms: 'count',
};

/** Every place where the value is not of the shape; a field too many or too few is one. */
function faults(value: unknown, check: Check, path = 'receipt'): readonly string[] {
  if (typeof check === 'function') return check(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
  if (Array.isArray(check))
    return Array.isArray(value)
      ? value.flatMap((item, at) => faults(item, check[0] as Check, `${path}[${at}]`))
      : [`${path} is no list`];
  if (check === 'text') return typeof value === 'string' && value !== '' ? [] : [`${path} is no text`];
  if (check === 'count') return Number.isInteger(value) && Number(value) >= 0 ? [] : [`${path} is no count`];
  if (check === 'index') return Number.isInteger(value) && Number(value) >= -1 ? [] : [`${path} is no index`];
  if (!isObject(value)) return [`${path} is no object`];
  const fields = check as Readonly<Record<string, Check>>;
  const extra = Object.keys(value as object).filter((field) => !(field in fields));
  const found = Object.entries(fields).flatMap(([field, inner]) =>
    faults((value as Record<string, unknown>)[field], inner, `${path}.${field}`),
  );
  return [...extra.map((field) => `${path}.${field} is not documented`), ...found];
}

describe('the receipt', () => {
  const files = { 'chat.json': JSON.stringify(chatSession()), 'anthropic.json': JSON.stringify(anthropicSession()) };
  test.each<[string, readonly string[], number]>([
    ['folded', ['chat.json', '--target', '600'], 0],
    ['condensed', ['anthropic.json', '--target', '4000'], 0],
    ['unchanged', ['chat.json', '--target', '90000'], 0],
    ['refused', ['chat.json', '--target', '10'], 2],
    ['folded', ['chat.json', '--target', '600', '--passes', '3'], 0],
    ['folded', [fixture('flight-change/session.json'), '--target', '3000'], 0],
    ['folded', [fixture('incident/session.jsonl'), '--target', '3000'], 0],
  ])('of a session that was %s has the documented shape: %j', async (outcome, args, exit) => {
    const { code, out } = await precis(['compact', ...args, '--json'], { files });
    expect(code).toBe(exit);
    const receipt = JSON.parse(out) as {
      readonly outcome: string;
      readonly tokens: Readonly<Record<'before' | 'after' | 'target', number>>;
      readonly facts: Readonly<Record<'critical' | 'kept' | 'recoverable' | 'lost', number>>;
      readonly edits: readonly { readonly from: number; readonly to: number }[];
      readonly messages: { readonly before: number };
    };
    expect(faults(receipt, RECEIPT)).toEqual([]);
    expect(receipt.outcome).toBe(outcome);
    const { critical, kept, recoverable, lost } = receipt.facts;
    expect(kept + recoverable + lost).toBe(critical);
    if (outcome === 'folded' || outcome === 'condensed') {
      expect(receipt.tokens.after).toBeLessThanOrEqual(receipt.tokens.target);
      for (const { from, to } of receipt.edits) {
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThan(receipt.messages.before);
      }
    } else expect(receipt.tokens.after).toBe(receipt.tokens.before);
  });
});
