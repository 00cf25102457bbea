import { basename } from 'node:path';
import type { Context } from '../../context/context.ts';
import { openContext } from '../../context/open.ts';
import type { ContextInfo, Store } from '../../context/store/store.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { fingerprintOf } from '../../core/conversation/ref.ts';
import { PrecisError } from '../../core/errors.ts';
import type { TokenCounter } from '../../core/tokens/counter.ts';

export interface OpenStored {
  readonly store: Store;
  readonly id: string;
  readonly counter: TokenCounter;
  readonly access: 'read' | 'write';
}

/** A stored context as the command line uses it: it trims nothing on the way in and compacts only when told. */
export function openStored({ store, id, counter, access }: OpenStored): Promise<Context> {
  return openContext({ id, store, counter, access, trim: false, window: WHOLE_WINDOW });
}

/** So large that every view fits: each command takes its sizes from its flags. */
const WHOLE_WINDOW = 1_000_000_000;

export interface SessionToStore {
  readonly conversation: Conversation;
  /** True when the user chose the id, so that it is kept even if another session has it. */
  readonly isNamed: boolean;
}

/** The context that holds this session. If another session has its id, it gets a new one. */
export async function openForSession(
  input: Omit<OpenStored, 'access'>,
  { conversation, isNamed }: SessionToStore,
): Promise<Context> {
  for (let number = 1; ; number++) {
    const id = number === 1 ? input.id : `${input.id}-${number}`;
    const context = await openStored({ ...input, id, access: 'write' });
    const isNew = !(await input.store.contexts()).some((info) => info.id === id && info.messages > 0);
    if (isNew || isNamed || isSameSession(context.conversation(), conversation)) {
      // This run compacts the session as the file has it, not the view that an earlier run made of it.
      if (!isNew && context.viewId() !== null) await context.restore(null);
      return context;
    }
    await context.close();
  }
}

/** The id of a session in a store: the name of its file. */
export function contextIdOf(session: string): string {
  return session === '-' ? 'standard-input' : basename(session).replace(/\.(?:jsonl?|json5|traj)$/i, '');
}

/** True when one history begins like the other: then they are the same session, at different lengths. */
function isSameSession(stored: Conversation, given: Conversation): boolean {
  const [one, other] = [stored.history ?? stored.messages, given.messages].map((messages) =>
    messages
      .filter(({ role }) => role !== 'system')
      .slice(0, COMPARED_MESSAGES)
      .map(fingerprintOf),
  );
  return (one ?? []).every((said, index) => other?.[index] === undefined || other[index] === said);
}

const COMPARED_MESSAGES = 3;

/** The context that a command means: the one that `--context` names, else the newest. */
export async function chosenContext(store: Store, file: string, named: string | undefined): Promise<ContextInfo> {
  const contexts = (await store.contexts()).filter(({ messages }) => messages > 0);
  if (contexts.length === 0) throw new PrecisError('bad-input', `${file}: the store holds no session yet`, { file });
  if (named === undefined)
    return contexts.reduce((newest, each) => ((each.lastAt ?? 0) > (newest.lastAt ?? 0) ? each : newest));
  const found = contexts.find(({ id }) => id === named);
  if (found !== undefined) return found;
  const known = contexts.map(({ id }) => id).join(', ');
  throw new PrecisError('bad-option', `${file}: expected \`--context\` to be one of ${known}, got \`${named}\``, {
    file,
  });
}
