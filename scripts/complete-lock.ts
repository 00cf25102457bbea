/**
 * Completes `package-lock.json` after an install from a mirror that carries the packages of some platforms only.
 *
 * npm leaves an optional package out of the lock file when it cannot see it, and `npm ci` then refuses the lock file as
 * "not in sync". The names and exact versions are known from the package that wants them, and the platform from the
 * name, so the entries are added here; npm skips them on every other platform without asking for them. They carry no
 * checksum: an install from a full registry on that platform adds it.
 *
 * Run it after adding a dependency: `node scripts/complete-lock.ts` (prints what it added).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  packages: Record<string, LockEntry>;
}

const SYSTEMS: ReadonlySet<string> = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]);
const PROCESSORS: ReadonlySet<string> = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]);
const LIBRARIES: Readonly<Record<string, string>> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl' };

/** `@rolldown/binding-linux-x64-musl` → linux, x64, musl; null when the name says no processor. */
export function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> | null {
  const words = name.split(/[-/]/);
  const cpu = words.find((word) => PROCESSORS.has(word));
  if (cpu === undefined) return null;
  const os = words.find((word) => SYSTEMS.has(word));
  const libc = words.map((word) => LIBRARIES[word]).find((word) => word !== undefined);
  return {
    cpu: [cpu],
    ...(os === undefined ? {} : { os: [os] }),
    ...(libc === undefined || os !== 'linux' ? {} : { libc: [libc] }),
  };
}

/** The lock file with every missing platform package, sorted as npm sorts it, and the names that were added. */
export function completeLock(lock: LockFile): { readonly lock: LockFile; readonly added: readonly string[] } {
  const packages = { ...lock.packages };
  const added: string[] = [];
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name);
      const path = `node_modules/${name}`;
      // Only exact versions: a range could not be written down without asking the registry.
      if (platform === null || packages[path] !== undefined || !/^\d+\.\d+\.\d+/.test(version)) continue;
      packages[path] = { version, ...platform, ...(entry.dev === true ? { dev: true } : {}), optional: true };
      added.push(name);
    }
  }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  return { lock: { ...lock, packages: sorted }, added };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const { lock, added } = completeLock(JSON.parse(readFileSync(file, 'utf8')) as LockFile);
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(added.length === 0 ? 'package-lock.json is complete' : `added ${added.join(', ')}`);
}
