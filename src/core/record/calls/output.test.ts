import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, outputLines } from './output.ts';

describe('outputLines', () => {
  it('takes away colours and other terminal sequences', () => {
    expect(outputLines('\u001b[1m\u001b[31mFAIL\u001b[39m\u001b[22m a\n\u001b[2Kb')).toEqual(['FAIL a', 'b']);
  });

  it('opens JSON, so that text inside it is text again', () => {
    expect(outputLines('{"output":"one\\ntwo","metadata":{"exit_code":1}}')).toEqual([
      'one',
      'two',
      'metadata: exit_code: 1',
    ]);
  });

  it('makes one line of every record of a list', () => {
    expect(outputLines('[{"id":1,"name":"a"},{"id":2,"name":"b"}]')).toEqual(['id: 1, name: a', 'id: 2, name: b']);
    expect(outputLines('{"orders":[{"id":1},{"id":2}],"total":2}')).toEqual([
      'orders: id: 1',
      'orders: id: 2',
      'total: 2',
    ]);
  });

  it('leaves what is not quite JSON as it is', () => {
    expect(outputLines('{half: \n[x')).toEqual(['{half: ', '[x']);
    expect(outputLines('')).toEqual(['']);
  });

  it('never quotes what the engine wrote itself', () => {
    expect(outputLines('[precis: 4 lines left out]\nreal')).toEqual(['real']);
  });

  it('opens JSON ten thousand levels deep, and texts of many lines', () => {
    expect(outputLines(`${'['.repeat(10_000)}7${']'.repeat(10_000)}`)).toEqual(['7']);
    expect(outputLines(`${'{"a":'.repeat(10_000)}"x"${'}'.repeat(10_000)}`)).toEqual(['a: a: x']);
    expect(outputLines(JSON.stringify({ text: 'x\n'.repeat(300_000) })).length).toBe(300_001);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (text) => void outputLines(text)));
  });
});

describe('exitCodeOf', () => {
  it.each<[string, number | null]>([
    ['Exit code 1', 1],
    ['exit code: 0', 0],
    ['Process exited with code 2', 2],
    ['metadata: exit_code: 137, duration: 2', 137],
    ['"exitCode": 3', 3],
    ['exit status 4', 4],
    ['returncode=5', 5],
    ['exit the code 6', null],
    ['error code 7', null],
    ['', null],
  ])('reads %j as %j', (line, code) => {
    expect(exitCodeOf([line])).toBe(code);
  });

  it('takes the last one said', () => {
    expect(exitCodeOf(['exit code 1', 'retry', 'exit code 0'])).toBe(0);
  });
});
