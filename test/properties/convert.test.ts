import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { type Part, resultTextOf, textOf, toolCallsOf, toolResultsOf } from '../../src/core/conversation/message.ts';
import { convert } from '../../src/formats/index.ts';
import { scripts, type WireFormat } from './arbitraries.ts';
import { check, decoded, FORMAT_IDS, FORMATS } from './support.ts';

/** What was said, called and answered, in order, without how the messages are cut and without what stands for media. */
function words({ messages }: Conversation, to: WireFormat): string {
  const start = messages.findIndex(({ role }) => role !== 'system');
  let speaker = '';
  return messages
    .flatMap((message, index) => {
      // Gemini has one place for system messages, before the others.
      const role = to === 'gemini' && message.role === 'system' && index > start ? 'user' : message.role;
      const said = bare(textOf(message));
      return [
        ...toolResultsOf(message).map((part) => ['result', bare(resultTextOf(part))] as const),
        ...(said === '' ? [] : [[role, said] as const]),
        ...toolCallsOf(message).map((part) => ['call', part.name] as const),
      ];
    })
    .filter(([, text]) => text !== '')
    .map(([who, text]) => {
      const isSame = who === speaker && who !== 'result' && who !== 'call';
      speaker = who;
      return isSame ? text : `${who}: ${text}`;
    })
    .join('\n');
}

function bare(text: string): string {
  // The text of a document stands in the message where a format has no documents.
  return text
    .replace(/\nfirst this$/, '')
    .replaceAll(/\[(?:image|file)[^\]\n]*left out\]/g, '')
    .replaceAll(/\s*\n/g, '\n')
    .trim();
}

describe('converting', () => {
  for (const from of FORMAT_IDS)
    for (const to of FORMAT_IDS.filter((id) => id !== from))
      it(`keeps every word and says what is lost, from ${from} to ${to}`, () =>
        check(
          fc.asyncProperty(scripts({ events: 12, output: 400 }), async (script) => {
            const conversation = decoded(from, script);
            const { conversation: other, wire, losses } = convert(conversation, FORMATS[to]);
            expect(FORMATS[to].check(other)).toEqual([]);
            expect(words(other, to)).toBe(words(conversation, to));
            // What is written is JSON, and needs no mending.
            const again = FORMATS[to].decode(JSON.parse(JSON.stringify(wire)));
            expect(again.notes).toEqual([]);
            expect(words(again.conversation, to)).toBe(words(other, to));
            saysLosses(
              conversation,
              losses.map(({ message, text }) => `${message} ${text}`),
              to,
            );
          }),
          120,
        ));
});

/** Formats that take no reasoning but their own. */
const OWN_REASONING: readonly WireFormat[] = ['anthropic', 'openai-responses'];

/** Signed reasoning, opaque parts and cache markers never come over, and never in silence. */
function saysLosses({ messages }: Conversation, losses: readonly string[], to: WireFormat): void {
  messages.forEach((message, index) => {
    const said = losses.filter((text) => text.startsWith(`${index} `)).join('\n');
    const parts = message.parts.flatMap((part): readonly Part[] =>
      part.type === 'tool-result' ? [part, ...part.content] : [part],
    );
    if (parts.some((part) => part.type === 'opaque')) expect(said).toContain('left out');
    if (parts.some((part) => part.type === 'reasoning' && (part.bound || OWN_REASONING.includes(to))))
      expect(said).toContain('reasoning');
    if (
      /cache_?control|cache_breakpoint|thoughtSignature|encrypted_content":"/i.test(
        JSON.stringify(parts.map((part) => part.raw)),
      )
    )
      expect(said).toContain('left out');
  });
}
