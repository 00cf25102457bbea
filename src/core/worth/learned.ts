import learned from './learned.json' with { type: 'json' };
import type { LearnedWorth } from './weigh.ts';

/** The worth that `npm run learn` found. The file says from which sessions. */
export const LEARNED: LearnedWorth = learned as unknown as LearnedWorth;
