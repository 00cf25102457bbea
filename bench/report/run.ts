/** `npm run bench:report`: see `--help`. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { workloads } from '../speed/workloads/index.ts';
import { BAD_INPUT, type Reported, report } from './report.ts';

const HELP = `Generates the documentation pages with figures from bench/results.

  npm run bench:report [-- --check]

  --check  write nothing; exit with 1 if a page does not match the results
  --help   this text
`;

function reported(argv: readonly string[]): Reported {
  const wish = wishOf(argv);
  if (typeof wish === 'string') return { code: BAD_INPUT, lines: [wish] };
  if (wish.help === true) return { code: 0, lines: [HELP.trimEnd()] };
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const descriptions = Object.fromEntries(workloads.map(({ name, what }) => [name, what]));
  return report(root, wish.check === true ? 'check' : 'write', descriptions);
}

/** The flags, or a sentence that says which flags exist. */
function wishOf(argv: readonly string[]): { readonly check?: boolean; readonly help?: boolean } | string {
  try {
    return parseArgs({ args: [...argv], options: { check: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return `Expected --check, --help or nothing: ${error instanceof Error ? error.message.split('. ')[0] : error}`;
  }
}

const { code, lines } = reported(process.argv.slice(2));
for (const line of lines) (code === 0 ? process.stdout : process.stderr).write(`${line}\n`);
process.exitCode = code;
