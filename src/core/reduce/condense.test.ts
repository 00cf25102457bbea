import { describe, expect, it } from 'vitest';
import type { Message, Part, ToolResultPart } from '../conversation/message.ts';
import { resultTextOf } from '../conversation/message.ts';
import { refOfResult, refsIn } from '../conversation/ref.ts';
import { entriesOf } from '../record/entries.ts';
import type { DidEntry } from '../record/entry.ts';
import { type CondensedCall, condenseMessage } from './condense.ts';

const output = Array.from({ length: 40 }, (_, at) => `line ${at} of the output`).join('\n');
const image: Part & { type: 'image' } = {
  type: 'image',
  mediaType: 'image/png',
  width: 100,
  height: 100,
  url: null,
  detail: 'auto',
};
const opaque: Part & { type: 'opaque' } = { type: 'opaque', kind: 'hologram', json: '{}' };

function result(content: ToolResultPart['content'], isError = false): ToolResultPart {
  return { type: 'tool-result', callId: 'c1', content, isError };
}

const tool = (part: ToolResultPart): Message => ({ role: 'tool', parts: [part] });
const partOf = (message: Message): ToolResultPart => message.parts[0] as ToolResultPart;
const text = (value: string) => ({ type: 'text', text: value }) as const;

/** What a plan knows of one call that gave this result. */
function known(part: ToolResultPart, change: Partial<CondensedCall> = {}): ReadonlyMap<string, CondensedCall> {
  const call: Message = {
    role: 'assistant',
    parts: [{ type: 'tool-call', callId: 'c1', name: 'Bash', arguments: '{"command":"make test"}' }],
  };
  const entries = entriesOf([
    { number: 1, message: call },
    { number: 2, message: tool(part) },
  ]);
  const entry = entries.find(({ type }) => type === 'did') as DidEntry;
  return new Map([['c1', { entry, kept: [], keeper: null, trimChars: null, ...change }]]);
}

describe('condenseMessage', () => {
  it('puts one line in place of a long result: tool, target, how much is left out and where it is', () => {
    const part = result([text(output)]);
    const short = condenseMessage(tool(part), known(part, { kept: [3, 1] }));
    const [head, ...kept] = resultTextOf(partOf(short)).split('\n');
    expect(head).toMatch(/^\[precis: Bash make test; 38 lines, \d+ tokens left out, original ⟦r:[0-9a-f]{13}⟧\]$/);
    expect(refsIn(head ?? '')).toEqual([refOfResult(part)]);
    expect(kept).toEqual(['line 1 of the output', 'line 3 of the output']);
  });

  it('points to the message that says the same', () => {
    const part = result([text(output)]);
    const short = condenseMessage(tool(part), known(part, { keeper: 9 }));
    expect(resultTextOf(partOf(short))).toBe(
      `[precis: same output as in message #9 below, original ${refOfResult(part)}]`,
    );
  });

  it('keeps that a call failed', () => {
    const part = result([text(`Error: x\n${output}`)], true);
    const short = partOf(condenseMessage(tool(part), known(part)));
    expect(short.isError).toBe(true);
    expect(resultTextOf(short)).toContain('→ failed');
  });

  it('leaves short results, texts and parts it does not know as the very same object', () => {
    for (const message of [
      tool(result([text('ok')])),
      tool(result([text(output), opaque])),
      { role: 'user', parts: [text(output), opaque] } as const,
      { role: 'assistant', parts: [text(output)] } as const,
    ])
      expect(condenseMessage(message, new Map())).toBe(message);
  });

  it('puts a note in place of media, and no empty text beside it', () => {
    const only = partOf(condenseMessage(tool(result([image])), new Map()));
    expect(only.content).toEqual([text('[precis: image (image/png) left out]')]);
    const message = condenseMessage({ role: 'user', parts: [text('see'), image] }, new Map());
    expect(message.parts).toEqual([text('see'), text('[precis: image (image/png) left out]')]);
  });

  it('lets reasoning go, but never a whole message', () => {
    const thought: Part = { type: 'reasoning', text: 'hm', bound: true };
    expect(condenseMessage({ role: 'assistant', parts: [thought, text('a')] }, new Map()).parts).toEqual([text('a')]);
    const alone: Message = { role: 'assistant', parts: [thought] };
    expect(condenseMessage(alone, new Map())).toBe(alone);
  });

  it('shortens long arguments inside valid JSON', () => {
    const part: Part = {
      type: 'tool-call',
      callId: 'c1',
      name: 'Write',
      arguments: JSON.stringify({ path: 'a', content: output }),
    };
    const [short] = condenseMessage({ role: 'assistant', parts: [part] }, new Map()).parts;
    expect(short).toMatchObject({ type: 'tool-call', callId: 'c1', name: 'Write' });
    expect(short?.type === 'tool-call' && JSON.parse(short.arguments)).toMatchObject({ path: 'a' });
  });

  it.each<[string, ToolResultPart, Partial<CondensedCall>]>([
    ['long text', result([text(output)]), {}],
    ['long text with kept lines', result([text(output)]), { kept: [0, 5] }],
    ['trimmed text', result([text(output.repeat(6))]), { trimChars: 900 }],
    ['a copy', result([text(output)]), { keeper: 7 }],
    ['a picture with a caption', result([text('caption '.repeat(24)), image]), {}],
    ['a picture with a long text', result([text(output), image]), {}],
    ['only a picture', result([image]), {}],
    ['an error', result([text(output)], true), {}],
  ])('done twice is done once: %s', (_, part, change) => {
    const calls = known(part, change);
    const once = condenseMessage(tool(part), calls);
    expect(once).not.toEqual(tool(part));
    expect(condenseMessage(once, calls)).toBe(once);
    expect(resultTextOf(partOf(once)).length).toBeLessThan(resultTextOf(part).length + 60);
  });
});
