import type { ExpectedFact, ProbeFactKind } from '../../types.ts';
import { type Found, isFound, type MatchContext, type Matcher, normalised } from './found.ts';
import { type Haystack, haystackOf } from './haystack.ts';
import { matchHash, matchIdentifier, matchPath, matchUrl } from './names.ts';
import { matchNumber } from './numbers.ts';
import { isAsserted, matchConstraint } from './rules.ts';
import { matchCommand, matchError, matchProse, matchTodo } from './words.ts';

const MATCHERS: Readonly<Record<ProbeFactKind, Matcher>> = {
  path: matchPath,
  identifier: matchIdentifier,
  number: matchNumber,
  hash: matchHash,
  url: matchUrl,
  error: matchError,
  command: matchCommand,
  constraint: matchConstraint,
  decision: matchConstraint,
  todo: matchTodo,
  prose: matchProse,
};

export interface MatchOptions extends MatchContext {
  /**
   * The sort of text. A view quotes the past, so it may hold a replaced value next to the current one. An answer must not state a replaced value
   * as current. @default 'view'
   */
  readonly text?: 'view' | 'answer';
}

/** Looks for a fact in a text by code alone. It never throws, and takes linear time. */
export function matchFact(fact: ExpectedFact, text: string | Haystack, options: MatchOptions = {}): Found {
  const hay = typeof text === 'string' ? haystackOf(text) : text;
  const found = bestOf(fact, hay, options);
  if (isFound(found) && options.text !== 'answer') return found;
  const denied = fact.forbidden.find((value) => value.trim() !== '' && isAsserted(value, hay));
  if (denied !== undefined) return { outcome: 'contradicted', note: `says \`${denied}\`` };
  const old = fact.stale.find((value) => isFound(MATCHERS[fact.kind](value, hay, options)));
  if (old !== undefined && (!isFound(found) || isAsserted(old, hay)))
    return { outcome: 'stale', note: `says \`${old}\`, which no longer holds` };
  return found;
}

function bestOf(fact: ExpectedFact, hay: Haystack, context: MatchContext): Found {
  const match = MATCHERS[fact.kind];
  const found = match(fact.value, hay, context);
  if (isFound(found)) return found;
  const alias = fact.aliases.find((wording) => isFound(match(wording, hay, context)));
  return alias === undefined ? found : normalised(`as \`${alias}\``);
}
