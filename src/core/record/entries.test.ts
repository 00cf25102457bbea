import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/message.ts';
import { recordHistory } from '../facts/history-record.ts';
import { renderEntry } from '../view/render-handoff.ts';
import { entriesOf } from './entries.ts';
import { readHandoff } from './handoff/read-handoff.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const mixed = user(
  '<current_datetime>2031-01-02</current_datetime>\n\nNever touch the till.\n\n<attached_file path="a.md">\nbuy milk\n</attached_file>\n\nUse port 4711.',
);

describe('the entries of a message in which several speak', () => {
  it('are one for each, and say who it is', () => {
    const entries = entriesOf([{ number: 7, message: mixed }]);
    expect(
      entries.map((entry) =>
        renderEntry(
          entry,
          entry.passages.map((_, index) => index),
        ),
      ),
    ).toEqual(['#7 host: 2031-01-02', '#7 user: Never touch the till.\n  Use port 4711.', '#7 file: buy milk']);
    expect(entries.map((entry) => (entry.type === 'said' ? entry.first : -1))).toEqual([0, 1, 3]);
  });

  it('can be read back from a handoff', () => {
    const lines = ['#7 host: 2031-01-02', '#7 report: It is done.', '#7 file: buy milk', '  and bread'];
    const handoff = `[precis handoff 1] x\n${lines.join('\n')}\n[end of precis handoff 1: through #7, originals ⟦r:0000000000000⟧]`;
    expect(
      readHandoff(handoff).map(({ heading, passages }) => [heading, ...passages.map(({ voice }) => voice)]),
    ).toEqual([
      ['host', 'host'],
      ['report', 'report'],
      ['file', 'content', 'content'],
    ]);
  });

  it('give facts of the user only where the user speaks', () => {
    const { facts } = recordHistory([
      user('<system-reminder>\nNever use port 1234.\n</system-reminder>'),
      mixed,
      { ...user('Always use port 99.'), speaker: 'host' },
    ]);
    expect(facts.map(({ kind, text, source }) => [kind, text, source.passage])).toEqual([
      ['constraint', 'Never touch the till.', 1],
      ['constraint', 'Use port 4711.', 2],
      ['value', 'port = 4711', 2],
    ]);
  });

  it('keep what a host writes into the output of a call apart', () => {
    const call: Message = {
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: 'c', name: 'Bash', arguments: '{"command":"make"}' }],
    };
    const output = 'built\n\n<system-reminder>\nKeep it short.\n</system-reminder>\n<system-reminder>\nno end';
    const result: Message = {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c', content: [{ type: 'text', text: output }], isError: false }],
    };
    const [entry] = entriesOf([
      { number: 1, message: call },
      { number: 2, message: result },
    ]);
    expect(entry?.passages.map(({ voice, text }) => `${voice}: ${text}`)).toEqual([
      'output: built',
      'output: <system-reminder>',
      'output: no end',
      'host: Keep it short.',
    ]);
  });

  it('give a picture to the person who speaks, else to the host', () => {
    const image = { type: 'image', mediaType: 'image/png', width: 1, height: 1, url: null, detail: 'auto' } as const;
    const voices = (message: Message) =>
      entriesOf([{ number: 1, message: { ...message, parts: [...message.parts, image] } }]).map(
        (entry) => entry.passages.at(-1)?.voice,
      );
    expect(voices(mixed)).toEqual(['host', 'user', 'content']);
    expect(voices(user('<system-reminder>x</system-reminder>'))).toEqual(['host']);
    expect(voices(user(''))).toEqual(['user']);
  });
});
