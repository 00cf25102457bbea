/**
 * Hashes everything precis writes, so that a change which must not alter behaviour can be checked:
 *
 *     npx node scripts/identity.ts --out before.json fixtures ../logs
 *     … change the code, `npm run build` …
 *     npx node scripts/identity.ts --out after.json fixtures ../logs
 *     npx node scripts/identity.ts --compare before.json after.json
 *
 * Names begin with what they are: `view`, `receipt`, `handoff`, `context`, `model`, `replay` and `eval` are data; `text` is written for people.
 * `--dist DIR` takes another build than this clone's.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    dist: { type: 'string', default: 'dist' },
    compare: { type: 'boolean', default: false },
    keep: { type: 'string' },
    most: { type: 'string', default: '4000000' },
  },
});

function compareFiles(left: string, right: string): void {
  const [before, after] = [left, right].map((path) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const different = names.filter((name) => before?.[name] !== after?.[name]);
  for (const name of different.slice(0, 200)) console.log(`differs: ${name}`);
  const data = different.filter((name) => !name.startsWith('text '));
  console.log(
    `${names.length - different.length} equal, ${data.length} data differ, ${different.length - data.length} texts differ`,
  );
  process.exitCode = data.length > 0 ? 1 : 0;
}

type Load = (path: string) => Promise<Record<string, never>>;

async function hashAll(): Promise<void> {
  const dist = resolve(flags.dist);
  const load: Load = (path) => import(pathToFileURL(join(dist, path)).href);
  const files = positionals.flatMap(filesUnder).sort();
  const hashes: Record<string, string> = {};
  const put = (name: string, value: unknown): void => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
    const clean = text.replaceAll(dist, 'DIST').replaceAll(scratch, 'SCRATCH').replaceAll(resolve(dist, '..'), 'CLONE');
    hashes[name] = createHash('sha256').update(clean).digest('hex').slice(0, 16);
    if (flags.keep !== undefined)
      writeFileSync(join(flags.keep, name.replaceAll(/[^\w.-]+/g, '_').slice(0, 200)), clean);
  };
  const scratch = mkdtempSync(join(tmpdir(), 'identity-'));
  try {
    for (const file of files) {
      const name = relative(process.cwd(), file);
      const began = Date.now();
      await hashSession(load, file, name, put);
      if (Date.now() - began > 20_000) console.error(`slow: ${name} ${Date.now() - began} ms`);
    }
    await hashCommands(load, scratch, put);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(hashes, null, 1)}\n`);
  console.log(`${Object.keys(hashes).length} outputs of ${files.length} sessions`);
}

function filesUnder(path: string): readonly string[] {
  if (statSync(path).isFile()) return [resolve(path)];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name);
    if (entry.isDirectory()) return entry.name === 'LICENSES' || entry.name === 'facts' ? [] : filesUnder(below);
    return /\.jsonl?$/.test(entry.name) &&
      !/^(?:probes|parts|INDEX|sources)\.json$/.test(entry.name) &&
      statSync(below).size < Number(flags.most)
      ? [resolve(below)]
      : [];
  });
}

type Put = (name: string, value: unknown) => void;
// biome-ignore lint/suspicious/noExplicitAny: the script runs against builds whose types it does not know
type Any = any;

async function hashSession(load: Load, file: string, name: string, put: Put): Promise<void> {
  const core: Any = await load('index.js');
  const sessions: Any = await load('sessions/index.js');
  const testing: Any = await load('testing/index.js');
  let document: Any;
  try {
    document = await sessions.openSessionFile(file, {});
  } catch (error) {
    put(`text unreadable ${name}`, String(error));
    return;
  }
  const { conversation, format } = document;
  put(`view read ${name}`, document.write(conversation));
  const size = core.createMeasure(core.heuristicCounter).conversation(conversation);
  for (const [label, target] of [
    ['10%', Math.max(1500, Math.round(size / 10))],
    ['30%', Math.round(size * 0.3)],
    ['2000t', 2000],
  ] as const) {
    const done = await core.compact(conversation, format, {
      target,
      window: Math.max(target * 2, 128_000),
      openReasoning: 'strip',
    });
    put(`view ${label} ${name}`, format.encode(done.conversation));
    put(`receipt ${label} ${name}`, done.receipt);
    if (label !== '10%') continue;
    for (const [kind, script] of [
      ['good', testing.behave.good],
      ['lying', testing.behave.lying],
      ['forgetful', testing.behave.forgetful],
      [
        'answer',
        testing.behave.answer(`## Goal\n- Finish the task (#2)\n## Key Decisions\n${firstWords(conversation)}`),
      ],
    ] as const) {
      if (script === undefined) continue;
      const model = testing.scriptedModel(script);
      const written = await core.compact(conversation, format, {
        target,
        window: Math.max(target * 2, 128_000),
        openReasoning: 'strip',
        summarizer: core.singleSummarizer(model),
        focus: 'the tests',
      });
      put(`model view ${kind} ${name}`, format.encode(written.conversation));
      put(`model receipt ${kind} ${name}`, written.receipt);
      put(`model prompts ${kind} ${name}`, model.requests);
      const again = await core.compact(written.conversation, format, {
        target: Math.round(target * 0.8),
        window: Math.max(target * 2, 128_000),
        openReasoning: 'strip',
        summarizer: core.singleSummarizer(testing.scriptedModel(script)),
      });
      put(`model again ${kind} ${name}`, [format.encode(again.conversation), again.receipt]);
    }
    const redacted =
      core.redactText === undefined
        ? ''
        : core.redactText(JSON.stringify(format.encode(done.conversation)).slice(0, 50_000));
    put(`view redacted ${name}`, redacted);
  }
  put(`handoff ledger ${name}`, core.ledgerOf(conversation.messages));
  await hashContext(core, conversation, name, put);
}

function firstWords(conversation: Any): string {
  return conversation.messages
    .flatMap((message: Any, at: number) =>
      message.parts
        .filter((part: Any) => part.type === 'text' && part.text.length > 40)
        .map((part: Any) => `- ${part.text.replaceAll(/\s+/g, ' ').slice(0, 180)} (#${at + 1})`),
    )
    .slice(0, 12)
    .join('\n');
}

async function hashContext(core: Any, conversation: Any, name: string, put: Put): Promise<void> {
  const window = Math.max(8_000, Math.round(core.createMeasure(core.heuristicCounter).conversation(conversation) / 3));
  const context = await core
    .openContext({
      id: 'c',
      models: [{ id: 'm', contextWindow: window, maxOutput: 1000 }],
      now: () => 0,
      openReasoning: 'strip',
      trim: {},
    })
    .catch((error: unknown) => error);
  if (context instanceof Error) {
    put(`text context ${name}`, String(context));
    return;
  }
  const seen: unknown[] = [];
  for (const event of ['compaction:end', 'compaction:refused', 'pressure', 'model:switched'])
    context.on(event, (data: unknown) => seen.push([event, data]));
  const hash = createHash('sha256');
  const note = (value: unknown): void => void hash.update(JSON.stringify(value) ?? 'undefined');
  try {
    const steps = Math.max(1, Math.ceil(conversation.messages.length / 12));
    for (let at = 0; at < conversation.messages.length; at += steps) {
      await context.absorb(
        core.append(
          { ...conversation, messages: conversation.messages.slice(0, at) },
          conversation.messages.slice(at, at + steps),
        ),
      );
      note(await context.prepare());
    }
    note(await context.recall('Which port, path or version was used?'));
    note(await context.recall('#2'));
    note(context.metrics());
    note(context.compactions());
    if (context.compactions().length > 0) put(`text diff ${name}`, core.diffText(context.diff()));
    note(await context.undo());
    note(await context.compact({ target: Math.round(window / 4) }));
    note(await context.restore(null));
    note(
      await context.fallback({ status: 400, message: `prompt is too long: ${window + 10} tokens > ${window} maximum` }),
    );
    note(core.recallTool);
    note(await core.runRecall(context, { query: 'Which port, path or version was used?' }));
    note(seen);
    put(`context ${name}`, hash.digest('hex'));
  } catch (error) {
    put(`context ${name}`, `${hash.digest('hex')} ${String(error)}`);
  } finally {
    await context.close();
  }
}

async function hashCommands(load: Load, scratch: string, put: Put): Promise<void> {
  const { run }: Any = await load('cli/program.js');
  const { realWorld }: Any = await load('cli/world.js');
  const screen = { isTerminal: false, colors: false, columns: 80 };
  const command = async (line: string): Promise<void> => {
    let [out, err] = ['', ''];
    const world = {
      ...realWorld(),
      out: (text: string) => {
        out += text;
      },
      err: (text: string) => {
        err += text;
      },
      outScreen: screen,
      errScreen: screen,
      now: () => 0,
    };
    const code = await run(
      line.split(' ').map((word) => word.replaceAll('~', ' ').replace('TMP', scratch)),
      world,
    );
    const isData = /--json|--out -/.test(line) && !line.includes('--help');
    put(`${isData ? line.split(' ')[0] : 'text'} $ ${line}`, `${code}\n${scrubbed(out)}`);
    put(`text err $ ${line}`, scrubbed(err));
  };
  for (const line of LINES) await command(line);
  for (const file of filesIn(scratch)) {
    if (/\.(?:db|db-wal|db-shm)$/.test(file)) continue;
    const kind = /\.(?:md|html|xml|txt)$/.test(file) ? 'text' : 'eval';
    put(`${kind} file ${relative(scratch, file)}`, scrubbed(readFileSync(file, 'utf8')));
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Times and commits are no behaviour. */
function scrubbed(text: string): string {
  return text
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replaceAll(/"(ms|seconds|at|startedAt|endedAt|finishedAt|commit)":\s*[^,}\n]+/g, '"$1": 0')
    .replaceAll(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?/g, 'TIME');
}

