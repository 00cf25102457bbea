import { parseArgs } from 'node:util';

export interface LoopsRequest {
  /** Parts of names; empty for all loops. */
  readonly only: readonly string[];
  readonly seed: number;
  readonly check: boolean;
  readonly save: boolean;
}

export type LoopsFlags =
  | { readonly type: 'run'; readonly request: LoopsRequest }
  | { readonly type: 'help' }
  | { readonly type: 'bad'; readonly sentence: string };

export const LOOPS_HELP: string = `npm run bench loops [-- FLAGS]

Plays agent loops of 60 turns against a server inside the process, and checks every request that would be sent: that it
fits the window, that the API would take it, and that it holds the user's first and newest request.

  --only NAME[,NAME]  play only loops whose names begin with NAME, such as tool-output or tool-output/gemini/8K
  --seed N            make other texts (default 1)
  --check             exit with 1 if a loop went wrong
  --save              write docs/loops.md
  --help              this text

Examples:
  npm run bench loops                           all loops
  npm run bench loops -- --only user-pastes     one filler in all formats
  npm run bench loops -- --only claude-thinking-600 --check
  npm run bench loops -- --save                 all loops, and the page with their figures
`;

export function parseLoopsFlags(argv: readonly string[]): LoopsFlags {
  let values: ReturnType<typeof read>['values'];
  try {
    ({ values } = read(argv));
  } catch (error) {
    return bad(`${error instanceof Error ? error.message.split('. ')[0] : error}`);
  }
  if (values.help === true) return { type: 'help' };
  const only = (values.only ?? '').split(',').filter((name) => name !== '');
  if (values.only !== undefined && only.length === 0) return bad('--only needs a name');
  const seed = Number(values.seed ?? 1);
  if (!Number.isSafeInteger(seed) || values.seed === '')
    return bad(`Expected a whole number for --seed, got \`${values.seed}\``);
  const save = values.save === true;
  if (save && (only.length > 0 || values.seed !== undefined)) return bad('--save needs all loops with the usual seed');
  return { type: 'run', request: { only, seed, check: values.check === true, save } };
}

function read(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      seed: { type: 'string' },
      check: { type: 'boolean' },
      save: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
}

function bad(sentence: string): LoopsFlags {
  return { type: 'bad', sentence: `${sentence}. See npm run bench loops -- --help` };
}
