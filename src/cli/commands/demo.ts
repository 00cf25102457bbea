import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { compact } from '../../core/compact.ts';
import { textOf } from '../../core/conversation/message.ts';
import type { Receipt } from '../../core/receipt/receipt.ts';
import { isHandoff } from '../../core/record/handoff/handoff-message.ts';
import { resolveModel } from '../../models/catalog/catalog.ts';
import { readSession } from '../../sessions/index.ts';
import { cut, paintFor, whole } from '../screen/paint.ts';
import { type Row, receiptText, rowsText } from '../screen/receipt-text.ts';
import type { World } from '../world.ts';

const EXAMPLE = 'rate-limiter';
const TARGET = 8_000;
const MODEL = 'claude-sonnet-5';

/** The main job on a shipped session, told to a person. */
export function demoCommand(world: World): Command {
  return new Command('demo')
    .description('Compact the example session that comes with precis and show what happened.')
    .action(() => runDemo(world));
}

async function runDemo(world: World): Promise<void> {
  const { o200k } = await import('../../models/o200k.ts');
  const name = `fixtures/${EXAMPLE}/session.json`;
  const text = await world.read(fileURLToPath(new URL(`../../../${name}`, import.meta.url)));
  const document = readSession(text, { name });
  const started = world.now();
  const { conversation, receipt } = await compact(document.conversation, document.format, {
    target: TARGET,
    counter: o200k,
  });
  const ms = Math.round(world.now() - started);
  const screen = world.outScreen;
  const paint = paintFor(screen);
  const handoff = conversation.messages.find(isHandoff);
  const lines = handoff === undefined ? [] : textOf(handoff).split('\n');
  world.out(
    [
      `A coding agent put a rate limiter into a service. After ${whole(receipt.messages.before)} messages its`,
      `context holds ${whole(receipt.tokens.before)} tokens. precis compacts it to ${whole(TARGET)}: no model, ${ms} ms.`,
      '',
      receiptText({ receipt, before: document.conversation, after: conversation, counter: o200k, screen }).trimEnd(),
      '',
      ...rowsText(savingRows(receipt), paint),
      '',
      `What the agent now reads in their place, from each part of the handoff:`,
      '',
      ...excerptOf(lines).map((line) => `  ${paint('dim', '│')} ${paintLine(cut(line, screen.columns - 5))}`),
      '',
      'On a session of your own:',
      `  ${paint('bold', 'npx precis compact SESSION.json --target 10000 --out smaller.json')}`,
      '',
    ].join('\n'),
  );

  function paintLine(line: string): string {
    return line.startsWith('#') && /^#+ /.test(line) ? paint('cyan', line) : line;
  }
}

const LINES_A_PART = 4;

/** The first lines of every section: what sort of things were kept, on one screen. */
function excerptOf(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let left = 0;
  for (const line of lines.slice(1)) {
    const isTitle = /^#{2,} /.test(line);
    if (isTitle) left = LINES_A_PART;
    else if (!/^(?:#\d|- )/.test(line) || left-- <= 0) continue;
    found.push(line);
  }
  // A title whose own lines are all in its subsections says nothing here.
  return found.filter((line, index) => !/^#{2,} /.test(line) || !/^(#{2,} |$)/.test(found[index + 1] ?? ''));
}

/** What a request costs with and without the compaction, at the catalogue's prices. */
function savingRows({ tokens }: Receipt): readonly Row[] {
  const { model } = resolveModel(MODEL);
  if (model.prices === null) return [];
  const { input, cacheRead } = model.prices;
  const row = (label: string, perMillion: number, remark: string): Row => {
    const dollars = (count: number): string => `$${((count * perMillion) / 1_000_000).toFixed(4)}`;
    return [label, `${dollars(tokens.before)} → ${dollars(tokens.after)}`, remark];
  };
  return [
    row('each request', input, `input at the price of ${model.name}`),
    ...(cacheRead === null ? [] : [row('when cached', cacheRead, 'the same, read from the prompt cache')]),
  ];
}
