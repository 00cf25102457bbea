import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { completeLock, platformOf } from './complete-lock.ts';

type Lock = Parameters<typeof completeLock>[0];

describe('the platform of a package', () => {
  test('is read from its name', () => {
    expect(platformOf('@rolldown/binding-linux-x64-musl')).toEqual({ os: ['linux'], cpu: ['x64'], libc: ['musl'] });
    expect(platformOf('@biomejs/cli-darwin-arm64')).toEqual({ os: ['darwin'], cpu: ['arm64'] });
    expect(platformOf('@rolldown/binding-wasm32-wasi')).toEqual({ cpu: ['wasm32'] });
    expect(platformOf('fsevents')).toBeNull();
  });
});

describe('a lock file', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { 'tool-linux-x64': '1.0.0', fsevents: '^2' },
      },
    },
  };

  test('gets the platform packages it lacks', () => {
    const { lock: completed, added } = completeLock(lock);
    expect(added).toEqual(['tool-linux-x64']);
    expect(completed.packages['node_modules/tool-linux-x64']).toEqual({
      version: '1.0.0',
      os: ['linux'],
      cpu: ['x64'],
      dev: true,
      optional: true,
    });
    expect(completeLock(completed).added).toEqual([]);
  });

  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');

  test('of this project is complete, so that npm ci accepts it everywhere', () => {
    expect(completeLock(JSON.parse(text) as Lock).added).toEqual([]);
  });

  test('of this project names no address, so that every machine uses its own', () => {
    expect(text).not.toMatch(/"resolved":/);
  });
});
