import type { Model, ModelOutcome, ModelRequest } from '../core/model.ts';
import type { AsyncLaw } from './law.ts';
import { abortLaws } from './model-laws/aborts.ts';
import { answerLaws } from './model-laws/answers.ts';
import { failureLaws } from './model-laws/failures.ts';
import { API_KEY, mustFail, settled } from './model-laws/outcome-checks.ts';
import * as behave from './model-server/behaviours.ts';
import { startModelServer } from './model-server/model-server.ts';
import type { Script } from './model-server/reply.ts';

/** Address and key of a model. */
export interface ModelPlace {
  /** Address of the server, without a path. */
  readonly url: string;
  /** A made-up key that no failure may show. */
  readonly apiKey: string;
}

/** The part of a server that the laws need: a `ModelServer`, or anything whose behaviour can be set. */
export interface ScriptHost {
  /** Address of the server, without a path. */
  readonly url: string;
  /** Sets the behaviour from the next request on. */
  script(next: Script): void;
}

/** Everything that a model owes its callers, whatever its provider does. The laws share the server, so run them one after the other. */
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
