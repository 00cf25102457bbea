import { Command } from 'commander';
import { type Message, textOf } from '../../core/conversation/message.ts';
import { PrecisError } from '../../core/errors.ts';
import { heuristicCounter } from '../../core/tokens/counter.ts';
import { createMeasure } from '../../core/tokens/measure.ts';
import { type FoundSession, readers, type SessionDocument } from '../../sessions/index.ts';
import { wholeNumber } from '../flags.ts';
import { counted, cut, paintFor, whole } from '../screen/paint.ts';
import type { Screen, World } from '../world.ts';

interface SessionsFlags {
  readonly json?: boolean;
  readonly limit: number;
  readonly agent?: string;
}

/** Lists sessions that the other commands take. */
export function sessionsCommand(world: World): Command {
  return new Command('sessions')
    .description('List sessions of agents on this machine, or under a folder, newest first.')
    .argument('[folder]', 'folder to search (default: the usual place of each agent)')
    .option('--limit <n>', 'list at most so many; only these are opened', wholeNumber(1), 20)
    .option('--agent <name>', 'only of this agent, e.g. claude-code or codex')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string | undefined, flags: SessionsFlags) => {
      const listed = await listSessions(world, folder, flags);
      world.out(flags.json === true ? jsonText(listed) : listText(listed, folder, world.outScreen));
    });
}

const EXAMPLES = `
Examples:
  What is there:
    precis sessions
  The ten newest of one agent, as JSON:
    precis sessions --agent claude-code --limit 10 --json
  Everything under a folder:
    precis sessions ./runs --limit 1000

Places: ~/.claude, ~/.codex, ~/.hermes, ~/.pi, ~/.gemini, ~/.copilot and OpenCode's
database, or where CLAUDE_CONFIG_DIR, CODEX_HOME, HERMES_HOME, OPENCODE_DB and
XDG_DATA_HOME lead. Nothing is written or sent anywhere.`;

interface Row {
  readonly agent: string;
  /** Estimated: counting exactly would take longer than reading. */
  readonly tokens: number;
  readonly messages: number;
  /** When it was last written to. */
  readonly modifiedAt: string;
  readonly title: string | null;
  readonly path: string;
  readonly id: string | null;
  readonly cwd: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly models: readonly string[];
  readonly compactions: number;
}

interface Listed {
  readonly rows: readonly Row[];
  /** Files that were found and not opened, as enough were listed. */
  readonly more: number;
  /** Files that hold no session that can be read. */
  readonly unread: number;
}

async function listSessions(world: World, folder: string | undefined, flags: SessionsFlags): Promise<Listed> {
  checkAgent(flags.agent);
  if (folder !== undefined && (await world.kindOf(folder)) === 'none')
    throw new PrecisError('bad-input', `${folder}: expected a folder to search, but there is none of that name`);
  const found = await world.find(folder);
  const wanted = found.filter(
    ({ reader }) => flags.agent === undefined || reader === undefined || reader === flags.agent,
  );
  const rows: Row[] = [];
  let unread = 0;
  let opened = 0;
  for (const each of wanted) {
    if (rows.length >= flags.limit) break;
    opened += 1;
    const document = await open(world, each.path);
    if (document === null) unread += 1;
    else if (flags.agent === undefined || document.source.reader === flags.agent) rows.push(rowOf(each, document));
  }
  return { rows, more: wanted.length - opened, unread };
}

function checkAgent(agent: string | undefined): void {
  const known = [...readers.map((reader) => reader.id), 'generic'];
  if (agent === undefined || known.includes(agent)) return;
  throw new PrecisError('bad-option', `Expected \`--agent\` to be one of ${known.join(', ')}, got \`${agent}\``);
}

/** Null for what is no session: a folder may hold any JSON. */
async function open(world: World, path: string): Promise<SessionDocument | null> {
  try {
    return await world.open(path, {});
  } catch (error) {
    if (PrecisError.is(error)) return null;
    throw error;
  }
}

function rowOf({ path, modifiedAt }: FoundSession, { conversation, source }: SessionDocument): Row {
  const { id = null, cwd = null, title, startedAt = null, endedAt = null, models, compactions } = source.meta;
  return {
    agent: source.reader,
    tokens: Math.round(createMeasure(heuristicCounter).conversation(conversation)),
    messages: conversation.messages.length,
    modifiedAt,
    title: title ?? firstWords(conversation.messages),
    path,
    id,
    cwd,
    startedAt,
    endedAt,
    models,
    compactions,
  };
}

const TITLE_CHARACTERS = 200;

/** The first thing the user said in words; what opens with a tag was written by a program. */
function firstWords(messages: readonly Message[]): string | null {
  const texts = messages.filter(({ role }) => role === 'user').map((message) => textOf(message).trim());
  const text = texts.find((each) => each !== '' && !/^[<#[]/.test(each)) ?? texts.find((each) => each !== '');
  return text === undefined ? null : cut(text.replaceAll(/\s+/g, ' '), TITLE_CHARACTERS);
}

function jsonText({ rows, more, unread }: Listed): string {
  return `${JSON.stringify({ sessions: rows, more, unread }, null, 2)}\n`;
}

function listText({ rows, more, unread }: Listed, folder: string | undefined, screen: Screen): string {
  if (rows.length === 0)
    return `No session found ${folder === undefined ? 'in the usual places; `precis sessions FOLDER` looks elsewhere' : `under ${folder}`}.\n`;
  const paint = paintFor(screen);
  const agentWidth = Math.max(...rows.map((row) => row.agent.length));
  const lines = rows.flatMap((row) => {
    const head = `${paint('bold', row.agent.padEnd(agentWidth))}  ${size(row)}  ${row.modifiedAt.slice(0, 16).replace('T', ' ')}`;
    const width = Math.max(20, screen.columns - agentWidth - 47);
    return [`${head}  ${cut(printable(row.title ?? ''), width)}`, `  ${paint('dim', printable(row.path))}`];
  });
  const rest = [
    ...(more > 0 ? [`${counted(more, 'older file')} not opened; \`--limit\` lists more.`] : []),
    ...(unread > 0 ? [`${counted(unread, 'file')} held no session that can be read.`] : []),
  ];
  return `${[...lines, ...rest].join('\n')}\n`;
}

function size({ tokens, messages }: Row): string {
  return `${whole(tokens).padStart(9)} tokens ${whole(messages).padStart(6)} messages`;
}

/** A title or a path may hold anything; a terminal must not obey it. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
}
