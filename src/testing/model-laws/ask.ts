import type { ModelOutcome, ModelRequest } from '../../core/model.ts';
import type { Script } from '../model-server/reply.ts';

/** Sets the script of the server and asks the model once. */
export type Ask = (script: Script, request?: Partial<ModelRequest>) => Promise<ModelOutcome>;
