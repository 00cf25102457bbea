import { describe, expect, it } from 'vitest';
import { readableText } from './readable-text.ts';

const ENCRYPTED = 'EuYBCioIAhgCIiQ2'.repeat(60);

describe('readableText', () => {
  it('reads titles, addresses and texts, and leaves out ids, types and encrypted text', () => {
    const results = [
      {
        type: 'web_search_result',
        title: 'Tides',
        url: 'https://sea.example/t',
        encrypted_content: ENCRYPTED,
        page_age: 'May 2',
      },
      { type: 'text', text: 'High at noon.', id: 'x_1', file_id: 'file_9', toolCallId: 'c' },
    ];
    expect(readableText(results)).toBe('Tides\nhttps://sea.example/t\npage age: May 2\nHigh at noon.');
  });

  it('reads the output of programs with exit codes and errors', () => {
    const ran = { type: 'r', stdout: 'one\ntwo', stderr: 'warn', return_code: 2, content: [], error: null };
    expect(readableText(ran)).toBe('one\ntwo\nstderr: warn\nreturn code: 2');
  });

  it('names the size of bytes in place of them', () => {
    const png = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ${'Ab1+'.repeat(300)}`;
    expect(readableText({ result: png })).toBe('[image 1×1]');
    expect(readableText({ data: `data:audio/mp3;base64,AAAA` })).toBe('[3 bytes]');
    expect(readableText({ picture: new Uint8Array(7) })).toBe('[7 bytes]');
  });

  it('keeps a long text, a hexadecimal number and a short word that looks like base64', () => {
    for (const text of ['words of a text '.repeat(80).trim(), '0f'.repeat(400), 'QmFzZTY0'])
      expect(readableText(text)).toBe(text);
  });

  it('ends on a value that holds itself', () => {
    const circle: Record<string, unknown> = { text: 'round' };
    circle['again'] = circle;
    expect(readableText(circle)).toMatch(/^round\nround/);
  });
});
