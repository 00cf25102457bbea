/** Good and bad behaviours of models. `index.ts` exports all of them as `behave`. */

import type { FinishReason, ModelUsage } from '../../core/model.ts';
import { forgetfulSummary, lyingSummary, staleSummary } from '../summaries/bad-summaries.ts';
import { goodSummary } from '../summaries/good-summary.ts';
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

/** A fixed text, or a function of the request. */
export type TextSource = string | ((request: SeenRequest) => string);

/** How an answer is sent. */
export interface AnswerOptions {
  /** Token counts that the provider reports. @default a quarter of the characters, nothing cached */
  readonly usage?: Partial<ModelUsage>;
  /** Bytes sent at a time. @default one event at a time */
  readonly splitBytes?: number;
}

/** Writes the text and stops normally. */
export function answer(text: TextSource, options: AnswerOptions = {}): Behaviour {
  return written('answer', text, { ...options });
}

/** Answers with nothing and stops normally. */
export const empty: Behaviour = written('empty', '');

/** Repeats the prompt. */
export const echo: Behaviour = written('echo', ({ prompt }) => prompt);

/** Stops in the middle, at the length limit. */
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

/** Details of an error; see `ErrorReply`. */
export type StatusOptions = Pick<ErrorReply, 'retryAfterSeconds' | 'retryAfterMs' | 'after' | 'message'>;

/** Fails with an HTTP status, in the provider's words. */
export function status(code: number, options: StatusOptions = {}): Behaviour {
  return failing(`status ${code}`, { ...options, fault: 'status', status: code });
}

/** Fails because the account has no credit left. OpenAI uses status 429, Anthropic 400. */
export const quota: Behaviour = failing('quota', { fault: 'quota', status: 429 });

/** Fails because the request exceeds the window of `limit` tokens; null for the wording without a number. */
export function overflow(limit: number | null, options: { readonly wording?: OverflowWording } = {}): Behaviour {
  return failing('overflow', { ...options, fault: 'overflow', status: 400, limit });
}

/** A slow answer: its pace and its text. */
export interface SlowOptions extends Pace {
  /** The text. @default a good summary */
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

/** Sends the first half of the text and closes the stream properly, without a finish reason, as when a gateway gives up. */
export function endEarly(text: TextSource = HALF): Behaviour {
  return written('ends early', text, { end: 'early' });
}

/** Writes a very long answer of about this many tokens. */
export function huge(tokens = 500_000): Behaviour {
  return written('huge', () => 'word '.repeat(Math.ceil((tokens * 4) / 5)).slice(0, tokens * 4));
}

/** Sends no API answer: cut-off JSON, nothing at all, a web page, or a gateway's error page (`html`, status 502). */
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

/** Languages of the refusals. */
export type RefusalLanguage = 'en' | 'de' | 'fr' | 'es' | 'zh' | 'ja' | 'ru';

/** Declines in words and stops normally, as models do. */
export function refuse(language: RefusalLanguage = 'en'): Behaviour {
  return written(`refuse ${language}`, REFUSALS[language]);
}

/** Writes a good summary; see `goodSummary`. */
export const good: Behaviour = written('good', ({ prompt, instructions }) => goodSummary(prompt, instructions));

/** Loses the user's constraints and half of the names. */
export const forgetful: Behaviour = written('forgetful', (seen) => forgetfulSummary(seen.prompt, seen.instructions));

/** Inverts constraints and invents paths and numbers. */
export const lying: Behaviour = written('lying', (seen) => lyingSummary(seen.prompt, seen.instructions));

/** States replaced values as the current ones. */
export const stale: Behaviour = written('stale', (seen) => staleSummary(seen.prompt, seen.instructions));

/** Chats about the transcript, without the requested sections. */
export const ignoreTemplate: Behaviour = written('ignores the template', ({ prompt }) => {
  const first = /^#\d+ user: (.*)$/m.exec(prompt)?.[1]?.slice(0, 80) ?? 'something';
  return `Sure! Here is a quick recap. You asked about "${first}" and the assistant has been working on it. Let me know if you need anything else!`;
});

/** Obeys an instruction in the transcript; without one it writes a good summary. */
export const injected: Behaviour = written('injected', ({ prompt, instructions }) => {
  const order = /\b(?:ignore|disregard|forget)\b[^\n]*?\b(?:instructions?|rules|above)\b([^\n]*)/i.exec(prompt);
  if (order === null) return goodSummary(prompt, instructions);
  const said =
    /\b(?:reply|respond|answer|output|say|print|write)\b(?: with| only| just| exactly)*:? *["“'`]?([^"”'`\n]+)/i;
  return said.exec(order[1] ?? '')?.[1]?.trim() ?? 'OK, I will do that.';
});

/** Acts in order; the last behaviour repeats. */
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

/** Fails this many times in the same way, then acts as `then`. */
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
