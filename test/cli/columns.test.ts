/** A terminal of 80 columns shows every help text and every table without broken lines. */
import { describe, expect, test } from 'vitest';
import { receiptText } from '../../src/cli/screen/receipt-text.ts';
import { compact } from '../../src/core/compact.ts';
import { heuristicCounter } from '../../src/core/tokens/counter.ts';
import { catalog } from '../../src/models/catalog/catalog.ts';
import { readSession } from '../../src/sessions/index.ts';
import { fixture, precis } from './fake-world.ts';
import { chatSession } from './sample.ts';

const COLUMNS = 80;

function tooLong(text: string): readonly string[] {
  return text.split('\n').filter((line) => [...line].length > COLUMNS);
}

/** The names under `Commands:` in a help text. */
function commandsIn(help: string): readonly string[] {
  const list = /\nCommands:\n((?: {2}.*\n)+)/.exec(help)?.[1] ?? '';
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1] ?? '').filter((name) => name !== 'help');
}

async function helpTexts(command: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  const { out } = await precis([...command, '--help']);
  const inner = await Promise.all(commandsIn(out).map((name) => helpTexts([...command, name])));
  return [[['precis', ...command, '--help'].join(' '), out], ...inner.flat()];
}

const helps = await helpTexts([]);

test('the help lists every command', () => {
  expect(helps.map(([name]) => name)).toContain('precis eval import --help');
  expect(helps.length).toBeGreaterThanOrEqual(19);
});

test.each(helps)('%s fits 80 columns', (_name, text) => {
  expect(text).toContain('Usage: precis');
  expect(tooLong(text)).toEqual([]);
});

test.each(helps)('%s breaks its examples where a shell goes on', (_name, text) => {
  const examples = text.slice(text.indexOf('\nExamples:'));
  for (const [line] of examples.matchAll(/^ +--.*$/gm)) expect(examples).toContain(` \\\n${line}`);
});

describe('80 columns are enough for', () => {
  const providers = [...new Set(catalog.map(({ provider }) => provider))];

  test.each([
    [['models']],
    ...providers.map((provider) => [['models', provider]]),
    [['models', 'claude-haiku-4-5']],
    [['doctor']],
    [['demo']],
    [['sessions', fixture('rate-limiter')]],
    [['compact', fixture('rate-limiter/session.json'), '--target', '9000']],
    [['replay', fixture('rate-limiter/session.json'), '--window', '40k', '--workers', '0']],
    [['probes', '--check', fixture('triage-pr'), fixture('weekly-jobs'), fixture('rate-limiter')]],
  ])('precis %j', async (args) => {
    const folders = [fixture('rate-limiter')];
    const { code, out } = await precis(args, { folders });
    expect(code).toBe(0);
    // A path is printed whole, so that it can be copied.
    expect(tooLong(out.replaceAll(fixture(''), ''))).toEqual([]);
  });

  test('the receipt of a summary by a model', async () => {
    const { conversation, format } = readSession(JSON.stringify(chatSession()), { name: 's.json' });
    const { conversation: after, receipt } = await compact(conversation, format, { target: 600 });
    const call = { model: 'openrouter/anthropic/claude-haiku-4-5', inputTokens: 52_380, outputTokens: 1_204 };
    const writer = { ...receipt.writer, model: call.model, validation: { linesUsed: 12 } };
    const screen = { isTerminal: true, colors: false, columns: COLUMNS };
    const text = receiptText({
      receipt: { ...receipt, writer, calls: [{ ...receipt.calls[0], ...call }] as typeof receipt.calls },
      before: conversation,
      after,
      counter: heuristicCounter,
      screen,
    });
    expect(text).toContain('by openrouter/anthropic/claude-haiku-4-5');
    expect(tooLong(text)).toEqual([]);
  });
});
