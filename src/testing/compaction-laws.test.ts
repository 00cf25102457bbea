import { describe, expect, it } from 'vitest';
import { compact } from '../core/compact.ts';
import { type Conversation, withMessages } from '../core/conversation/conversation.ts';
import type { Format } from '../core/format.ts';
import { aiSdk, anthropic, gemini, langChain, openaiChat, openaiResponses } from '../formats/index.ts';
import { type BuildFormat, build } from './build/build.ts';
import { type CompactionCase, type CompactLike, compactionLaws } from './compaction-laws.ts';

const lines = (tag: string): string =>
  Array.from(
    { length: 60 },
    (_, line) => `src/${tag}${line}.ts:${line}: const value = read(${line * 7}, '${tag}');`,
  ).join('\n');

const FORMATS: Readonly<Record<BuildFormat, Format>> = {
  'openai-chat': openaiChat,
  anthropic,
  'openai-responses': openaiResponses,
  gemini,
  'ai-sdk': aiSdk,
  langchain: langChain,
};

function session(format: BuildFormat): Conversation {
  let work = build(format).system('You are careful.').user('Fix the limiter. Never log client ips.');
  for (const tag of ['a', 'b', 'c', 'd'])
    work = work
      .assistant(`Reading ${tag}.`)
      .call('bash', { command: `cat ${tag}` })
      .result(lines(tag));
  return work.assistant('It is the window.').user('Go on.').decode(FORMATS[format]);
}

const subject: CompactionCase = { conversation: session('openai-chat'), format: openaiChat, target: 1_200 };

async function broken(compactor: CompactLike, value: CompactionCase = subject): Promise<readonly string[]> {
  const names: string[] = [];
  for (const law of compactionLaws(compactor, value))
    try {
      await law.run();
    } catch {
      names.push(law.name);
    }
  return names;
}

describe('the laws of a compaction', () => {
  for (const id of ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'] as const)
    for (const target of [10, 1_200, 4_000, 100_000])
      for (const law of compactionLaws(compact, {
        conversation: session(id),
        format: FORMATS[id],
        target,
      }))
        it(`${id}, target ${target}: ${law.name}`, () => law.run());
});

describe('compactionLaws', () => {
  it('finds a compaction that forgets the system message', async () => {
    const forgetful: CompactLike = async (conversation, format, options) => {
      const done = await compact(conversation, format, options);
      return {
        ...done,
        conversation: withMessages(
          done.conversation,
          done.conversation.messages.filter(({ role }) => role !== 'system'),
        ),
      };
    };
    expect(await broken(forgetful)).toContain(
      'the system prompt is untouched, calls in flight are still there, and the last user message is whole or shorter',
    );
  });

  it('finds a compaction that cuts a step in half', async () => {
    const cutting: CompactLike = async (conversation, format, options) => ({
      ...(await compact(conversation, format, options)),
      conversation: withMessages(conversation, conversation.messages.toSpliced(3, 1)),
    });
    expect(await broken(cutting)).toContain('what comes back is sound');
  });

  it('finds a compaction that changes what it was given', async () => {
    const rude: CompactLike = async (conversation, format, options) => {
      (conversation.messages as unknown[]).pop();
      return compact(conversation, format, options);
    };
    expect(await broken(rude, { ...subject, conversation: session('openai-chat') })).toHaveLength(
      compactionLaws(rude, subject).length,
    );
  });

  it('finds a compaction that misses its target, copies what it refuses, or invents refs', async () => {
    const lazy: CompactLike = async (conversation, format, options) =>
      compact(conversation, format, { ...options, target: options.target * 2 });
    expect(await broken(lazy)).toContain('the target holds, or a typed refusal gives back the very same conversation');
    const copying: CompactLike = async (conversation, format, options) => {
      const done = await compact(conversation, format, options);
      return { ...done, conversation: { ...done.conversation } };
    };
    expect(await broken(copying, { ...subject, target: 10 })).toContain(
      'the target holds, or a typed refusal gives back the very same conversation',
    );
    const inventive: CompactLike = async (conversation, format, options) => {
      const done = await compact(conversation, format, options);
      const text = 'See ⟦r:0000000000000⟧';
      const messages = [
        ...done.conversation.messages,
        { role: 'user' as const, parts: [{ type: 'text' as const, text }] },
      ];
      return { ...done, conversation: { ...done.conversation, messages } };
    };
    expect(await broken(inventive)).toContain('every ref that was written resolves');
  });

  it('finds a receipt that does not say what happened', async () => {
    const boasting: CompactLike = async (conversation, format, options) => {
      const done = await compact(conversation, format, options);
      const { receipt } = done;
      return { ...done, receipt: { ...receipt, tokens: { ...receipt.tokens, after: 1 } } };
    };
    expect(await broken(boasting)).toEqual(['the numbers of the receipt are those that are measured']);
  });
});
