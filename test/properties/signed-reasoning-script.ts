import fc from 'fast-check';

/** What happens in a loop with a model that signs its reasoning, before a wire writes it down. */
export interface SignedScript {
  /** Whether the model thinks before every call, or only when somebody has spoken. */
  readonly thinks: 'every-step' | 'at-start';
  /** Tokens of the window. */
  readonly window: number;
  readonly turns: readonly ScriptedTurn[];
  readonly seed: number;
}

export interface ScriptedTurn {
  /** Characters of the request. */
  readonly ask: number;
  readonly steps: readonly ScriptedStep[];
  /** Characters of the closing answer. */
  readonly close: number;
}

export interface ScriptedStep {
  /** `redacted`: the provider hides the thought. `twice`: the model thinks, speaks, and thinks again before its calls. */
  readonly thought: 'plain' | 'redacted' | 'twice';
  readonly thoughtChars: number;
  /** Characters between thought and calls. */
  readonly text: number | null;
  readonly calls: readonly ScriptedCall[];
  /** Something the host reminds the model of, behind the results. */
  readonly reminder: boolean;
}

export interface ScriptedCall {
  readonly tool: 'read' | 'run' | 'write' | 'plan';
  readonly argument: number;
  readonly result: number;
  readonly failed: boolean;
}

export interface ScriptSize {
  readonly turns: number;
  readonly steps: number;
  readonly windows: readonly [number, number];
  readonly reminders: boolean;
}

export function signedScripts({ turns, steps, windows, reminders }: ScriptSize): fc.Arbitrary<SignedScript> {
  const call: fc.Arbitrary<ScriptedCall> = fc.record({
    tool: fc.constantFrom('read', 'run', 'write', 'plan'),
    argument: fc.oneof(
      { weight: 5, arbitrary: fc.constant(20) },
      { weight: 1, arbitrary: fc.integer({ min: 300, max: 3_000 }) },
    ),
    result: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 2_500 }) },
      { weight: 1, arbitrary: fc.integer({ min: 2_500, max: 9_000 }) },
    ),
    failed: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
  });
  const step: fc.Arbitrary<ScriptedStep> = fc.record({
    thought: fc.constantFrom('plain', 'plain', 'redacted', 'twice'),
    thoughtChars: fc.integer({ min: 20, max: 900 }),
    text: fc.option(fc.integer({ min: 10, max: 400 }), { freq: 2 }),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    reminder: reminders ? fc.integer({ min: 0, max: 4 }).map((value) => value === 0) : fc.constant(false),
  });
  const turn: fc.Arbitrary<ScriptedTurn> = fc.record({
    ask: fc.integer({ min: 10, max: 300 }),
    steps: fc.array(step, { minLength: 1, maxLength: steps, size: 'max' }),
    close: fc.integer({ min: 10, max: 600 }),
  });
  return fc.record({
    thinks: fc.constantFrom('every-step', 'every-step', 'at-start'),
    window: fc.integer({ min: windows[0], max: windows[1] }),
    turns: fc.array(turn, { minLength: 1, maxLength: turns, size: 'max' }),
    seed: fc.nat(1_000_000),
  });
}

const WORDS: readonly string[] =
  'ferry ledger kiln orchard signal harbour valve parcel lantern meadow opens counts repairs sorts ships paints slowly twice before noon'.split(
    ' ',
  );

/** About so many characters of invented lines that a number decides. */
export function linesOf(seed: number, chars: number): string {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let text = '';
  while (text.length < chars) {
    const words = Array.from({ length: 5 + next(6) }, () => WORDS[next(WORDS.length)]);
    text += `${next(9_000)} ${words.join(' ')}${next(4) === 0 ? ` src/${WORDS[next(10)]}.ts` : ''}\n`;
  }
  return text.slice(0, chars).trimEnd();
}
