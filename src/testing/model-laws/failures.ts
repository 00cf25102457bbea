import type { FailureKind } from '../../core/model.ts';
import type { AsyncLaw } from '../law.ts';
import * as behave from '../model-server/behaviours.ts';
import type { Behaviour, OverflowWording } from '../model-server/reply.ts';
import type { Ask } from './ask.ts';
import { mustFail, mustHold, mustSay, PRIVATE_WORDS } from './outcome-checks.ts';

const LIMIT = 65_536;

/** Kinds that lead to the right next step; any of them will do. */
const STATUS_KINDS: readonly (readonly [number, readonly FailureKind[]])[] = [
  [400, ['unknown']],
  [401, ['auth']],
  [402, ['quota']],
  [403, ['auth']],
  [404, ['unknown']],
  [413, ['overflow']],
  [429, ['rate-limit']],
  [500, ['overloaded', 'network']],
  [503, ['overloaded']],
  [529, ['overloaded']],
];

const WORDINGS: readonly OverflowWording[] = ['plain', 'with-completion', 'vllm', 'llama.cpp', 'openrouter'];

/** A model must tell a provider's failures apart. */
export function failureLaws(ask: Ask): readonly AsyncLaw[] {
  const fails = (name: string, behaviour: Behaviour, kinds: readonly FailureKind[]): AsyncLaw => ({
    name: `${name} is ${kinds.join(' or ')}`,
    run: async () => void mustFail(await ask(behaviour), kinds),
  });
  const waits = (name: string, behaviour: Behaviour, expected: number | null): AsyncLaw => ({
    name: `${name}: try again ${expected === null ? 'at an unknown time' : `in ${expected} ms`}`,
    run: async () => {
      const { retryAfterMs } = mustFail(await ask(behaviour), ['rate-limit', 'overloaded']);
      mustHold(retryAfterMs === expected, `expected ${expected}, got ${retryAfterMs}`);
    },
  });
  const teaches = (name: string, behaviour: Behaviour, expected: number | null): AsyncLaw => ({
    name: `${name} teaches ${expected === null ? 'no window' : 'the window'}`,
    run: async () => {
      const { learnedWindow } = mustFail(await ask(behaviour), ['overflow', 'rate-limit']);
      mustHold(learnedWindow === expected, `expected ${expected}, got ${learnedWindow}`);
    },
  });
  return [
    ...STATUS_KINDS.map(([status, kinds]) => fails(`status ${status}`, behave.status(status), kinds)),
    fails('no money left', behave.quota, ['quota']),
    fails('a prompt that a filter refused', behave.blocked, ['content-filter']),
    fails('an error after the first words', behave.status(529, { after: 'The first words' }), ['overloaded']),
    fails('an error before the first word of a stream', behave.status(500, { after: '' }), ['overloaded', 'network']),
    fails('a connection that breaks', behave.dropMidStream(), ['network', 'malformed']),
    fails('broken JSON', behave.garbage('json'), ['malformed']),
    fails('an empty body', behave.garbage('nothing'), ['malformed', 'network']),
    fails('a web page', behave.garbage('page'), ['malformed']),
    fails('the page of a gateway', behave.garbage('html'), ['overloaded', 'network', 'malformed']),
    waits('retry-after in seconds', behave.status(429, { retryAfterSeconds: 7 }), 7000),
    waits('retry-after in milliseconds', behave.status(429, { retryAfterMs: 1500 }), 1500),
    waits('an overloaded server with retry-after', behave.status(529, { retryAfterSeconds: 2 }), 2000),
    waits('an overloaded server', behave.status(503), null),
    ...WORDINGS.map((wording) => teaches(`overflow (${wording})`, behave.overflow(LIMIT, { wording }), LIMIT)),
    teaches('overflow without a number', behave.overflow(null), null),
    teaches('a limit in bytes', behave.status(413), null),
    teaches('a limit per minute', behave.status(429, { retryAfterSeconds: 1 }), null),
    ...[401, 400, 500].map((status) => ({
      name: `a failure shows neither key nor prompt, even when status ${status} quotes them`,
      run: async () => {
        const message = behave.status(status, { message: (seen, key) => `No: ${key} for ${seen.prompt}` });
        mustFail(await ask(message, { prompt: PRIVATE_WORDS }), null);
      },
    })),
    {
      name: 'a failure does not outlast its request',
      run: async () => {
        mustFail(await ask(behave.status(500)), null);
        mustSay(await ask(behave.answer('Well again.')), 'Well again.');
      },
    },
  ];
}
