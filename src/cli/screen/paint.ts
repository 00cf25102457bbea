import { styleText } from 'node:util';
import type { Screen } from '../world.ts';

export type Color = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** Colours a text, where there are colours. */
export type Paint = (color: Color, text: string) => string;

export function paintFor({ colors }: Screen): Paint {
  return colors ? (color, text) => styleText(color, text, { validateStream: false }) : (_color, text) => text;
}

export function whole(value: number): string {
  return value.toLocaleString('en-US');
}

/** The text in at most `columns` characters, its end marked where it was cut. */
export function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1)).trimEnd()}…`;
}

/** `1 message`, `2 messages`. */
export function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}
