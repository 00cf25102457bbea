import { describe, expect, it } from 'vitest';
import { type Message, textOf } from '../conversation/message.ts';
import { trimWords } from './trim-words.ts';

const user = (...texts: readonly string[]): Message => ({
  role: 'user',
  parts: texts.map((text) => ({ type: 'text', text })),
});
const log = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${name} ${at}: worker ${at % 5} moved crate ${at * 17}`).join('\n');
const WHOLE = 'message #3 ⟦r:0123456789abc⟧';

function shown(message: Message, chars: number, passages: readonly string[] = []): string {
  const trimmed = trimWords(message, chars, WHOLE);
  if (trimmed === null) throw new Error('Expected something to be left out');
  return textOf(trimmed.show(passages));
}

describe('trimWords', () => {
  it.each([
    ['a fenced block', `\`\`\`\n${log('ship', 400)}\n\`\`\``],
    ['a tagged block', `<log source="dock">\n${log('ship', 400)}\n</log>`],
    ['a long paragraph', log('ship', 400)],
  ])('keeps the words around %s, and its first and last lines', (_, pasted) => {
    const text = shown(user(`The crane stops at noon.\n\n${pasted}\n\nFind out why, and touch no schedule.`), 900);
    expect(text).toMatch(/^The crane stops at noon\.\n/);
    expect(text).toMatch(/Find out why, and touch no schedule\.$/);
    expect(text).toContain('ship 0: worker 0 moved crate 0');
    expect(text).toContain('ship 399:');
    expect(text).not.toContain('ship 200:');
    expect(text).toMatch(/\[precis: \d+ characters left out here, whole message #3 ⟦r:0123456789abc⟧\]/);
    expect(text.length).toBeLessThan(1_200);
  });

  it('keeps the words on both sides of a paste in the same line', () => {
    const text = shown(user(`Why is this key refused? ${'k7Qz'.repeat(20_000)} Answer in one line.`), 900);
    expect(text).toMatch(/^Why is this key refused\? /);
    expect(text).toMatch(/Answer in one line\.$/);
    expect(text.length).toBeLessThan(1_000);
  });

  it('keeps the words between two pasted blocks of the same kind', () => {
    const blocks = ['before', 'after'].map((name) => `<report>\n${log(name, 200)}\n</report>`);
    expect(shown(user(`Compare.\n${blocks.join('\nThe second is from today.\n')}\nWhat broke?`), 1_000)).toMatch(
      /Compare\.[\s\S]+The second is from today\.[\s\S]+What broke\?$/,
    );
  });

  it('keeps the beginning and the end of a document of short paragraphs', () => {
    const paragraphs = Array.from({ length: 120 }, (_, at) => `Rule ${at}: a crate of kind ${at} goes to hall ${at}.`);
    const text = shown(user(paragraphs.join('\n\n')), 800);
    expect(text).toContain('Rule 0:');
    expect(text).toContain('Rule 119:');
    expect(text).not.toContain('Rule 60:');
    expect(text.length).toBeLessThan(1_000);
  });

  it('puts hidden passages back where they were, and counts only the rest as left out', () => {
    const pasted = log('ship', 400).replace('ship 200:', 'ERROR hook 7 jammed; ship 200:');
    const message = user(`See this.\n\n${pasted}\n\nMend it.`);
    const trimmed = trimWords(message, 600, WHOLE);
    const passage = [...(trimmed?.hidden ?? [])].find((each) => each.includes('hook 7 jammed'));
    const text = shown(message, 600, [passage ?? '']);
    expect(text).toMatch(/\[precis: \d+ characters left out here[^\n]+\]\nERROR hook 7 jammed[\s\S]+Mend it\.$/);
    const left = (each: string): number => Number(/\[precis: (\d+)/.exec(each)?.[1]);
    expect(left(text)).toBe(left(shown(message, 600)) - (passage ?? '').length);
  });

  it('cuts one endless line', () => {
    const text = shown(user(`{"a":${'0123456789'.repeat(2_000)}}`), 500);
    expect(text).toMatch(/^\{"a":0123/);
    expect(text.length).toBeLessThan(800);
  });

  it('keeps short parts whole and trims the long one', () => {
    const trimmed = trimWords(user('Read this.', log('ship', 300), 'Then stop.'), 700, WHOLE);
    const parts = trimmed?.show([]).parts.map((part) => (part.type === 'text' ? part.text : ''));
    expect(parts?.[0]).toBe('Read this.');
    expect(parts?.[2]).toBe('Then stop.');
    expect(parts?.[1]?.length).toBeLessThan(900);
  });

  it('says so when there is nothing to leave out', () => {
    expect(trimWords(user('Short words.'), 400, WHOLE)).toBeNull();
  });

  it('takes time in proportion to the text, whatever stands in it', () => {
    const open = '<crate>\n'.repeat(20_000);
    const fences = '```\nx\n'.repeat(20_000);
    expect(shown(user(`${open}\n${fences}\n${log('ship', 20_000)}`), 500).length).toBeLessThan(1_500);
  });
});
