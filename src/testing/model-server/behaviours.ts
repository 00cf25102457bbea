/** What models do, well and badly. `index.ts` offers all of it as `behave`. */

import type { FinishReason, ModelUsage } from '../../core/model.ts';
import { forgetfulSummary, lyingSummary, staleSummary } from './bad-summaries.ts';
import type {
  Behaviour,
  ErrorReply,
  OverflowWording,
  Pace,
  Reply,
  SeenRequest,
  ToolCallReply,
  WrittenReply,
} from './reply.ts';
import { goodSummary } from './summaries.ts';

export type TextSource = string | ((request: SeenRequest) => string);

export interface AnswerOptions {
  readonly usage?: Partial<ModelUsage>;
  /** Bytes that go out at a time. @default an event at a time */
  readonly splitBytes?: number;
}

/** Writes the text and stops as it should. */
export function answer(text: TextSource, options: AnswerOptions = {}): Behaviour {
  return written('answer', text, { ...options });
}

/** Says nothing, and that it is done. */
export const empty: Behaviour = written('empty', '');

/** Repeats the prompt. */
export const echo: Behaviour = written('echo', ({ prompt }) => prompt);

/** Stops in the middle because it may not write more. */
export function truncated(text: TextSource): Behaviour {
  return written('truncated', text, { finish: 'length' });
}

/** The provider's filter cuts the answer off. */
export const filtered: Behaviour = written('filtered', 'The first words', { finish: 'content-filter' });

/** The provider's filter refuses the prompt. */
export const blocked: Behaviour = failing('blocked', { fault: 'blocked', status: 400 });

/** Calls a tool instead of answering. */
export function toolCall(call: ToolCallReply = { name: 'read_file', args: { path: 'src/a.ts' } }): Behaviour {
  return written('tool call', '', { finish: 'tool-call', toolCall: call });
}

export interface StatusOptions extends Pick<ErrorReply, 'retryAfterSeconds' | 'retryAfterMs' | 'after' | 'message'> {}

/** Fails with an HTTP status, in the words of the provider. */
export function status(code: number, options: StatusOptions = {}): Behaviour {
  return failing(`status ${code}`, { ...options, fault: 'status', status: code });
}

/** The account has no money left. OpenAI says so with 429, Anthropic with 400. */
export const quota: Behaviour = failing('quota', { fault: 'quota', status: 429 });

/** The request is larger than the window. `null`: the wording that does not name the window. */
export function overflow(limit: number | null, options: { readonly wording?: OverflowWording } = {}): Behaviour {
  return failing('overflow', { ...options, fault: 'overflow', status: 400, limit });
}

export interface SlowOptions extends Pace {
  /** @default a good summary */
  readonly text?: TextSource;
}

/** Answers well, but late. */
export function slow({ text = ({ prompt }) => goodSummary(prompt), ...pace }: SlowOptions): Behaviour {
  return written('slow', text, pace);
}

/** Sends the first half of the text, then nothing, and keeps the connection open. */
export function stall(text: TextSource = HALF): Behaviour {
  return written('stall', text, { end: 'stall' });
}

/** Sends the first half of the text, then breaks the connection. */
export function dropMidStream(text: TextSource = HALF): Behaviour {
  return written('drop', text, { end: 'drop' });
}

/** Sends the first half of the text and ends in order, without saying why: what is left when a gateway gives up. */
export function endEarly(text: TextSource = HALF): Behaviour {
  return written('ends early', text, { end: 'early' });
}

/** Writes without end: about so many tokens of words. */
export function huge(tokens = 500_000): Behaviour {
  return written('huge', () => 'word '.repeat(Math.ceil((tokens * 4) / 5)).slice(0, tokens * 4));
}

/** Something that is not an answer of the API: cut-off JSON, nothing at all, or the page of a gateway (status 502). */
export function garbage(kind: 'json' | 'nothing' | 'page' | 'html' = 'json'): Behaviour {
  const page = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
  const json = { status: 200, contentType: 'application/json', body: '{"id": "x", "choices": [{"mess' };
  const replies = {
    json,
    nothing: { ...json, body: '' },
    page: { status: 200, contentType: 'text/html', body: page },
    html: { status: 502, contentType: 'text/html', body: page },
  };
  return { name: `garbage ${kind}`, reply: () => ({ type: 'raw', ...replies[kind] }) };
}

