import { keptByServer } from '../../core/conversation/surroundings.ts';
import { accountFor } from '../../core/tokens/account.ts';
import type { ContextParts } from '../context-parts.ts';
import type { KeptRequest } from '../wire/kept-request.ts';
import type { Prepared } from './prepared.ts';

/** Hands a request back as it came, because a server keeps its history. */
export function passThrough({ measure, models }: ContextParts, kept: KeptRequest, request: unknown): Prepared {
  const { conversation, surroundings, server } = kept;
  const { threshold, output } = models.limits();
  const fixed = { tools: measure.text(surroundings.tools), provider: 0 };
  const { messages } = conversation;
  const account = accountFor({ messages, measure, fixed, output: surroundings.output ?? output });
  return {
    request,
    tokens: account.total,
    account,
    pressure: account.total / threshold,
    outcome: 'unchanged',
    receipt: null,
    fits: account.total <= models.ownWindow(),
    reason: keptByServer(server),
    notes: [],
  };
}
