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
    const binary = await file('binary.json', new Uint8Array([0xff, 0xfe, 0x5b, 0x00]));
    await expect(openSessionFile(binary)).rejects.toThrow(`${binary}: expected text in UTF-8, got bytes that are not`);
  });

  it('refuses a file that no string can hold, without reading it', async () => {
    const path = await file('huge.json', '');
    await truncate(path, 600 * 1024 * 1024);
    await expect(openSessionFile(path)).rejects.toThrow(`${path}: expected a file below 512 MiB, got at least 600 MiB`);
  });
});
