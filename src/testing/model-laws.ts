import type { Model, ModelOutcome, ModelRequest } from '../core/model.ts';
import type { AsyncLaw } from './compaction-laws.ts';
import * as behave from './model-server/behaviours.ts';
import { type Ask, failureLaws } from './model-server/failure-laws.ts';
import { startModelServer } from './model-server/model-server.ts';
import { API_KEY, must, mustFail, mustSay, mustUse, settled, show } from './model-server/outcome-checks.ts';
import type { Behaviour, Script } from './model-server/reply.ts';

/** Where a model is and what opens it. */
export interface ModelPlace {
  /** Of the server, without a path. */
  readonly url: string;
  /** A made-up key that no failure may show. */
  readonly apiKey: string;
}

/** What the laws need of a server: `ModelServer`, or anything whose behaviour can be set. */
export interface ScriptHost {
  readonly url: string;
  script(next: Script): void;
}

/** What every model owes its callers, whatever its provider does. The laws share the server: run them one after the other. */
export function modelLaws(makeModel: (place: ModelPlace) => Model, server: ScriptHost): readonly AsyncLaw[] {
  const ask = (script: Script, request: Partial<ModelRequest> = {}): Promise<ModelOutcome> => {
    server.script(script);
    return settled(makeModel({ url: server.url, apiKey: API_KEY }), request);
  };
  return [
    ...answerLaws(ask),
    ...failureLaws(ask),
    ...abortLaws(ask),
    {
      name: 'a server that is not there is a network failure',
      run: async () => {
        const gone = await startModelServer(behave.empty);
        await gone.close();
        mustFail(await settled(makeModel({ url: gone.url, apiKey: API_KEY }), {}), ['network']);
      },
    },
  ];
}

const ABORTS_WITHIN_MS = 1000;
/** Two, three and four bytes a character, joined ones, and both kinds of line end. */
const ODD_TEXT = 'Grüße, 漢字 and 🧑‍🚀🇺🇳 – “quoted” \\n "data: {}"\n\ndata: [DONE]\r\n\u2028 end é';

function answerLaws(ask: Ask): readonly AsyncLaw[] {
  const law = (name: string, run: () => Promise<void>): AsyncLaw => ({ name, run });
  const finishes: readonly (readonly [Behaviour, string])[] = [
    [behave.truncated('Only half of'), 'length'],
    [behave.toolCall(), 'tool-call'],
    [behave.answer('All of it.'), 'stop'],
  ];
  const usages = [
    { inputTokens: 1200, outputTokens: 34, cachedInputTokens: 1000 },
    { inputTokens: 77, outputTokens: 5, cachedInputTokens: 0 },
  ];
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
    ...finishes.map(([behaviour, finish]) =>
      law(`finish reason: ${behaviour.name} is ${finish}`, async () => {
        const outcome = await ask(behaviour);
        must(outcome.type === 'text' && outcome.finish === finish, `expected ${finish}, got ${show(outcome)}`);
      }),
    ),
    law('an answer that a filter cut off is no answer', async () => {
      const outcome = await ask(behave.filtered);
      const finish = outcome.type === 'text' ? outcome.finish : outcome.failure.kind;
      must(finish === 'content-filter', `expected content-filter, got ${show(outcome)}`);
    }),
    law('a text that ends early is never passed off as an answer', async () => {
      const outcome = await ask(behave.endEarly());
      must(
        outcome.type === 'failed' || outcome.finish === 'other',
        `expected other or a failure, got ${show(outcome)}`,
      );
    }),
    law('a refusal in words is a text for the caller to judge', async () => {
      mustSay(await ask(behave.refuse('fr')), 'Je suis désolé, mais je ne peux pas répondre à cette demande.');
    }),
    law('an empty answer is an empty text or malformed', async () => {
      const outcome = await ask(behave.empty);
      if (outcome.type === 'text') must(outcome.text === '', `expected no text, got ${show(outcome)}`);
      else mustFail(outcome, ['malformed']);
    }),
    ...usages.map((usage) =>
      law(`usage is what the provider reports: ${usage.cachedInputTokens} of ${usage.inputTokens} cached`, async () => {
        mustUse(await ask(behave.answer('Counted.', { usage })), usage);
      }),
    ),
    law('a slow answer is waited for', async () => {
      mustSay(await ask(behave.slow({ firstByteMs: 150, perChunkMs: 5, text: ODD_TEXT })), ODD_TEXT);
    }),
    law('progress never falls and ends with the whole text', async () => {
      const seen: number[] = [];
      const text = 'word '.repeat(100);
      mustSay(await ask(behave.answer(text), { onText: (characters) => seen.push(characters) }), text);
      must(
        seen.every((count, index) => count >= (seen[index - 1] ?? 0)),
        `it fell: ${seen.join(' ')}`,
      );
      must(seen.length === 0 || seen.at(-1) === text.length, `expected ${text.length} last, got ${seen.at(-1)}`);
    }),
    law('a blob of 500,000 tokens is taken whole or refused', async () => {
      const outcome = await ask(behave.huge(500_000));
      const whole = outcome.type === 'text' && outcome.finish === 'stop';
      must(!whole || outcome.text.length === 2_000_000, 'a part of it was passed off as the whole');
    }),
    law('requests at the same time get their own answers', async () => {
      const script = behave.answer(({ prompt }) => `about ${prompt}`);
      const outcomes = await Promise.all(['a', 'b', 'c'].map((prompt) => ask(script, { prompt })));
      outcomes.forEach((outcome, index) => mustSay(outcome, `about ${'abc'.charAt(index)}`));
    }),
  ];
}

function abortLaws(ask: Ask): readonly AsyncLaw[] {
  const aborts = (name: string, behaviour: Behaviour, afterMs: number): AsyncLaw => ({
    name: `aborting ${name} ends the request at once`,
    run: async () => {
      const controller = new AbortController();
      let abortedAt = Date.now();
      const abort = (): void => {
        abortedAt = Date.now();
        controller.abort();
      };
      if (afterMs === 0) abort();
      else setTimeout(abort, afterMs);
      mustFail(await ask(behaviour, { signal: controller.signal }), ['aborted']);
      const took = Date.now() - abortedAt;
      must(took <= ABORTS_WITHIN_MS, `it took ${took} ms`);
    },
  });
  return [
    aborts('before the beginning', behave.answer('Too late.'), 0),
    aborts('before the first byte', behave.slow({ firstByteMs: 60_000 }), 60),
    aborts('a slow stream', behave.slow({ perChunkMs: 300, text: 'word '.repeat(200) }), 60),
    aborts('a stalled answer', behave.stall(), 60),
    {
      name: 'a signal that aborts after the answer changes nothing',
      run: async () => {
        const controller = new AbortController();
        const outcome = await ask(behave.answer('In time.'), { signal: controller.signal });
        controller.abort();
        mustSay(outcome, 'In time.');
      },
    },
  ];
}
