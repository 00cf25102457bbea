import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

describe('makeFolder', () => {
  const root = mkdtempSync(join(tmpdir(), 'precis-folder-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('makes all that is missing, also when several ask at once, and leaves what is there', async () => {
    const path = join(root, 'a', 'b', 'c');
    await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, 'a', 'b'))]);
    await makeFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('refuses where a file is in the way', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    symlinkSync(join(root, 'nowhere'), join(root, 'link'));
    await expect(makeFolder(join(root, 'link'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(root, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(existsSync('/proc/self'))('ends where nothing can be made', async () => {
    await expect(makeFolder('/proc/precis/below')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
