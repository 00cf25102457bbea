/** Small results, written by hand: an arm that failed, one ahead of precis, one that loses something. */
import type { OwnResults } from '../../bench/own/results.ts';
import type { ArmResult, PeersResults, SurvivalRow } from '../../bench/peers/results.ts';
import type { Results } from '../../bench/report/page.ts';
import type { Baseline } from '../../bench/speed/baseline.ts';
import type { SpeedResults } from '../../bench/speed/types.ts';

export function survivalRow(
  given: Pick<SurvivalRow, 'arm' | 'teller' | 'passes' | 'kept'> & Partial<SurvivalRow>,
): SurvivalRow {
  return {
    facts: 100,
    byKind: { constraint: { kept: 5, facts: 10 }, path: { kept: 20, facts: 90 } },
    byAge: { oldest: { kept: 1, facts: 30 }, middle: { kept: 5, facts: 30 }, newest: { kept: 15, facts: 40 } },
    retained: 0.1,
    tooLarge: 0,
    shown: given.teller === 'none' ? 0 : 1,
    allowed: null,
    calls: given.teller === 'none' ? 0 : given.passes,
    unsound: [],
    threw: 0,
    skipped: 0,
    withSearch: null,
    behind: [],
    ours: null,
    ...given,
  };
}

function arm(id: string, title: string, given: Partial<ArmResult> = {}): ArmResult {
  return { id, title, how: `Calls ${id}`, versions: [], summarises: true, counting: 'exact', failed: null, ...given };
}

const SAME = { facts: 100, retained: 0.1 };

export const peers: PeersResults = {
  date: '2030-01-02T03:04:05.000Z',
  commit: 'abc1234567',
  node: '24.0.0',
  machine: '2 cores',
  place: null,
  sessions: [
    { name: 'one', tokens: 20_000, facts: 40 },
    { name: 'two', tokens: 50_000, facts: 60 },
  ],
  target: { percent: 10, leastTokens: 2_000 },
  passes: [1, 5],
  window: 200_000,
  floor: { kept: 3, facts: 100 },
  arms: [
    arm('precis', 'precis', { summarises: false, versions: ['precis 0.1.0'] }),
    arm('cut', 'cut', { summarises: false, counting: 'none' }),
    arm('precis-model', 'precis + model'),
    arm('peer', 'peer', { versions: ['peer 1.2.3'], counting: 'estimate' }),
    arm('broken', 'broken', { failed: 'Cannot find module <x>' }),
  ],
  survival: [
    survivalRow({ arm: 'precis', teller: 'none', passes: 1, kept: 70 }),
    survivalRow({ arm: 'precis', teller: 'none', passes: 5, kept: 70 }),
    survivalRow({ arm: 'cut', teller: 'none', passes: 1, kept: 21, ours: { kept: 70, ...SAME } }),
    survivalRow({ arm: 'cut', teller: 'none', passes: 5, kept: 21, ours: { kept: 70, ...SAME } }),
    survivalRow({ arm: 'precis-model', teller: 'silent', passes: 5, kept: 71 }),
    survivalRow({ arm: 'peer', teller: 'silent', passes: 1, kept: 40, ours: { kept: 71, ...SAME } }),
    survivalRow({
      arm: 'peer',
      teller: 'silent',
      passes: 5,
      kept: 21,
      ours: { kept: 71, ...SAME },
      unsound: ['one: a result without its call'],
    }),
    survivalRow({ arm: 'precis-model', teller: 'perfect', passes: 5, kept: 80 }),
    survivalRow({ arm: 'peer', teller: 'perfect', passes: 1, kept: 80, ours: { kept: 80, ...SAME } }),
    survivalRow({ arm: 'peer', teller: 'perfect', passes: 5, kept: 92, allowed: 10_000, ours: { kept: 80, ...SAME } }),
  ],
  files: [
    {
      arm: 'precis',
      teller: 'none',
      files: 9,
      shellFiles: 3,
      named: 8,
      shellNamed: 3,
      told: 7,
      shellTold: 2,
      retained: 0.1,
    },
    {
      arm: 'peer',
      teller: 'silent',
      files: 9,
      shellFiles: 3,
      named: 4,
      shellNamed: 0,
      told: 2,
      shellTold: 0,
      retained: 0.1,
    },
  ],
  misbehaviours: [
    { arm: 'precis-model', misbehaviour: 'refuses', verdict: 'fell-back', detail: '', calls: 1, seconds: 0.1 },
    {
      arm: 'peer',
      misbehaviour: 'refuses',
      verdict: 'lost',
      detail: 'the refusal | is the memory',
      calls: 1,
      seconds: 0.1,
    },
    { arm: 'peer', misbehaviour: 'throws', verdict: 'threw', detail: '', calls: 4, seconds: 14 },
  ],
  cost: {
    session: { tokens: 100_000, messages: 300 },
    passes: [
      { arm: 'precis', ms: 100, peakMb: 30, loadedMb: 90 },
      { arm: 'cut', ms: 10, peakMb: 5, loadedMb: 90 },
      { arm: 'peer', ms: 200, peakMb: 60, loadedMb: 120 },
    ],
    turns: [
      { arm: 'precis', tokens: 10_000, ms: 0.2 },
      { arm: 'precis', tokens: 100_000, ms: 0.3 },
      { arm: 'peer', tokens: 10_000, ms: 1 },
      { arm: 'peer', tokens: 100_000, ms: 10 },
    ],
    noise: { pass: 1.04, turn: 0.8 },
  },
  notRun: [['codex', 'a program']],
  seconds: 90,
};

