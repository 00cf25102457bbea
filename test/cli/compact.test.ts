import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt/receipt.ts';
import { detectFormat } from '../../src/formats/detect.ts';
import { fixture, precis } from './fake-world.ts';
import { anthropicSession, chatSession, jsonl } from './sample.ts';

const array = JSON.stringify(chatSession());
const files = { 'a.json': array };
const receiptOf = (out: string) =>
  JSON.parse(out) as {
    outcome: string;
    reason: string;
    tokens: { before: number; after: number; target: number; window: number; threshold: number };
    messages: { before: number; after: number };
    edits: readonly unknown[];
    notes: readonly string[];
  };

describe('precis compact', () => {
  test('says what would happen and writes nothing', async () => {
    const { code, out, err, written } = await precis(['compact', 'a.json', '--target', '1500'], { files });
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(written).toEqual({});
    expect(out).toMatch(/^a\.json: (folded|condensed)\n/);
    expect(out).toContain('target 1,500');
    expect(out).toContain('Nothing was written; add `--out FILE` to keep the result.');
  });

  test('writes the result, within the target', async () => {
    const { code, out, written } = await precis(['compact', 'a.json', '--target', '1.5k', '-o', 'b.json'], { files });
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(written).toEqual({});
    const good = await precis(['compact', 'a.json', '--target', '1_500', '--out', 'b.json'], { files });
    expect(good.code).toBe(0);
    expect(good.out).toMatch(/Written to b\.json in \d+ ms\.\n$/);
    const again = await precis(['compact', 'b.json', '--json'], { files: { 'b.json': good.written['b.json'] ?? '' } });
    expect(receiptOf(again.out).tokens.before).toBeLessThanOrEqual(1500);
  });

  test('prints the receipt alone with --json', async () => {
    const { code, out, err, written } = await precis(
      ['compact', 'a.json', '--target', '1500', '--out', 'b.json', '--json'],
      {
        files,
      },
    );
    expect(code).toBe(0);
    expect(err).toBe('');
    const receipt = receiptOf(out);
    expect(receipt.tokens.after).toBeLessThanOrEqual(1500);
    expect(receipt.messages.after).toBe((JSON.parse(written['b.json'] ?? '') as unknown[]).length);
    expect(receipt.edits.length).toBeGreaterThan(0);
  });

  test('reads standard input and names it', async () => {
    const { code, out } = await precis(['compact', '-', '--target', '1500'], { stdin: array });
    expect(code).toBe(0);
    expect(out).toMatch(/^standard input: /);
    const bad = await precis(['compact', '-'], { stdin: 'nope' });
    expect(bad).toMatchObject({
      code: 2,
      out: '',
      err: 'precis: standard input: line 1, column 1: expected a JSON value, got `n`: not valid JSON\n',
    });
  });

  test('prints the result to standard output and the receipt to standard error with --out -', async () => {
    const { code, out, err, written } = await precis(['compact', 'a.json', '--target', '1500', '--out', '-'], {
      files,
    });
    expect(code).toBe(0);
    expect(detectFormat(JSON.parse(out))?.id).toBe('openai-chat');
    expect(err).toMatch(/^a\.json: /);
    expect(err).toContain('Written to standard output in');
    expect(written).toEqual({});
  });

  test('refuses --json with --out -', async () => {
    const { code, out, err } = await precis(['compact', 'a.json', '--json', '--out', '-'], { files });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'precis: `--json` and `--out -` both want standard output; write the result to a file, or leave out `--json`\n',
    );
  });

  test('overwrites only with --force', async () => {
    const two = { 'a.json': array, 'b.json': 'precious' };
    const refused = await precis(['compact', 'a.json', '--target', '1500', '--out', 'b.json'], { files: two });
    expect(refused).toMatchObject({
      code: 2,
      out: '',
      err: 'precis: b.json: expected a file that does not exist yet; choose another or overwrite it with `--force`\n',
      written: {},
    });
    const forced = await precis(['compact', 'a.json', '--target', '1500', '--out', 'a.json', '--force'], {
      files: two,
    });
    expect(forced.code).toBe(0);
    expect(forced.written['a.json']?.length).toBeLessThan(array.length);
  });

  test('says before any work that it cannot write there', async () => {
    const missing = await precis(['compact', 'nowhere.json', '--out', 'no/such/b.json']);
    expect(missing).toMatchObject({
      code: 2,
      err: 'precis: no/such/b.json: expected a directory to write into, but there is none at no/such\n',
    });
    const folder = await precis(['compact', 'nowhere.json', '--out', 'folder'], { folders: ['.', 'folder'] });
    expect(folder).toMatchObject({ code: 2, err: 'precis: folder: expected a file to write to, got a directory\n' });
  });

  test.each([
    ['ENOSPC', 'expected room for the result, but the disk is full; nothing was written'],
    ['EACCES', 'expected a place that may be written, but permission is denied'],
    ['EIO', 'expected a place that can be written, but writing failed (EIO)'],
  ])('says why writing failed: %s', async (writeFails, sentence) => {
    const ran = await precis(['compact', 'a.json', '--target', '1500', '--out', 'b.json'], { files, writeFails });
    expect(ran).toMatchObject({ code: 2, out: '', err: `precis: b.json: ${sentence}\n`, written: {} });
  });

  test('copies byte for byte when there is nothing to do', async () => {
    const odd = `\ufeff[ {"role":"user","content":"h\\u00e9","n":1e5} ,\n\n {"role":"assistant","content":"ok"} ]\n\n`;
    const { code, out, written } = await precis(['compact', 'odd.json', '--target', '1500', '--out', 'b.json'], {
      files: { 'odd.json': odd },
    });
    expect(code).toBe(0);
    expect(written['b.json']).toBe(odd);
    expect(out).toContain('odd.json: unchanged');
    expect(out).toContain('Copied to b.json');
  });

  test.each([
    ['an array', array, (text: string) => Array.isArray(JSON.parse(text))],
    ['an object', JSON.stringify({ n: 1, messages: chatSession(), z: [2] }, null, 2), keepsAround],
    [
      'JSONL',
      jsonl(chatSession()),
      (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .every((line) => 'role' in JSON.parse(line)),
    ],
    ['a request in the Anthropic format', JSON.stringify(anthropicSession()), keepsRequest],
  ])('keeps the shape and format of %s', async (_shape, text, isSame) => {
    const { code, written } = await precis(['compact', 's', '--target', '1500', '--out', 'b'], { files: { s: text } });
    expect(code).toBe(0);
    expect(isSame(written['b'] ?? '')).toBe(true);
    const again = await precis(['compact', 'b', '--target', '1500', '--out', 'c'], {
      files: { b: written['b'] ?? '' },
    });
    expect(again.written['c']).toBe(written['b']);
  });

  test('plans for a window, or for the smallest window of several models', async () => {
    const tokens = async (...flags: readonly string[]) =>
      receiptOf((await precis(['compact', 'a.json', '--json', ...flags], { files })).out).tokens;
    const small = await tokens('--window', '6000');
    expect(small).toMatchObject({ window: 6000, threshold: 4500, target: 1575 });
    expect(small.after).toBeLessThanOrEqual(1575);
    const both = await tokens('--for', 'claude-sonnet-5,gpt-4o');
    expect(both).toEqual(await tokens('--for', 'gpt-4o'));
    expect(both.window).toBeLessThan((await tokens('--for', 'claude-sonnet-5')).window);
  });

  test('takes a model it does not know only with a window', async () => {
    const unknown = await precis(['compact', 'a.json', '--for', 'gpt-6-imaginary'], { files });
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(
      /^precis: expected `--for` to name known models, got `gpt-6-imaginary`.*`--window <tokens>`\n$/,
    );
    const near = await precis(['compact', 'a.json', '--for', 'claude-sonet-5'], { files });
    expect(near.err).toContain('did you mean `claude-sonnet-5`');
    const given = await precis(['compact', 'a.json', '--for', 'gpt-6-imaginary', '--window', '6000'], { files });
    expect(given.code).toBe(0);
  });

  test('names only models it knows in its help', async () => {
    const { out } = await precis(['compact', '--help']);
    for (const [, names] of out.matchAll(/(?:--for |e\.g\. *\n? *)([a-z][\w.-]+-[\w.,-]+\d)/g)) {
      const { code, err } = await precis(['compact', 'a.json', '--for', names ?? ''], { files });
      expect({ names, code, err }).toEqual({ names, code: 0, err: '' });
    }
  });

  test('keeps the tail it is asked for', async () => {
    const session = chatSession(30);
    const keptEnd = async (tail: string): Promise<number> => {
      const { written } = await precis(['compact', 's', '--target', '3000', '--tail', tail, '--out', 'b'], {
        files: { s: JSON.stringify(session) },
      });
      const view = (JSON.parse(written['b'] ?? '[]') as unknown[]).map((message) => JSON.stringify(message));
      const fromEnd = session.toReversed().findIndex((message, at) => JSON.stringify(message) !== view.at(-1 - at));
      return fromEnd < 0 ? session.length : fromEnd;
    };
    const [short, long] = [await keptEnd('0'), await keptEnd('1500')];
    expect(short).toBeGreaterThanOrEqual(1);
    expect(long).toBeGreaterThan(short);
  });

  test('compacts in passes and gives one receipt of all', async () => {
    const { code, out, err } = await precis(['compact', 'a.json', '--target', '1500', '--passes', '4', '--json'], {
      files,
    });
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toHaveLength(4);
    expect(err).toMatch(/^pass 1 of 4: \w+, [\d,]+ → [\d,]+ tokens\n/);
    const whole = receiptOf((await precis(['compact', 'a.json', '--target', '1500', '--json'], { files })).out);
    const receipt = receiptOf(out);
    expect(receipt.tokens.before).toBe(whole.tokens.before);
    expect(receipt.messages.before).toBe(whole.messages.before);
    expect(receipt.tokens.after).toBeLessThanOrEqual(1500);
    expect(receipt.outcome).not.toBe('unchanged');
  });

  test('makes no more passes than there are steps', async () => {
    const { code, err } = await precis(['compact', 'a.json', '--target', '1500', '--passes', '5000'], { files });
    expect(code).toBe(0);
    expect(err).toMatch(/^pass 1 of 12: /);
  });

  test('strips signed reasoning of the turn going on only when told to', async () => {
    const { messages, ...request } = anthropicSession() as { messages: object[] };
    const thinking = { type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmVk' };
    const call = { type: 'tool_use', id: 'last', name: 'read_file', input: { path: 'src/legacy.ts' } };
    const open = [
      ...messages,
      { role: 'assistant', content: [thinking, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'last', content: 'untouched' }] },
    ];
    const session = { s: JSON.stringify({ ...request, messages: open }) };
    const refused = await precis(['compact', 's', '--target', '1500', '--out', 'b'], { files: session });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('`--strip-reasoning`');
    expect(refused.written).toEqual({});
    const stripped = await precis(['compact', 's', '--target', '1500', '--strip-reasoning', '--out', 'b'], {
      files: session,
    });
    expect(stripped.code).toBe(0);
    expect(stripped.written['b']).not.toContain('c2lnbmVk');
  });

  test.each([
    ['the sample', array],
    ['flight-change', readFileSync(fixture('flight-change/session.json'), 'utf8')],
    ['incident', readFileSync(fixture('incident/session.jsonl'), 'utf8')],
    ['an Anthropic request', JSON.stringify(anthropicSession())],
  ])('says the smallest possible target of %s, and that one works', async (_name, text) => {
    const tooSmall = await precis(['compact', 's', '--target', '20', '--out', 'b', '--json'], { files: { s: text } });
    expect(tooSmall.code).toBe(2);
    expect(tooSmall.written).toEqual({});
    const smallest = /^precis: s: refused, nothing was written: .* smallest possible target is (\d+)\n$/.exec(
      tooSmall.err,
    )?.[1];
    expect(smallest).toBeDefined();
    expect(receiptOf(tooSmall.out)).toMatchObject({ outcome: 'refused', edits: [] });
    expect(receiptOf(tooSmall.out).reason).toContain(`smallest possible target is ${smallest}`);
    const { code, written } = await precis(['compact', 's', '--target', smallest ?? '', '--out', 'b'], {
      files: { s: text },
    });
    expect(code).toBe(0);
    expect(written['b']).toBeDefined();
  });

  test('shows a progress line on a terminal while it works on something large, and takes it away', async () => {
    const url = `data:image/png;base64,${'A'.repeat(4_000_000)}`;
    const picture = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
    const large = JSON.stringify([...chatSession(), picture]);
    const screen = { isTerminal: true };
    const { err } = await precis(['compact', 'large.json', '--target', '5000'], {
      files: { 'large.json': large },
      screen,
    });
    expect(err).toContain('\r\u001b[KCompacting large.json …');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
    const piped = await precis(['compact', 'large.json', '--target', '5000'], { files: { 'large.json': large } });
    expect(piped.err).toBe('');
    const small = await precis(['compact', 'a.json', '--target', '1500'], { files, screen });
    expect(small.err).toBe('');
  });

  test('uses colours only where there are some, and fits its screen', async () => {
    const plain = await precis(['compact', 'a.json', '--target', '1500'], { files });
    const colored = await precis(['compact', 'a.json', '--target', '1500'], { files, screen: { colors: true } });
    expect(plain.out).not.toContain('\u001b');
    expect(colored.out).toContain('\u001b[');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes are what is looked for
    expect(colored.out.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain.out);
    for (const columns of [60, 80, 120]) {
      const { out } = await precis(['compact', 'a.json', '--target', '1500'], { files, screen: { columns } });
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });
});

function keepsAround(text: string): boolean {
  const { messages, ...rest } = JSON.parse(text) as { messages: unknown };
  return (
    Array.isArray(messages) &&
    JSON.stringify(rest) === '{"n":1,"z":[2]}' &&
    text.startsWith('{\n  "n": 1,\n  "messages": [\n')
  );
}

function keepsRequest(text: string): boolean {
  const { messages: before, ...request } = anthropicSession() as { messages: unknown };
  const { messages, ...rest } = JSON.parse(text) as { messages: unknown };
  return messages !== before && JSON.stringify(rest) === JSON.stringify(request);
}

describe('precis compact of a request with tools', () => {
  const tools = Array.from({ length: 190 }, (_, at) => ({
    type: 'function',
    function: {
      name: `ledger_${at}`,
      description: `Reads the ledger of account ${at} and returns the rows that match the filter.`,
      parameters: { type: 'object', properties: { filter: { type: 'string', description: 'Rows to return.' } } },
    },
  }));
  const request = {
    model: 'm',
    max_tokens: 1_000,
    tools,
    messages: Array.from({ length: 8 }, () => chatSession()).flat(),
  };
  const own = { 'request.json': JSON.stringify(request) };

  test('counts them in a small window, and keeps them in the result', async () => {
    const args = ['compact', 'request.json', '--window', '16000', '--out', 'b.json', '--json'];
    const { code, out, written } = await precis(args, { files: own });
    expect(code).toBe(0);
    const { tokens, account } = JSON.parse(out) as Receipt;
    expect(account.before.tools).toBeGreaterThan(9_500);
    expect(tokens.window).toBe(15_000);
    expect(tokens.before).toBeGreaterThan(tokens.threshold);
    expect(tokens.after).toBeLessThanOrEqual(tokens.target);
    expect(tokens.after).toBeGreaterThan(account.after.tools);
    expect(JSON.parse(written['b.json'] ?? '')).toMatchObject({ max_tokens: 1_000, tools });
  });

  test('refuses a target below them, and names it and what takes the room', async () => {
    const { code, err } = await precis(['compact', 'request.json', '--target', '5000'], { files: own });
    expect(code).toBe(2);
    expect(err).toContain('the target of 5000 is too small');
    expect(err).toMatch(/\(tools [\d,]+, messages [\d,]+/);
  });

  test('reaches a target whatever answer the request allows', async () => {
    const files = { 'request.json': JSON.stringify({ ...request, tools: [], max_tokens: 128_000 }) };
    const { code, out } = await precis(['compact', 'request.json', '--target', '1500', '--json'], { files });
    expect(code).toBe(0);
    expect(receiptOf(out).tokens.after).toBeLessThanOrEqual(1_500);
  });
});
