import { Command } from 'commander';
import { type Message, resultTextOf } from '../../core/conversation/message.ts';
import { findOriginal } from '../../core/conversation/ref.ts';
import { PrecisError } from '../../core/errors.ts';
import { sessionName } from '../../sessions/index.ts';
import { wholeNumber } from '../flags/parsers.ts';
import { openOptions, type SessionFlags } from '../flags/session-flags.ts';
import type { World } from '../world.ts';

/** Looks up the original behind a ref of a handoff or a condensed result, in the session it was made from. */
export function showCommand(world: World): Command {
  return new Command('show')
    .summary('print the original behind a ref or a message number')
    .description('Print the original behind a ref (`r:3f9a…`) or a message number (`#12`) of a compacted session.')
    .argument('<session>', 'the session before compaction; `-` reads standard input')
    .argument('<place>', 'ref such as r:0f3a9c2b7d1e4, or message number such as 12 or #12')
    .option('--from <format>', 'session format (default: detected)')
    .option('--since-compaction', 'set this if you compacted with it')
    .option('--run <n>', 'run that you compacted, of a file with several', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, place: string, flags: SessionFlags) => {
      const { conversation } = await world.open(path, openOptions(flags));
      world.out(`${originalText(conversation.messages, place, sessionName(path))}\n`);
    });
}

const EXAMPLES = `
Examples:
  precis show session.json r:0f3a9c2b7d1e4
  precis show session.json 12`;

function originalText(messages: readonly Message[], place: string, path: string): string {
  const number = /^#?(\d{1,9})$/.exec(place)?.[1];
  if (number !== undefined) {
    const message = messages[Number(number) - 1];
    if (message !== undefined) return messageText(message);
    throw new PrecisError(
      'bad-input',
      `${path}: expected a message number from 1 to ${messages.length}, got \`${place}\``,
    );
  }
  const hash = /^(?:⟦)?(?:r:)?([0-9a-f]{13})⟧?$/.exec(place)?.[1];
  if (hash === undefined)
    throw new PrecisError(
      'bad-option',
      `Expected a ref such as \`r:0f3a9c2b7d1e4\` or a message number, got \`${place}\``,
    );
  const original = findOriginal(messages, `⟦r:${hash}⟧`);
  if (original === null)
    throw new PrecisError(
      'bad-input',
      `${path}: no original for r:${hash}; a ref belongs to the session it was made from`,
    );
  switch (original.type) {
    case 'result':
      return resultTextOf(original.part);
    case 'call':
      return `${original.part.name} ${original.part.arguments}`;
    case 'messages':
      return original.messages.map((message, index) => `#${index + 1} ${messageText(message)}`).join('\n\n');
  }
}

function messageText(message: Message): string {
  const parts = message.parts.map((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part.text;
      case 'tool-call':
        return `${part.name} ${part.arguments}`;
      case 'tool-result':
        return resultTextOf(part);
      case 'image':
      case 'file':
        return `[${part.type} ${part.mediaType ?? ''}]`;
      case 'opaque':
        return part.json;
    }
  });
  return `${message.role}: ${parts.join('\n')}`;
}