export type RefusalLanguage = 'en' | 'de' | 'fr' | 'es' | 'zh' | 'ja' | 'ru';

/** Declines in words, as models do that stop normally. */
export function refuse(language: RefusalLanguage = 'en'): Behaviour {
  return written(`refuse ${language}`, REFUSALS[language]);
}

/** Answers well: see `goodSummary`. */
export const good: Behaviour = written('good', ({ prompt, instructions }) => goodSummary(prompt, instructions));

/** Loses what the user asked for and half of the names. */
export const forgetful: Behaviour = written('forgetful', (seen) => forgetfulSummary(seen.prompt, seen.instructions));

/** Turns constraints around and invents paths and numbers. */
export const lying: Behaviour = written('lying', (seen) => lyingSummary(seen.prompt, seen.instructions));

/** Gives values that were replaced as the current ones. */
export const stale: Behaviour = written('stale', (seen) => staleSummary(seen.prompt, seen.instructions));

/** A friendly chat about the transcript, without the sections that were asked for. */
export const ignoreTemplate: Behaviour = written('ignores the template', ({ prompt }) => {
  const first = /^#\d+ user: (.*)$/m.exec(prompt)?.[1]?.slice(0, 80) ?? 'something';
  return `Sure! Here is a quick recap. You asked about "${first}" and the assistant has been working on it. Let me know if you need anything else!`;
});

/** Does what a text in the transcript tells it to, and summarises only when nothing there does. */
export const injected: Behaviour = written('injected', ({ prompt, instructions }) => {
  const order = /\b(?:ignore|disregard|forget)\b[^\n]*?\b(?:instructions?|rules|above)\b([^\n]*)/i.exec(prompt);
  if (order === null) return goodSummary(prompt, instructions);
  const said =
    /\b(?:reply|respond|answer|output|say|print|write)\b(?: with| only| just| exactly)*:? *["“'`]?([^"”'`\n]+)/i;
  return said.exec(order[1] ?? '')?.[1]?.trim() ?? 'OK, I will do that.';
});

/** One after the other; the last stays. */
export function sequence(behaviours: readonly [Behaviour, ...Behaviour[]]): Behaviour {
  let next = 0;
  return {
    name: behaviours.map(({ name }) => name).join(', '),
    reply: (request) => {
      const behaviour = behaviours[Math.min(next, behaviours.length - 1)] ?? behaviours[0];
      next += 1;
      return behaviour.reply(request);
    },
  };
}

/** Fails so many times, each time in the same way, then does better. */
export function flaky(times: number, then: Behaviour = good, failure: Behaviour = status(503)): Behaviour {
  let left = times;
  return {
    name: `${failure.name} ${times} times, then ${then.name}`,
    reply: (request): Reply => {
      left -= 1;
      return (left >= 0 ? failure : then).reply(request);
    },
  };
}

const HALF = 'This is the first half of an answer, and this is the second half, which nobody will ever read.';

const REFUSALS: Readonly<Record<RefusalLanguage, string>> = {
  en: "I'm sorry, but I can't help with that request.",
  de: 'Es tut mir leid, aber dabei kann ich nicht helfen.',
  fr: 'Je suis désolé, mais je ne peux pas répondre à cette demande.',
  es: 'Lo siento, pero no puedo ayudar con esa solicitud.',
  zh: '很抱歉，我无法协助处理此请求。',
  ja: '申し訳ありませんが、そのご要望にはお応えできません。',
  ru: 'Извините, но я не могу помочь с этим запросом.',
};

type Ending = Omit<WrittenReply, 'type' | 'text' | 'finish'> & { readonly finish?: FinishReason };

function written(name: string, text: TextSource, { finish = 'stop', ...rest }: Ending = {}): Behaviour {
  return {
    name,
    reply: (request) => ({
      ...rest,
      type: 'written',
      text: typeof text === 'string' ? text : text(request),
      finish,
    }),
  };
}

function failing(name: string, error: Omit<ErrorReply, 'type'>): Behaviour {
  return { name, reply: () => ({ ...error, type: 'error' }) };
}
