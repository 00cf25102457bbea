import type { Message } from '../../../core/conversation/message.ts';
import { hasWords } from '../../../core/conversation/speakers/speaker.ts';
import { stretchesIn } from '../../../core/conversation/speakers/stretches.ts';
import { PrecisError } from '../../../core/errors.ts';
import { heuristicCounter } from '../../../core/tokens/counter.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';
import { type FoundSession, readers, type SessionDocument } from '../../../sessions/index.ts';
import { cut } from '../../screen/paint.ts';
import type { World } from '../../world.ts';

export interface SessionsFlags {
  readonly json?: boolean;
  readonly limit: number;
  readonly agent?: string;
}

export interface SessionRow {
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

export interface Listed {
  readonly rows: readonly SessionRow[];
  /** Files that were found but not opened, because the limit was reached. */
  readonly more: number;
  /** Files without a readable session. */
  readonly unread: number;
}

export async function listSessions(world: World, folder: string | undefined, flags: SessionsFlags): Promise<Listed> {
  checkAgent(flags.agent);
  if (folder !== undefined && (await world.kindOf(folder)) === 'none')
    throw new PrecisError('bad-input', `${folder}: expected a folder to search, but there is no such folder`);
  const found = await world.find(folder);
  const wanted = found.filter(
    ({ reader }) => flags.agent === undefined || reader === undefined || reader === flags.agent,
  );
  const rows: SessionRow[] = [];
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

/** Null for a file without a session: a folder may hold any JSON. */
async function open(world: World, path: string): Promise<SessionDocument | null> {
  try {
    return await world.open(path, {});
  } catch (error) {
    if (PrecisError.is(error)) return null;
    throw error;
  }
}

function rowOf({ path, modifiedAt }: FoundSession, { conversation, source }: SessionDocument): SessionRow {
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

/** The first words of a person, else of anybody in a user message. */
function firstWords(messages: readonly Message[]): string | null {
  const stretches = stretchesIn(messages).flat();
  const said = stretches.find(({ speaker, text }) => speaker === 'human' && hasWords(text)) ?? stretches[0];
  return said === undefined ? null : cut(said.text.trim().replaceAll(/\s+/g, ' '), TITLE_CHARACTERS);
}
