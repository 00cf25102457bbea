import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Context } from '../../context/context.ts';
import { openContext } from '../../context/open.ts';
import type { ContextInfo, Store } from '../../context/store/store.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { fingerprintOf } from '../../core/conversation/ref.ts';
import { PrecisError } from '../../core/errors.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';
import type { Environment } from '../../models/providers.ts';
import { firstSet } from '../../models/providers.ts';
import type { SqliteStore } from '../../stores/index.ts';
import type { World } from '../world.ts';

/** Holds the secret of encrypted stores, so that it stands in no command line. */
export const KEY_VARIABLE = 'PRECIS_STORE_KEY';

/** The store in a file. Node 22 warns about its SQLite, which is of no use to anyone here. */
export async function openStore(file: string, env: Environment): Promise<SqliteStore> {
  const { sqliteStore } = await import('../../stores/index.ts');
  const key = firstSet([KEY_VARIABLE], env);
  return sqliteStore(file, key === null ? {} : { key: key.value });
}

/** What a session is called in a store: the name of its file. */
export function contextIdOf(session: string): string {
  return session === '-' ? 'standard-input' : basename(session).replace(/\.(?:jsonl?|json5|traj)$/i, '');
}

/** Whether a stored history is the beginning of this session, or this of that: then it is the same session, longer or shorter. */
export function isSameSession(kept: Conversation, given: Conversation): boolean {
  const [one, other] = [kept.history ?? kept.messages, given.messages].map((messages) =>
    messages
      .filter(({ role }) => role !== 'system')
      .slice(0, COMPARED)
      .map(fingerprintOf),
  );
  return (one ?? []).every((said, index) => other?.[index] === undefined || other[index] === said);
}

const COMPARED = 3;

export interface OpenKept {
  readonly store: Store;
  readonly id: string;
  readonly counter: TokenCounter;
  readonly access: 'read' | 'write';
}

/** A context as the command line uses it: nothing is trimmed on the way in, and nothing happens by itself. */
export function openKept({ store, id, counter, access }: OpenKept): Promise<Context> {
  return openContext({ id, store, counter, access, trim: false, window: WHOLE_WINDOW });
}

/** The context of a session in a store. Another session of the same name gets a name of its own. */
export async function openFor(
  input: Omit<OpenKept, 'access'>,
  given: Conversation,
  isNamed: boolean,
): Promise<Context> {
  for (let number = 1; ; number++) {
    const id = number === 1 ? input.id : `${input.id}-${number}`;
    const context = await openKept({ ...input, id, access: 'write' });
    const isNew = !(await input.store.contexts()).some((info) => info.id === id && info.messages > 0);
    if (isNew || isNamed || isSameSession(context.conversation(), given)) {
      // What is compacted now is the session as it is in the file, not what an earlier run made of it.
      if (!isNew && context.viewId() !== null) await context.restore(null);
      return context;
    }
    await context.close();
  }
}

/** So large that no view is ever too large for it: sizes come from the flags of each command. */
const WHOLE_WINDOW = 1_000_000_000;

/** The context that a command means: the one it names, the only one, or the newest. */
export async function chosenContext(store: Store, file: string, named: string | undefined): Promise<ContextInfo> {
  const contexts = (await store.contexts()).filter(({ messages }) => messages > 0);
  if (contexts.length === 0) throw new PrecisError('bad-input', `${file}: there is no session in it yet`, { file });
  if (named === undefined)
    return contexts.reduce((newest, each) => ((each.lastAt ?? 0) > (newest.lastAt ?? 0) ? each : newest));
  const found = contexts.find(({ id }) => id === named);
  if (found !== undefined) return found;
  const known = contexts.map(({ id }) => id).join(', ');
  throw new PrecisError('bad-option', `${file}: expected \`--context\` to be one of ${known}, got \`${named}\``, {
    file,
  });
}

/** A store that is there already: reading commands make none. */
export async function existingStore(world: World, file: string, env: Environment): Promise<SqliteStore> {
  const kind = await world.kindOf(file);
  if (kind === 'file' && (await stat(file)).size > 0) return openStore(file, env);
  const got =
    kind === 'none' ? 'but there is none of that name' : kind === 'file' ? 'got an empty file' : `got a ${kind}`;
  throw new PrecisError('bad-input', `${file}: expected a store, as \`precis compact --store\` makes one, ${got}`, {
    file,
  });
}
