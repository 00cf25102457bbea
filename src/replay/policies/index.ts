import { PrecisError } from '../../core/errors.ts';
import type { Policy } from '../types.ts';
import { anthropicClear } from './anthropic-clear.ts';
import { anthropicCompact } from './anthropic-compact.ts';
import { codex } from './codex.ts';
import { condenseFold } from './condense-fold.ts';
import { costOptimal } from './cost-optimal.ts';
import { geminiCli } from './gemini-cli.ts';
import { hermes } from './hermes.ts';
import { idle } from './idle.ts';
import { none } from './none.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { precisLean } from './precis-lean.ts';
import { pruneFirst, pruneRunway } from './prune-runway.ts';
import { rent } from './rent.ts';
import { slidingMask } from './sliding-mask.ts';
import { summary85, summary85Aligned } from './summary-85.ts';
import { trim } from './trim.ts';
import { trimPrecis } from './trim-precis.ts';
import { truncation } from './truncation.ts';

/** Every policy that comes with precis, plain ones first. */
export const policies: readonly Policy[] = [
  none,
  truncation,
  slidingMask,
  summary85,
  summary85Aligned,
  pruneFirst,
  pruneRunway,
  condenseFold,
  trim,
  trimPrecis,
  precisLean,
  idle,
  costOptimal,
  rent,
  anthropicClear,
  anthropicCompact,
  pi,
  opencode,
  codex,
  geminiCli,
  hermes,
];

export function policyById(id: string): Policy {
  const found = policies.find((policy) => policy.id === id);
  if (found !== undefined) return found;
  const known = policies.map((policy) => policy.id).join(', ');
  throw new PrecisError('bad-option', `Expected \`--policies\` to name any of ${known}, got \`${id}\``);
}
