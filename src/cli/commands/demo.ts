import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { compact } from '../../core/compact.ts';
import { textOf } from '../../core/conversation/message.ts';
import { isHandoff } from '../../core/handoff/record.ts';
import { resolveModel } from '../../models/catalog.ts';
import { openSessionFile } from '../../sessions/index.ts';
import { receiptText } from '../receipt-text.ts';
import type { World } from '../world.ts';

const EXAMPLE = 'rate-limiter';
const TARGET = 8_000;
const MODEL = 'claude-sonnet-5';
const SHOWN_LINES = 34;

/** The main job on a shipped session, told to a person. */
export function demoCommand(world: World): Command {
  return new Command('demo')
    .description('Compact the example session that comes with precis and show what happened.')
    .action(async () => {
      const { o200k } = await import('../../models/o200k.ts');
      const path = fileURLToPath(new URL(`../../../fixtures/${EXAMPLE}/session.json`, import.meta.url));
      const document = await openSessionFile(path);
      const started = world.now();
      const { conversation, receipt } = await compact(document.conversation, document.format, {
        target: TARGET,
        counter: o200k,
      });
      const name = `fixtures/${EXAMPLE}/session.json`;
      world.out(
        `A coding agent worked for ${receipt.messages.before} messages on a rate limiter. Its context is compacted to ${TARGET} tokens, without a model.\n\n`,
      );
      const text = receiptText({
        name,
        receipt: { ...receipt, ms: Math.round(world.now() - started) },
        before: document.conversation,
        after: conversation,
        out: null,
      });
      world.out(text.slice(0, text.lastIndexOf('Nothing was written')));
      world.out(`${savingText(receipt.tokens.before, receipt.tokens.after)}\n\n`);
      const handoff = conversation.messages.find(isHandoff);
      if (handoff !== undefined) {
        const lines = textOf(handoff).split('\n');
        world.out(
          `What the agent reads in place of the folded messages (first ${Math.min(SHOWN_LINES, lines.length)} of ${lines.length} lines):\n\n`,
        );
        world.out(
          `${lines
            .slice(0, SHOWN_LINES)
            .map((line) => `  │ ${line.slice(0, Math.max(60, world.columns - 5))}`)
            .join('\n')}\n\n`,
        );
      }
      world.out(
        'Try it on a session of your own:\n  npx precis compact SESSION.json --target 10000 --out smaller.json\n',
      );
    });
}

/** What the next requests cost with and without the compaction, at the catalogue's prices. */
function savingText(before: number, after: number): string {
  const { model } = resolveModel(MODEL);
  if (model.prices === null) return '';
  const { input, cacheRead } = model.prices;
  const dollars = (tokens: number, perMillion: number): string => `$${((tokens * perMillion) / 1_000_000).toFixed(4)}`;
  const cached = cacheRead === null ? '' : `, ${dollars(before, cacheRead)} → ${dollars(after, cacheRead)} cached`;
  return `  every further request at the prices of ${model.name}: ${dollars(before, input)} → ${dollars(after, input)} uncached${cached}`;
}