const F = 'fixtures/rate-limiter/session.json';
const COMMANDS = [
  'compact',
  'show',
  'history',
  'sessions',
  'convert',
  'scrub',
  'probes',
  'compare',
  'report',
  'calibrate',
  'replay',
  'demo',
  'eval',
  'noise',
  'models',
  'doctor',
];
const LINES: readonly string[] = [
  '--help',
  ...COMMANDS.map((name) => `${name} --help`),
  'eval export --help',
  'eval import --help',
  'nonsense',
  'compact',
  'compact missing.json',
  'compact package.json',
  'compact README.md',
  `compact ${F} --target 0`,
  `compact ${F} --target abc`,
  `compact ${F} --target 10`,
  `compact ${F} --target 9000`,
  `compact ${F} --target 9000 --json`,
  `compact ${F} --target 9000 --passes 3 --json`,
  `compact ${F} --target 9000 --out -`,
  `compact ${F} --target 9000 --json --out -`,
  `compact ${F} --from nope`,
  `compact ${F} --for claude-sonnet-5`,
  `compact ${F} --for nope-1`,
  `compact ${F} --model nope/x`,
  `compact fixtures/incident/session.jsonl --target 3000 --out -`,
  `compact ${F} --target 9000 --store TMP/s.db --out TMP/small.json`,
  'history TMP/s.db',
  'history TMP/s.db diff c1',
  'history TMP/s.db search which~header~is~used',
  'history TMP/s.db search which~header~is~used --json',
  'history TMP/s.db show 51',
  'history TMP/s.db export --view now --out TMP/now.json',
  'history TMP/s.db undo',
  'history TMP/s.db export --view now --out TMP/undone.json',
  'history TMP/s.db restore c1',
  'history TMP/s.db gc --older-than 30 --dry-run',
  'history TMP/none.db',
  'history TMP/s.db nonsense',
  `show ${F} 51`,
  `show ${F} 5100`,
  `show ${F} r:0000000000000`,
  ...['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'].map(
    (to) => `convert ${F} --to ${to} --out -`,
  ),
  `convert ${F} --to gemini`,
  `convert ${F} --to nope`,
  'sessions fixtures --json',
  'sessions fixtures',
  `scrub ${F} --report`,
  `scrub ${F} fixtures/incident/session.jsonl --out TMP/scrubbed --json`,
  'scrub missing.json',
  `probes ${F} --out TMP/probes.json`,
  `probes ${F} --json`,
  'probes --check fixtures/rate-limiter fixtures/incident',
  'probes --check missing',
  'eval --fixtures rate-limiter,incident,chained-merge --results TMP/r --label a',
  'eval --fixtures rate-limiter,incident,chained-merge --results TMP/r --label b --target 10%',
  'eval --fixtures rate-limiter --results TMP/r --label c --json --compare-to TMP/r/a',
  'eval --fixtures nope',
  'eval --fail-on x',
  'compare TMP/r/a TMP/r/b',
  'compare TMP/r/a TMP/r/b --markdown',
  'compare TMP/r/a TMP/r/b --json',
  'compare TMP/r/a TMP/r/none',
  'report TMP/r/a',
  'report TMP/r/a --format markdown',
  'report TMP/r/a --format junit',
  'report TMP/r/a --format step-summary',
  'report TMP/r/a --json',
  'calibrate README.md TMP/r/a',
  'noise --fixtures rate-limiter --runs 2 --results TMP/r --label n',
  `replay ${F} fixtures/incident/session.jsonl --window 40000 --workers 0`,
  `replay ${F} --window 40000 --workers 0 --json`,
  `replay ${F} --window 40000 --workers 0 --markdown -`,
  `replay ${F} --window 40000 --workers 0 --html -`,
  `replay ${F} --policies nope`,
  `replay ${F} --prices nope`,
  'models',
  'models anthropic',
  'models claude-haiku-4-5 --json',
  'models nope',
  'demo',
];

if (flags.compare) compareFiles(positionals[0] ?? '', positionals[1] ?? '');
else await hashAll();
