import type { OwnResults } from '../own/results.ts';
import type { PeersResults } from '../peers/results.ts';
import type { Baseline } from '../speed/baseline.ts';
import type { SpeedResults } from '../speed/types.ts';
import { blocks } from './markdown.ts';
import { ahead } from './sections/ahead.ts';
import { cost } from './sections/cost.ts';
import { files } from './sections/files.ts';
import { intro } from './sections/intro.ts';
import { kinds } from './sections/kinds.ts';
import { limits } from './sections/limits.ts';
import { misbehaviour } from './sections/misbehaviour.ts';
import { notRun } from './sections/not-run.ts';
import { own } from './sections/own.ts';
import { shows } from './sections/shows.ts';
import { soundness } from './sections/soundness.ts';
import { type Descriptions, speed } from './sections/speed.ts';
import { survival } from './sections/survival.ts';

export interface Results {
  readonly peers: PeersResults;
  readonly speed: SpeedResults;
  readonly baseline: Baseline;
  readonly own: OwnResults;
  readonly descriptions: Descriptions;
}

const FOR_A_CHANGE = `## When you change the engine

Report three numbers together, before and after a change to \`src/core\`: tokens saved, facts kept and cache kept. Each of them alone is easy to improve at
the cost of the others.`;

/** The whole benchmark page, computed from the results alone: no clock, no disk. */
export function pageOf({ peers, speed: speedResults, baseline, own: ownResults, descriptions }: Results): string {
  return `${blocks(
    intro(peers, speedResults),
    shows(peers),
    survival(peers),
    ahead(peers),
    kinds(peers),
    misbehaviour(peers),
    files(peers),
    cost(peers),
    soundness(peers),
    notRun(peers),
    limits(peers),
    speed(speedResults, baseline, descriptions),
    own(ownResults),
    FOR_A_CHANGE,
  )}\n`;
}
