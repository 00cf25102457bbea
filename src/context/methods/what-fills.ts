import { accountText } from '../../core/tokens/account.ts';
import type { ContextParts } from '../context-parts.ts';

/** Says what a request consists of, largest first. */
export function whatFills({ sizes }: ContextParts): string {
  const account = sizes.account();
  return `the request of ${inTokens(account.total)} holds ${accountText(account)}`;
}

export function inTokens(tokens: number): string {
  return `${tokens.toLocaleString('en-US')} tokens`;
}
