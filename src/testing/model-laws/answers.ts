import type { AsyncLaw } from '../law.ts';
import * as behave from '../model-server/behaviours.ts';
import type { Behaviour } from '../model-server/reply.ts';
import type { Ask } from './ask.ts';
import { mustFail, mustHold, mustSay, mustUse, show } from './outcome-checks.ts';

/** Characters of two, three and four bytes, joined ones, and both kinds of line end. */
const ODD_TEXT = 'Grüße, 漢字 and 🧑‍🚀🇺🇳 – “quoted” \\n "data: {}"\n\ndata: [DONE]\r\n\u2028 end é';

export function answerLaws(ask: Ask): readonly AsyncLaw[] {
  return [...wordingLaws(ask), ...finishLaws(ask), ...usageLaws(ask), ...streamLaws(ask)];
}

const law = (name: string, run: () => Promise<void>): AsyncLaw => ({ name, run });

function wordingLaws(ask: Ask): readonly AsyncLaw[] {
  return [
    law('instructions and prompt reach the model as they are', async () => {
      const instructions = `Line one.\n\n## Goal\n${ODD_TEXT}`;
      const prompt = `<data>\n  #1 user: ${ODD_TEXT}\n</data>`;
      const both = behave.answer((seen) => `${seen.instructions}|${seen.prompt}`);
      mustSay(await ask(both, { instructions, prompt }), `${instructions}|${prompt}`);
    }),
    ...[1, 3, 7].map((splitBytes) =>
      law(`a text is complete when it arrives ${splitBytes} bytes at a time`, async () => {
        mustSay(await ask(behave.answer(ODD_TEXT, { splitBytes })), ODD_TEXT);
      }),
    ),
  ];
}

function finishLaws(ask: Ask): readonly AsyncLaw[] {
  const finishes: readonly (readonly [Behaviour, string])[] = [
    [behave.truncated('Only half of'), 'length'],
    [behave.toolCall(), 'tool-call'],
    [behave.answer('All of it.'), 'stop'],
  ];
  return [
    ...finishes.map(([behaviour, finish]) =>
      law(`finish reason: ${behaviour.name} is ${finish}`, async () => {
        const outcome = await ask(behaviour);
        mustHold(outcome.type === 'text' && outcome.finish === finish, `expected ${finish}, got ${show(outcome)}`);
      }),
    ),
    law('an answer that a filter cut off is no answer', async () => {
      const outcome = await ask(behave.filtered);
      const finish = outcome.type === 'text' ? outcome.finish : outcome.failure.kind;
      mustHold(finish === 'content-filter', `expected content-filter, got ${show(outcome)}`);
    }),
    law('a text that ends early is never passed off as an answer', async () => {
      const outcome = await ask(behave.endEarly());
      mustHold(
        outcome.type === 'failed' || outcome.finish === 'other',
        `expected other or a failure, got ${show(outcome)}`,
      );
    }),
    law('a refusal in words is a text for the caller to judge', async () => {
      mustSay(await ask(behave.refuse('fr')), 'Je suis désolé, mais je ne peux pas répondre à cette demande.');
    }),
    law('an empty answer is an empty text or malformed', async () => {
      const outcome = await ask(behave.empty);
      if (outcome.type === 'text') mustHold(outcome.text === '', `expected no text, got ${show(outcome)}`);
      else mustFail(outcome, ['malformed']);
    }),
  ];
}

function usageLaws(ask: Ask): readonly AsyncLaw[] {
  const usages = [
    { inputTokens: 1200, outputTokens: 34, cachedInputTokens: 1000 },
    { inputTokens: 77, outputTokens: 5, cachedInputTokens: 0 },
  ];
  return usages.map((usage) =>
    law(`usage is what the provider reports: ${usage.cachedInputTokens} of ${usage.inputTokens} cached`, async () => {
      mustUse(await ask(behave.answer('Counted.', { usage })), usage);
    }),
  );
}

function streamLaws(ask: Ask): readonly AsyncLaw[] {
  return [
    law('a slow answer is waited for', async () => {
      mustSay(await ask(behave.slow({ firstByteMs: 150, perChunkMs: 5, text: ODD_TEXT })), ODD_TEXT);
    }),
    law('progress never falls and ends with the whole text', async () => {
      const seen: number[] = [];
      const text = 'word '.repeat(100);
      mustSay(await ask(behave.answer(text), { onText: (characters) => seen.push(characters) }), text);
      mustHold(
        seen.every((count, index) => count >= (seen[index - 1] ?? 0)),
        `it fell: ${seen.join(' ')}`,
      );
      mustHold(seen.length === 0 || seen.at(-1) === text.length, `expected ${text.length} last, got ${seen.at(-1)}`);
    }),
    law('a blob of 500,000 tokens is taken whole or refused', async () => {
      const outcome = await ask(behave.huge(500_000));
      const whole = outcome.type === 'text' && outcome.finish === 'stop';
      mustHold(!whole || outcome.text.length === 2_000_000, 'a part of it was passed off as the whole');
    }),
    law('requests at the same time get their own answers', async () => {
      const script = behave.answer(({ prompt }) => `about ${prompt}`);
      const outcomes = await Promise.all(['a', 'b', 'c'].map((prompt) => ask(script, { prompt })));
      outcomes.forEach((outcome, index) => mustSay(outcome, `about ${'abc'.charAt(index)}`));
    }),
  ];
}
