/** Results of runs that never ran: probes with known chances, compactions that move all their probes together. */
import { gaussian, type Random, seeded } from '../../src/eval/statistics/random.ts';
import {
  type Cell,
  DIMENSIONS,
  type Dimension,
  type FactOutcome,
  type FactResult,
  type Grades,
  type ProbeFactKind,
  type ProbeType,
  type Provenance,
  type RunResult,
  type StateResult,
} from '../../src/eval/types.ts';

export interface Simulation {
  readonly seed: number;
  readonly label?: string;
  readonly fixtures?: number;
  readonly runs?: number;
  readonly passes?: number;
  /** Spread of what one compaction does to all its probes, on the scale of log-odds; 0 for a compactor without chance. */
  readonly compactionNoise?: number;
  readonly judged?: boolean;
  /** Nearly everything is kept, as a good compactor does. */
  readonly easy?: boolean;
  readonly tokens?: number;
  readonly provenance?: Partial<Provenance>;
  /** Changes what became of a fact. */
  readonly plant?: (fact: PlantedFact) => FactOutcome | null;
}

export interface PlantedFact {
  readonly type: ProbeType;
  readonly kind: ProbeFactKind;
  readonly pass: number;
  /** Share of facts to plant into is decided with this number from 0 to 1. */
  readonly chance: number;
  readonly probe: string;
}

/** One fixture's probes: type and kind of the fact it expects. */
export const BANK: readonly (readonly [ProbeType, ProbeFactKind])[] = [
  ['recall', 'number'],
  ['recall', 'error'],
  ['recall', 'identifier'],
  ['artifact', 'path'],
  ['artifact', 'path'],
  ['continuation', 'todo'],
  ['decision', 'decision'],
  ['constraint', 'constraint'],
  ['supersession', 'number'],
  ['drift', 'identifier'],
];

/** The dimension that a type of probe shows most. */
const SHOWN: Readonly<Partial<Record<ProbeType, Dimension>>> = {
  recall: 'accuracy',
  artifact: 'artifact_trail',
  continuation: 'continuity',
  decision: 'completeness',
  constraint: 'instruction_following',
  supersession: 'context_awareness',
  drift: 'continuity',
};

/** The same probes and fixtures for every seed; what compactions do to them differs. */
export function simulate(simulation: Simulation): readonly RunResult[] {
  const { fixtures = 10, runs = 3 } = simulation;
  const random = seeded(simulation.seed);
  return Array.from({ length: fixtures }, (_, fixture) =>
    Array.from({ length: runs }, (__, run) => oneRun(simulation, `fixture-${fixture + 1}`, run + 1, random)),
  ).flat();
}

function oneRun(simulation: Simulation, fixture: string, run: number, random: Random): RunResult {
  const { label = 'simulated', passes = 2, judged = false, tokens = 9000, compactionNoise = 0.8 } = simulation;
  const difficulty = seeded([...fixture].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7) % 1_000_003);
  const ease = BANK.map(() => (simulation.easy === true ? 4 : 2 + 1.5 * gaussian(difficulty)));
  const states: StateResult[] = [];
  const cells: Cell[] = [];
  // What the first pass does stays: a chain of compactions is one story.
  let shift = 0;
  const luck = BANK.map(() => random());
  for (let pass = 1; pass <= passes; pass++) {
    shift += compactionNoise * gaussian(random);
    states.push(state('candidate', 'candidate', pass, tokens));
    for (const [place, [type, kind]] of BANK.entries()) {
      const probe = `p${place + 1}`;
      const chance = 1 / (1 + Math.exp(-((ease[place] ?? 0) + shift - 0.3 * pass)));
      const isKept = compactionNoise === 0 ? chance > 0.5 : (luck[place] ?? 0) < chance;
      const planted = simulation.plant?.({ type, kind, pass, chance: random(), probe });
      const outcome: FactOutcome = planted ?? (isKept ? 'verbatim' : 'lost');
      cells.push(
        cell({ fixture, arm: 'candidate', pass, probe, type, fact: { kind, outcome }, grades: judged ? random : null }),
      );
    }
  }
  states.push(state('full', 'ceiling', 0, 100_000), state('none', 'floor', 0, 100));
  for (const [place, [type, kind]] of BANK.entries())
    for (const [arm, outcome] of [
      ['full', 'verbatim'],
      ['none', 'lost'],
    ] as const)
      cells.push(
        cell({
          fixture,
          arm,
          pass: 0,
          probe: `p${place + 1}`,
          type,
          fact: { kind, outcome },
          grades: judged ? random : null,
        }),
      );
  return { version: 1, label, fixture, run, states, cells, provenance: provenanceOf(simulation) };
}

function provenanceOf({ judged = false, provenance, passes = 2 }: Simulation): Provenance {
  return {
    precis: '0.1.0',
    fixtureDigest: 'f',
    bankDigest: 'b',
    rubricDigest: 'r',
    compressorModel: null,
    answerModel: judged ? 'answerer' : null,
    judgeModel: judged ? 'judge' : null,
    target: 9000,
    passes,
    startedAt: '2026-01-01T00:00:00.000Z',
    ms: 1000,
    usd: null,
    ...provenance,
  };
}

function state(arm: string, role: StateResult['role'], pass: number, tokens: number): StateResult {
  return { arm, role, pass, tokens, tokensOfSource: 100_000, calls: 0, usd: null, ms: 10, invalid: null };
}

interface CellInput {
  readonly fixture: string;
  readonly arm: string;
  readonly pass: number;
  readonly probe: string;
  readonly type: ProbeType;
  readonly fact: { readonly kind: ProbeFactKind; readonly outcome: FactOutcome };
  readonly grades: Random | null;
}

export function cell({ fixture, arm, pass, probe, type, fact, grades }: CellInput): Cell {
  const isVisible = fact.outcome === 'verbatim' || fact.outcome === 'normalised';
  const isKept = isVisible || fact.outcome === 'recoverable';
  const facts: readonly FactResult[] = [
    {
      value: `value of ${probe}`,
      kind: fact.kind,
      weight: 'vital',
      outcome: fact.outcome,
      note: isVisible ? '' : 'not found',
    },
  ];
  return {
    fixture,
    arm,
    pass,
    probe,
    type,
    facts,
    survival: Number(isKept),
    visible: Number(isVisible),
    judged:
      grades === null
        ? null
        : {
            answer: isVisible ? 'the value' : 'not in context',
            outcome: isVisible ? 'correct' : fact.outcome === 'stale' ? 'stale' : 'abstained',
            grades: gradesOf(type, isVisible, grades),
            note: isVisible ? '' : 'the fact is missing',
            retries: 0,
          },
  };
}

/** Every dimension wavers; the one that the type shows falls when the fact is gone. */
function gradesOf(type: ProbeType, isVisible: boolean, random: Random): Grades {
  const waver = (centre: number): number => Math.min(5, Math.max(0, Math.round(centre + 0.6 * gaussian(random))));
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [dimension, waver(!isVisible && SHOWN[type] === dimension ? 1 : 4)]),
  ) as unknown as Grades;
}
