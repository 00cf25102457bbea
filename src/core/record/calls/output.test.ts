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

  it('opens structures inside texts inside structures', () => {
    const inner = JSON.stringify({ shop: { till: 4, open: true, hours: ['9', '17'] } }, null, 2);
    const answer = JSON.stringify({
      _meta: null,
      content: [{ type: 'text', text: inner, annotations: null }],
      isError: false,
    });
    const lines = ['till: 4', 'open: true', 'hours: 9, 17'];
    expect(outputLines(inner)).toEqual(lines);
    expect(outputLines(JSON.stringify(inner))).toEqual(lines);
    expect(outputLines(answer)).toEqual(lines);
    expect(outputLines(JSON.stringify({ output: answer }))).toEqual(lines);
    expect(outputLines(answer.replace('"isError":false', '"isError":true'))).toEqual([...lines, 'isError: true']);
  });

  it('opens what Python prints', () => {
    const print = (text: string) =>
      `meta=None content=[TextContent(type='text', text='${text}', annotations=None)] isError=False`;
    expect(outputLines(print("one\\ntwo it\\'s"))).toEqual(['one', "two it's"]);
    expect(outputLines(print('{\\n "till": 4,\\n "note": "a\\\\nb"\\n}'))).toEqual(['till: 4', 'a', 'b']);
    expect(outputLines("[TextContent(type='text', text=\"it's\"), TextContent(type='text', text='b')]")).toEqual([
      "it's",
      'b',
    ]);
    expect(outputLines("{'till': None, 'open': True, 'names': ['a', \"it's\"]}")).toEqual([
      'till: null',
      'open: true',
      "names: a, it's",
    ]);
  });

  it('opens JSON that was cut off, has a line before it, or one on each line', () => {
    expect(outputLines('{"shop": {"till": 4, "list": [{"id": 1}, {"id": 2, "na')).toEqual([
      'till: 4',
      'list: id: 1',
      'list: id: 2',
    ]);
    expect(outputLines('{"a": "one", "b": "half of a sen')).toEqual(['a: one, b: half of a sen']);
    expect(outputLines('Response:\n{"a": [1, {"b": 2}]}')).toEqual(['Response:', 'a: 1', 'a: b: 2']);
    expect(outputLines('Error: [\n {"code": 7}\n]')).toEqual(['Error: ', 'code: 7']);
    expect(outputLines('{"n":1}\n{"n":2}\nend')).toEqual(['n: 1', 'n: 2', 'end']);
  });

  it.each([
    "['a'] is not a shop",
    '{ "a": 1 } and more',
    '{"a": 1,, "b"}',
    "{'a': b}",
    '[test] $ make',
    '"a sentence"',
    'if (x) {\n  "y";\n}',
  ])('leaves %j as it is', (text) => expect(outputLines(text)).toEqual(text.split('\n')));

  it.each(['{"a":', '[{', '{"a":"', '\\"', "{'a': '", '{"a":1}\n', 'x: {', "TextContent(type='text', text='", '\\\\n'])(
    'takes linear time for many of %j',
    (piece) => {
      const many = piece.repeat(Math.ceil(900_000 / piece.length));
      const before = performance.now();
      for (const start of ['', '{"text": "', "content=[TextContent(type='text', text='"]) outputLines(start + many);
      expect(performance.now() - before).toBeLessThan(6_000);
    },
  );

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
