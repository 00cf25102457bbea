import { PrecisError } from '../../core/errors.ts';
import { none } from './baseline/none.ts';
import { pruneFirst, pruneRunway } from './baseline/prune-runway.ts';
import { slidingMask } from './baseline/sliding-mask.ts';
import { summary85, summary85Aligned } from './baseline/summary-85.ts';
import { truncation } from './baseline/truncation.ts';
import { costOptimal } from './by-cost/cost-optimal.ts';
import { rent } from './by-cost/rent.ts';
import { idle } from './engine/idle.ts';
import { precis } from './engine/precis.ts';
import { precisLean } from './engine/precis-lean.ts';
import { trim } from './engine/trim.ts';
import { trimPrecis } from './engine/trim-precis.ts';
import type { Policy } from './policy.ts';
import { anthropicClear } from './published/anthropic-clear.ts';
import { anthropicCompact } from './published/anthropic-compact.ts';
import { codex } from './published/codex.ts';
import { geminiCli } from './published/gemini-cli.ts';
import { hermes } from './published/hermes.ts';
import { opencode } from './published/opencode.ts';
import { pi } from './published/pi.ts';

/** Every policy that comes with precis: baselines, the precis engine, decisions by cost, and published defaults of agents and providers. */
export const policies: readonly Policy[] = [
  none,
  truncation,
  slidingMask,
  summary85,
  summary85Aligned,
  pruneFirst,
  pruneRunway,
  precis,
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

/** Returns the policy with this id. Throws a `PrecisError` for an unknown id. */
export function policyById(id: string): Policy {
  const found = policies.find((policy) => policy.id === id);
  if (found !== undefined) return found;
  const known = policies.map((policy) => policy.id).join(', ');
  throw new PrecisError('bad-option', `Expected the id of a policy, got \`${id}\`; known are ${known}`);
}
