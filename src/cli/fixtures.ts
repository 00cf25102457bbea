import type { Conversation } from '../core/conversation/conversation.ts';
import { checkSound } from '../core/conversation/sound.ts';
import { PrecisError } from '../core/errors.ts';
import type { Format } from '../core/format.ts';
import { type LoadedFixture, loadFixtures } from '../eval/fixture.ts';
import { detectFormat } from '../formats/detect.ts';
import type { World } from './world.ts';

/** A fixture with its messages decoded. */
export interface OpenFixture extends LoadedFixture {
  readonly conversation: Conversation;
  readonly format: Format;
}

/** Loads fixtures from folders, files or names, of every format and log that is read. */
export async function openFixtures(
  world: Pick<World, 'open'>,
  places: string | readonly string[],
  root?: string,
): Promise<readonly OpenFixture[]> {
  const loaded = await loadFixtures(places, {
    open: (file) => wireOf(world, file),
    ...(root === undefined ? {} : { root }),
  });
  return loaded.map((each) => {
    const { wire, file } = each.fixture;
    const format = detectFormat(wire);
    if (format === null)
      throw new PrecisError('bad-input', `${file}: expected messages of a known format, got something else`, { file });
    try {
      return { ...each, format, conversation: format.decode(wire).conversation };
    } catch (error) {
      if (!PrecisError.is(error)) throw error;
      throw new PrecisError(error.code, `${file}: ${error.message}`, { ...error.data, file });
    }
  });
}

async function wireOf(world: Pick<World, 'open'>, file: string): Promise<unknown> {
  const { conversation, format } = await world.open(file, {});
  const checked = checkSound(conversation, format);
  if (checked.type === 'sound') return format.encode(checked.conversation);
  const [issue] = checked.issues;
  throw new PrecisError('unsound', `${file}: expected a sound session: ${issue?.text ?? 'it breaks a rule'}`, { file });
}
