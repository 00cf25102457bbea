import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SoundConversation } from '../core/conversation/sound.ts';
import { openSessionFile } from './open.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-open-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('openSessionFile', () => {
  it('reads a file and keeps its byte order mark', async () => {
    const text = '\ufeff[{"role":"user","content":"h\u00e9"}]';
    const document = await openSessionFile(await file('good.json', text));
    expect(document.write(document.conversation as SoundConversation)).toBe(text);
  });

  it('reads standard input', () => {
    const script =
      "const { openSessionFile } = await import('./src/sessions/open.ts'); console.log((await openSessionFile('-')).conversation.messages.length)";
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      input: '[{"role":"user","content":"x"}]',
      encoding: 'utf8',
    });
    expect(output.trim()).toBe('1');
  });

  it('says what is wrong with a file it cannot read', async () => {
    const missing = join(folder, 'missing.json');
    await expect(openSessionFile(missing)).rejects.toThrow(
      `${missing}: expected a session file, but there is none of that name`,
    );
    await expect(openSessionFile(folder)).rejects.toThrow(`${folder}: expected a session file, got a directory`);
    await expect(openSessionFile(join(await file('plain.json', ''), 'x'))).rejects.toThrow(
      'expected a session file, but a part of its path is no directory',
    );
  });

  it.each([
    ['UTF-16; save it as UTF-8', [0xff, 0xfe, 0x5b, 0x00]],
    ['UTF-16; save it as UTF-8', [0xfe, 0xff, 0x00, 0x5b]],
    ['UTF-16; save it as UTF-8', [0x5b, 0x00, 0x7b, 0x00]],
    ['UTF-16; save it as UTF-8', [0x00, 0x5b, 0x00, 0x7b]],
    ['a gzip archive; unpack it first', [0x1f, 0x8b, 0x08, 0x00]],
    ['a zip archive; unpack it first', [0x50, 0x4b, 0x03, 0x04, 0x00]],
    ['a binary file', [0x5b, 0x22, 0x00, 0x22, 0x5d]],
    ['a binary file', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]],
  ])('says that it got %s: %j', async (what, bytes) => {
    const path = await file('bytes', new Uint8Array(bytes));
    await expect(openSessionFile(path)).rejects.toThrow(`${path}: expected text in UTF-8, got ${what}`);
  });

  it('names the line whose bytes are not UTF-8', async () => {
    const path = await file(
      'latin1.jsonl',
      Buffer.from('{"role":"user","content":"a"}\n{"role":"user","content":"h\xe9"}', 'latin1'),
    );
    await expect(openSessionFile(path)).rejects.toThrow(
      `${path}: line 2: expected text in UTF-8, got bytes that are not`,
    );
  });

  it('refuses a file that no string can hold, without reading it', async () => {
    const path = await file('huge.json', `[\n${' '.repeat(20_000_000)}`);
    await truncate(path, 600 * 1024 * 1024);
    await expect(openSessionFile(path)).rejects.toThrow(
      `${path}: expected a file below 512 MiB, or a log of lines, got at least 600 MiB`,
    );
  });
});
