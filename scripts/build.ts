/**
 * Builds `dist/` from `src/`: one JavaScript file and one declaration file per source file, tests left out.
 * Run by `npm run build`, and by npm itself (`prepare`) after an install in a clone and before a package is packed.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;
const bin = `${dist}/cli/main.js`;

// A file that was renamed must not live on in the package.
rmSync(dist, { recursive: true, force: true });

const compiler = `${root}node_modules/typescript/bin/tsc`;
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

// npm sets this bit on install; a clone runs the file without one.
if (existsSync(bin)) chmodSync(bin, 0o755);
