/** `npm run bench:report [-- --check]`: the pages of the documentation that hold figures, made from `bench/results`. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { workloads } from '../speed/workloads/index.ts';
import { report } from './report.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const root = fileURLToPath(new URL('../..', import.meta.url));
const descriptions = Object.fromEntries(workloads.map(({ name, what }) => [name, what]));
const { code, lines } = report(root, values.check === true ? 'check' : 'write', descriptions);
for (const line of lines) (code === 0 ? process.stdout : process.stderr).write(`${line}\n`);
process.exitCode = code;
