import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { contentHash } from '../../core/conversation/hash.ts';
import type { Fixture, ProbeBank } from '../types.ts';
import { type Hash, parseBank } from './bank.ts';
import { type HeaderInput, parseHeader, parseJson, wrong } from './schema.ts';

/** A session with its probes and its notes. */
export interface LoadedFixture {
  /** The session and its metadata. */
  readonly fixture: Fixture;
  /** Its probes; null when no probe file lies next to the session. */
  readonly bank: ProbeBank | null;
  /** The text of NOTES.md; null without one. */
  readonly notes: string | null;
}

/** Options of `loadFixture` and `loadFixtures`. */
export interface LoadOptions {
  /** Folder in which plain names are looked for. @default 'fixtures' */
  readonly root?: string;
  /** Reads files other than plain JSON messages, such as the log of an agent, as a wire value. @default such files are an error */
  readonly open?: (file: string) => Promise<unknown>;
  /** Makes the digests. @default the content hash of core */
  readonly hash?: Hash;
}

/**
 * Loads fixtures from folders, files or names. A folder holds one fixture as `session.json` (or `.jsonl`), or several: as folders, or as files
 * `X.json` with `X.probes.json` next to them or in `../probes`.
 */
export async function loadFixtures(
  places: string | readonly string[],
  options: LoadOptions = {},
): Promise<readonly LoadedFixture[]> {
  const loaded: LoadedFixture[] = [];
  for (const place of typeof places === 'string' ? [places] : places)
    for (const file of await sessionFiles(await placeOf(place, options))) loaded.push(await loadSession(file, options));
  const twice = loaded.find(
    ({ fixture }, index) => loaded.findIndex((other) => other.fixture.name === fixture.name) < index,
  );
  if (twice !== undefined)
    throw wrong(
      twice.fixture.file,
      null,
      `expected every fixture to have a name of its own, got \`${twice.fixture.name}\` twice`,
    );
  return loaded;
}

/** Loads one fixture from its folder, its session file or its name. */
export async function loadFixture(place: string, options: LoadOptions = {}): Promise<LoadedFixture> {
  const [only, ...others] = await sessionFiles(await placeOf(place, options));
  if (only === undefined || others.length > 0)
    throw wrong(place, null, `expected one fixture, got ${others.length + 1}`);
  return loadSession(only, options);
}

async function placeOf(place: string, { root = 'fixtures' }: LoadOptions): Promise<string> {
  if ((await kindOf(place)) !== 'none') return place;
  const named = join(root, place);
  for (const candidate of [named, `${named}.json`]) if ((await kindOf(candidate)) !== 'none') return candidate;
  throw wrong(place, null, `expected a fixture (a folder, a file, or a name in ${root}), but there is none`);
}

const SESSION_NAMES: readonly string[] = ['session.json', 'session.jsonl'];

/** Lists the session files of a folder with one fixture or many, in the order of their names. */
async function sessionFiles(place: string): Promise<readonly string[]> {
  if ((await kindOf(place)) === 'file') return [place];
  const names = (await readdir(place)).sort();
  const own = SESSION_NAMES.find((name) => names.includes(name));
  if (own !== undefined) return [join(place, own)];
  if (names.includes('fixtures') && names.includes('probes')) return sessionFiles(join(place, 'fixtures'));
  const found: string[] = [];
  for (const name of names) {
    const path = join(place, name);
    const isFolder = (await kindOf(path)) === 'directory';
    const inside = isFolder ? (await readdir(path)).find((each) => SESSION_NAMES.includes(each)) : undefined;
    if (inside !== undefined) found.push(join(path, inside));
    else if (!isFolder && /\.jsonl?$/.test(name) && !/(?:^|\.)probes\.json$/.test(name)) found.push(path);
  }
  if (found.length === 0)
    throw wrong(place, null, 'expected a folder with session.json, or with folders that have one, got neither');
  return found;
}