const speed: SpeedResults = {
  version: 1,
  date: '2030-01-03T00:00:00.000Z',
  commit: 'abc1234567',
  node: '24.0.0',
  cpu: { model: 'some', cores: 2 },
  quick: false,
  noise: { median: 0.02, largest: 0.3, where: 'fold at 10000' },
  rows: [10_000, 1_000_000].map((size) => ({
    workload: 'fold',
    size,
    tokens: size,
    ms: size / 1_000,
    yardsticks: size / 1_000,
    peakMb: 10,
    sameByTheSame: 1,
    samples: 10,
  })),
  exponents: [
    { workload: 'fold', of: 'time', slope: 1.3, words: '1.30: a little more than linear' },
    { workload: 'fold', of: 'memory', slope: null, words: 'too few sizes to say' },
  ],
  lines: [{ what: 'spaces', ms: 40, yardsticks: 10, sameByTheSame: 1 }],
};

const baseline: Baseline = {
  version: 1,
  date: '2029-12-31T00:00:00.000Z',
  node: '24.0.0',
  cpu: { model: 'some', cores: 2 },
  entries: [{ name: 'fold at 10000', yardsticks: 2, sameByTheSame: 1 }],
};

const own: OwnResults = {
  version: 1,
  date: '2030-01-04T00:00:00.000Z',
  commit: 'abc1234567',
  node: '24.0.0',
  cores: 2,
  survival: [{ arm: 'precis', target: 10, passes: 1, kept: 30, facts: 44 }],
  longLife: {
    turns: 2_000,
    compactions: 60,
    firstRatio: 0.3,
    lastRatio: 0.4,
    firstHandoff: 2_000,
    lastHandoff: 3_000,
    rulesKept: 4,
    rules: 4,
    heapMb: [30],
    ms: 4_000,
  },
  store: { tokens: 1_000_000, messages: 3_000, chunks: 7_000, jsonBytes: 3_400_000, rows: [] },
  readers: [],
  scrub: {
    planted: { items: 50, kinds: 20, left: 0 },
    clean: { bytes: 5_000_000, replaced: [], per100KB: 0.02, megabytesPerSecond: 30 },
    growth: [],
  },
  crash: {
    writers: {
      kills: 600,
      during: { commit: 500, gc: 100 },
      wholeBatches: 80,
      absentBatches: 220,
      acknowledged: 5_000,
    },
    contexts: { kills: 600, before: 300, after: 300, refs: 1_000 },
  },
};

export const sample: Results = { peers, speed, baseline, own, descriptions: { fold: 'compact to a tenth' } };
