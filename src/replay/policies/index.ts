import { PrecisError } from '../../core/errors.ts';
import type { Policy } from '../types.ts';
import { anthropicClear } from './others/anthropic-clear.ts';
import { anthropicCompact } from './others/anthropic-compact.ts';
import { codex } from './others/codex.ts';
import { geminiCli } from './others/gemini-cli.ts';
import { hermes } from './others/hermes.ts';
import { opencode } from './others/opencode.ts';
import { pi } from './others/pi.ts';
import { condenseFold } from './ours/condense-fold.ts';
import { idle } from './ours/idle.ts';
import { precisLean } from './ours/precis-lean.ts';
import { trim } from './ours/trim.ts';
import { trimPrecis } from './ours/trim-precis.ts';
import { costOptimal } from './theory/cost-optimal.ts';
import { none } from './theory/none.ts';
import { pruneFirst, pruneRunway } from './theory/prune-runway.ts';
import { rent } from './theory/rent.ts';
import { slidingMask } from './theory/sliding-mask.ts';
import { summary85, summary85Aligned } from './theory/summary-85.ts';
import { truncation } from './theory/truncation.ts';

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