async function loadSession(file: string, options: LoadOptions): Promise<LoadedFixture> {
  const { hash = contentHash } = options;
  const folder = dirname(file);
  const isOwn = SESSION_NAMES.includes(basename(file));
  const usual = isOwn ? basename(folder) : basename(file).replace(/\.jsonl?$/, '');
  const { wire, header, values } = await readWire(file, options);
  const name = header.name ?? usual;
  const notes = isOwn ? await readText(join(folder, 'NOTES.md')) : null;
  const bankFile = await firstFile([
    ...(isOwn ? [join(folder, 'probes.json')] : []),
    join(folder, `${usual}.probes.json`),
    join(folder, '..', 'probes', `${usual}.probes.json`),
  ]);
  const bank =
    bankFile === null ? null : parseBank((await readText(bankFile)) ?? '', { file: bankFile, fixture: name, hash });
  const target = header.target ?? null;
  const fixture: Fixture = {
    name,
    description: header.description ?? firstParagraph(notes),
    model: header.model ?? null,
    contextLength: header.context_length ?? null,
    wire,
    target,
    header: values,
    digest: hash(JSON.stringify([scoredOf(wire), target])),
    file,
  };
  return { fixture, bank, notes };
}

/** Returns the messages alone, without the header. */
function scoredOf(wire: unknown): unknown {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => !HEADER_KEYS.includes(key)));
}

interface ReadWire {
  readonly wire: unknown;
  readonly header: HeaderInput;
  readonly values: Readonly<Record<string, unknown>>;
}

const HEADER_KEYS: readonly string[] = [
  'name',
  'description',
  'model',
  'context_length',
  'target',
  'notes',
  'source',
  'truncated_to',
  'scrubbed_at',
  'scrubbing_passes',
];

async function readWire(file: string, { open }: LoadOptions): Promise<ReadWire> {
  const text = (await readText(file)) ?? '';
  const root = jsonOf(text) ?? linesOf(text);
  if (isRequest(root)) {
    const values = Object.fromEntries(HEADER_KEYS.filter((key) => key in root).map((key) => [key, root[key]]));
    return { wire: root, header: parseHeader(text, file, values), values };
  }
  if (isMessages(root)) return { wire: root, header: {}, values: {} };
  if (open !== undefined) return { wire: await open(file), header: {}, values: {} };
  parseJson(text, file);
  throw wrong(file, 1, 'expected an object with `messages`, a list of messages, or one message a line');
}

function isRequest(root: unknown): root is Readonly<Record<string, unknown>> {
  if (typeof root !== 'object' || root === null) return false;
  const { messages, input, contents } = root as Readonly<Record<string, unknown>>;
  return [messages, input, contents].some(Array.isArray);
}

function isMessages(root: unknown): boolean {
  return (
    Array.isArray(root) &&
    root.length > 0 &&
    root.every((each) => typeof each === 'object' && each !== null && 'role' in each)
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as unknown;
  } catch {
    return null;
  }
}

function linesOf(text: string): unknown {
  const values = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(jsonOf);
  return values.includes(null) ? null : values;
}

/** Returns the first paragraph of the notes that is not a heading, on one line. */
function firstParagraph(notes: string | null): string {
  const paragraph = (notes ?? '')
    .split(/\n\s*\n/)
    .find((each) => each.trim() !== '' && !each.trimStart().startsWith('#'));
  return (paragraph ?? '').replaceAll(/\s+/g, ' ').trim();
}

async function firstFile(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await kindOf(path)) === 'file') return path;
  return null;
}

async function readText(path: string): Promise<string | null> {
  if ((await kindOf(path)) !== 'file') return null;
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw wrong(path, null, 'expected a file that can be read');
  }
}

async function kindOf(path: string): Promise<'none' | 'file' | 'directory'> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'none';
  return found.isDirectory() ? 'directory' : 'file';
}
