import {
  type AssistantSaid,
  type Call,
  FORMATS,
  type FormatId,
  type Hosted,
  type Piece,
  type Said,
  text,
} from '../said.ts';
import { type Filler, PLAIN, type Scene, type Shape } from './filler.ts';

/** How one session differs from a plain one, in which a user asks, the model calls a tool each turn, and little is said. */
export interface SessionOptions {
  readonly name: string;
  readonly about: string;
  readonly formats?: readonly FormatId[];
  readonly large?: readonly FormatId[];
  readonly windows?: readonly number[];
  readonly turns?: number;
  readonly fills?: number;
  readonly shape?: Partial<Shape>;
  /** The user asks something new after this many turns. @default 12 */
  readonly every?: number;
  /** Turns at which the user speaks, in place of `every`. */
  readonly asksAt?: readonly number[];
  /** Calls of one answer. @default 1 */
  readonly calls?: number;
  readonly request?: (scene: Scene, marker: string) => readonly Piece[];
  readonly reminder?: (scene: Scene) => string;
  readonly thought?: (scene: Scene, isFirstStep: boolean) => string | null;
  readonly prose?: (scene: Scene) => string;
  readonly hosted?: (scene: Scene) => readonly Hosted[];
  readonly args?: (scene: Scene) => Readonly<Record<string, string>>;
  readonly result?: (scene: Scene) => readonly Piece[];
}

/** Tokens of a result that is not what fills the window. */
const SMALL = 25;
/** A context shortens longer results as they come in, so a large window is filled by more of them. */
const MOST_RESULT = 3_500;

export function session(options: SessionOptions): Filler {
  const { every = 12, asksAt, calls = 1, formats = FORMATS, large = [], windows, turns, fills } = options;
  const isAsked = (turn: number): boolean =>
    asksAt === undefined ? (turn - 1) % every === 0 : turn === 1 || asksAt.includes(turn);
  const callsIn = ({ budget }: Scene): number =>
    options.result === undefined ? calls : Math.max(calls, Math.ceil(budget / MOST_RESULT));
  const asks = (scene: Scene): readonly Said[] => {
    const reminder = options.reminder?.(scene);
    const late: readonly Said[] = reminder === undefined ? [] : [{ role: 'reminder', text: reminder }];
    if (!scene.isClosed) return late;
    const pieces = (options.request ?? plainRequest)(scene, scene.mark());
    return [{ role: 'user', pieces }, ...late];
  };
  return {
    name: options.name,
    about: options.about,
    formats,
    large,
    ...(windows === undefined ? {} : { windows }),
    ...(turns === undefined ? {} : { turns }),
    ...(fills === undefined ? {} : { fills }),
    shape: { ...PLAIN, ...options.shape },
    asks,
    answers: (scene) => answer(scene, options, isAsked(scene.turn + 1) ? 0 : callsIn(scene)),
    returns: (scene) => options.result?.(scene) ?? [text(scene.words.log(SMALL))],
  };
}

/** What the user types: at first the task, later other words with their own marker. */
export function typed({ words, turn }: Scene, marker: string, later: string): string {
  if (turn > 1) return `${later} Name it ${marker}.`;
  return `Please set up the stock count of the yard and keep going until it is done: ${words.sentence()} Name it ${marker}.`;
}

function plainRequest(scene: Scene, marker: string): readonly Piece[] {
  return [text(typed(scene, marker, `Next, look at this as well: ${scene.words.sentence()}`))];
}

function answer(scene: Scene, options: SessionOptions, calls: number): AssistantSaid {
  const { words, isFresh } = scene;
  const made: readonly Call[] = Array.from({ length: calls }, () => ({
    id: scene.id('call'),
    tool: scene.random.pick(['read_sheet', 'count_stock', 'write_note'] as const),
    args: options.args?.(scene) ?? { sheet: words.sentence() },
  }));
  return {
    role: 'assistant',
    thought: options.thought?.(scene, isFresh) ?? null,
    text: options.prose?.(scene) ?? words.sentence(),
    hosted: options.hosted?.(scene) ?? [],
    calls: made,
  };
}
