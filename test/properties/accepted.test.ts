import {
  AIMessage,
  BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
} from '@langchain/core/messages';
import { generateText, type ModelMessage, modelMessageSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import type { SoundConversation } from '../../src/core/conversation/sound.ts';
import { aiSdk, convert, langChain } from '../../src/formats/index.ts';
import { scripts } from './arbitraries.ts';
import { check, decoded, FORMAT_IDS, targetOf } from './support.ts';

const model = (): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: {
      content: [{ type: 'text', text: 'done' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  });

async function takes(messages: readonly ModelMessage[]): Promise<void> {
  for (const message of messages) expect(modelMessageSchema.safeParse(message).error).toBeUndefined();
  const { text } = await generateText({ model: model(), messages: [...messages], allowSystemInMessages: true });
  expect(text).toBe('done');
}

describe('what is written is accepted', () => {
  it('by the AI SDK, after any compaction', { timeout: 60_000 }, () =>
    check(
      fc.asyncProperty(
        scripts({ events: 14, inFlight: false }),
        fc.constantFrom(0.2, 0.5, 0.8),
        async (script, share) => {
          const conversation = decoded('ai-sdk', script);
          // Parts of no version are passed on as they came, and are none of ours.
          if (conversation.messages.some((message) => !modelMessageSchema.safeParse(message.raw).success)) return;
          const { conversation: view } = await compact(conversation, aiSdk, { target: targetOf(conversation, share) });
          const { messages } = aiSdk.encode(view as SoundConversation) as {
            readonly messages: readonly ModelMessage[];
          };
          await takes(messages);
        },
      ),
      120,
    ),
  );

  for (const from of FORMAT_IDS.filter((id) => id !== 'ai-sdk'))
    it(`by the AI SDK, converted from ${from}`, { timeout: 60_000 }, () =>
      check(
        fc.asyncProperty(scripts({ events: 14, inFlight: false }), async (script) => {
          await takes(convert(decoded(from, script), aiSdk).wire as readonly ModelMessage[]);
        }),
        40,
      ),
    );

  it('by LangChain, after any compaction', { timeout: 60_000 }, () =>
    check(
      fc.asyncProperty(scripts({ events: 14 }), fc.constantFrom(0.2, 0.5, 0.8), async (script, share) => {
        // A multiple of three events is written as instances.
        const events = script.events.slice(0, script.events.length - (script.events.length % 3));
        if (events.length === 0) return;
        const conversation = decoded('langchain', { ...script, events });
        const { conversation: view } = await compact(conversation, langChain, {
          target: targetOf(conversation, share),
        });
        const { messages } = langChain.encode(view as SoundConversation) as {
          readonly messages: readonly BaseMessage[];
        };
        for (const message of messages) {
          expect(BaseMessage.isInstance(message)).toBe(true);
          if (!AIMessage.isInstance(message)) continue;
          // Both places of a call say the same.
          const args = new Map((message.tool_calls ?? []).map((call) => [call.id, call.args]));
          for (const copy of message.additional_kwargs.tool_calls ?? [])
            if (args.has(copy.id)) expect(JSON.parse(copy.function.arguments)).toEqual(args.get(copy.id));
        }
        const stored = mapChatMessagesToStoredMessages([...messages]);
        const again = mapStoredMessagesToChatMessages(stored);
        expect(mapChatMessagesToStoredMessages(again)).toEqual(stored);
        expect(langChain.decode(stored).notes).toEqual([]);
      }),
      120,
    ),
  );

  for (const from of FORMAT_IDS.filter((id) => id !== 'langchain'))
    it(`by LangChain, converted from ${from}`, () =>
      check(
        fc.asyncProperty(scripts({ events: 14 }), async (script) => {
          const { wire } = convert(decoded(from, script), langChain);
          const messages = mapStoredMessagesToChatMessages(wire as never);
          expect(langChain.decode(messages).notes).toEqual([]);
        }),
        40,
      ));
});
