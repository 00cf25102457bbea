import { describe, expect, it } from 'vitest';
import { classify, isLift } from './classify.ts';

describe('classify', () => {
  it.each([
    ['Never push to main.', 'user', 'constraint'],
    ['- No new dependencies', 'user', 'constraint'],
    ['不要修改配置文件', 'user', 'constraint'],
    ['Bitte niemals löschen.', 'user', 'constraint'],
    ['Where is the log?', 'user', 'question'],
    ['Thanks.', 'user', 'plain'],
    ['Let me look at the file.', 'assistant', 'filler'],
    ['It fails because the table is locked.', 'assistant', 'cause'],
    ['I decided on SQLite.', 'assistant', 'decision'],
    ['12 tests passed', 'assistant', 'outcome'],
    ['Next step: write the docs.', 'assistant', 'todo'],
    ['Which one do you want?', 'assistant', 'question'],
    ['Error: no such table', 'output', 'error'],
    ['3 tests failed', 'output', 'outcome'],
    ['compiling', 'output', 'plain'],
    ['const never = 1;', 'argument', 'plain'],
    ['We must never drop a table here.', 'argument', 'constraint'],
    ['We must never drop a table here.', 'removed', 'plain'],
  ] as const)('takes "%s" of %s for %s', (text, voice, kind) => {
    expect(classify(text, voice)).toBe(kind);
  });
});

describe('isLift', () => {
  it.each([
    'Forget about the lock file',
    'You may now deploy',
    'Editing it is fine now',
    'That rule is lifted',
    "You don't need to ask me any more",
  ])('hears a rule being taken back in "%s"', (text) => expect(isLift(text)).toBe(true));

  it.each(["Don't forget the tests", 'You may use any library', 'Ignore case when sorting', 'Lift the box'])(
    'hears none in "%s"',
    (text) => expect(isLift(text)).toBe(false),
  );
});
