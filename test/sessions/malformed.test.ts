/** Logs as crashes, copies and other programs leave them: what can be read is read, the rest is named by line, and nothing else is thrown. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { PrecisError } from '../../src/core/errors.ts';
import { noteText, readSession, readSessionBytes, type SessionDocument } from '../../src/sessions/index.ts';
import { outline } from './outline.ts';
import { claudeCodeSample, codexSample, type Sample, samples, textOfSample } from './samples.ts';

const lineSamples = samples.filter((sample) => sample.isDocument !== true);
const text = textOfSample(claudeCodeSample);
const lines = text.trimEnd().split('\n');

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const stream = (content: string | Uint8Array, size = 100): Promise<SessionDocument> =>
  readSessionBytes(inPieces(typeof content === 'string' ? new TextEncoder().encode(content) : content, size), {
    name: 'log',
  });

/** Reads it, or says in one sentence why not; whatever is read is sound. */
async function readOrRefuse(content: string | Uint8Array): Promise<SessionDocument | null> {
  try {
    const document = await stream(content);
    expect(document.format.check(document.conversation)).toEqual([]);
    expect(document.source.records).toHaveLength(document.conversation.messages.length);
    return document;
  } catch (error) {
    expect(PrecisError.is(error), String(error)).toBe(true);
    expect((error as PrecisError).code).toBe('bad-input');
    return null;
  }
}

describe('bytes as they come', () => {
  it.each([1, 7, 100, 1_000_000])('gives the same in pieces of %i', async (size) => {
    for (const sample of samples) {
      const whole = readSession(textOfSample(sample), { name: 'log' });
      const pieces = await stream(textOfSample(sample), size);
      expect(outline(pieces)).toEqual(outline(whole));
      expect(pieces.notes).toEqual(whole.notes);
      expect(pieces.source).toEqual(whole.source);
    }
  });

  it('reads more lines than it looks at to tell whose log it is', async () => {
    const more = Array.from({ length: 1000 }, (_, index) =>
      JSON.stringify({
        uuid: `x${index}`,
        type: 'user',
        sessionId: 's',
        message: { role: 'user', content: `say ${index}` },
      }),
    );
    const document = await stream(more.join('\n'));
    expect(document.conversation.messages).toHaveLength(1000);
  });

  it('takes a byte order mark, empty lines and carriage returns', async () => {
    expect(outline(await stream(`\ufeff\n${text.replaceAll('\n', '\r\n\r\n')}`))).toEqual(outline(await stream(text)));
  });

  it('reads plain messages too', async () => {
    expect(outline(await stream('[{"role":"user","content":"x"}]'))).toEqual(['user: x']);
    expect((await stream('{"role":"user","content":"x"}\n{"role":"user","content":"y"}\n')).shape).toBe('jsonl');
  });
});

describe('a broken log', () => {
  it('cut in the middle of its last line', async () => {
    const document = await stream(text.slice(0, text.indexOf('Done.')));
    expect(outline(document).at(-1)).toBe('tool: t3→ok');
    expect(document.notes.map(noteText)).toContain('line 21: cut off, left out');
  });

  it('with lines that are no JSON, no object, or nothing but zeros', async () => {
    const bad = [...lines.slice(0, 3), '{"type": nonsense}', '7', '\0\0\0', ...lines.slice(3)];
    const document = await stream(bad.join('\n'));
    expect(outline(document)).toEqual(outline(await stream(text)));
    expect(document.notes.slice(0, 3).map(noteText)).toEqual([
      'line 4: not valid JSON, left out',
      'line 6: not valid JSON, left out',
      'line 5: not an object, left out',
    ]);
  });

  it('whose first line is cut', async () => {
    const document = await stream(['"isSidechain":false,"x":1}', ...lines].join('\n'));
    expect(outline(document)).toEqual(outline(await stream(text)));
  });

  it('with bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('Never mind')] = 0xff;
    bytes[bytes.indexOf('The tax')] = 0xff;
    const document = await stream(bytes);
    expect(outline(document)).toContain('assistant: \ufffdhe tax is missing.');
    expect(document.notes.map(noteText)).toContain('line 12: bytes that are not UTF-8 were replaced');
  });

  it('with lines of another agent in it', async () => {
    const document = await stream([...lines, ...textOfSample(codexSample).trimEnd().split('\n')].join('\n'));
    expect(outline(document)).toEqual(outline(await stream(text)));
    expect(document.notes.map(noteText)).toContain(
      '23 lines that are not of Claude Code left out, the first is line 23',
    );
  });

  it('with every line twice', async () => {
    const document = await stream(lines.flatMap((line) => [line, line]).join('\n'));
    expect(outline(document)).toEqual(outline(await stream(text)));
    expect(document.notes.map(noteText)).toContain('line 6: repeats the id of an earlier line, left out');
  });

  it.each([
    ['nothing', '', 'log: expected a conversation in JSON or JSONL, got an empty file'],
    ['white space', '\n \n', 'log: expected a conversation in JSON or JSONL, got an empty file'],
    ['gzip', gzipSync(text), 'log: expected text in UTF-8, got a gzip archive; unpack it first'],
    [
      'lines without a message',
      lines.slice(0, 2).join('\n'),
      'log: expected at least one message with content, got none, though this looks like a log of Claude Code',
    ],
  ])('refuses %s in one sentence', async (_what, content, sentence) => {
    await expect(stream(content)).rejects.toThrow(sentence);
  });
});

test.each(lineSamples.map((sample) => [sample.reader, sample] as const))(
  '%s, cut anywhere, is read or refused',
  async (_reader, sample) => {
    const whole = textOfSample(sample);
    for (let end = 1; end < whole.length; end += 37) await readOrRefuse(whole.slice(0, end));
  },
);

test.each(lineSamples.map((sample) => [sample.reader, sample] as const))(
  '%s, with lines lost, is read or refused',
  async (_reader, sample) => {
    const all = textOfSample(sample).trimEnd().split('\n');
    for (let lost = 0; lost < all.length; lost++) {
      await readOrRefuse(all.toSpliced(lost, 1).join('\n'));
      await readOrRefuse(all.toSpliced(lost, 2).join('\n'));
      await readOrRefuse([...all.slice(lost), ...all.slice(0, lost)].join('\n'));
    }
    await readOrRefuse(all.toReversed().join('\n'));
  },
);

/** Every value of a log, one after another, replaced by something of another type. */
test.each(samples.map((sample) => [sample.reader, sample] as const))(
  '%s, with any field of another type, is read or refused',
  async (_reader, sample) => {
    for (const [index, value] of sample.values.entries())
      for (const changed of variants(value)) {
        const values = sample.values.with(index, changed);
        await readOrRefuse(textOfSample({ ...sample, values } satisfies Sample));
      }
  },
);

function* variants(value: unknown): Generator<unknown> {
  for (const other of [null, 7, 'text', [], {}]) yield other;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) for (const changed of variants(item)) yield value.with(index, changed);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      for (const changed of variants(item)) yield { ...value, [key]: changed };
}
