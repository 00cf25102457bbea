/**
 * Sessions are made once for all workloads of a size, in a process of their own: making one leaves a lot of garbage, and memory is measured.
 * `node session-file.ts SIZE FILE` writes one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { WireMessage } from '../sessions.ts';

export interface SessionFile {
  readonly tokens: number;
  readonly wire: readonly WireMessage[];
}

export function readSessionFile(file: string): SessionFile {
  return JSON.parse(readFileSync(file, 'utf8')) as SessionFile;
}

async function write(size: number, file: string): Promise<void> {
  const { createMeasure } = await import('../../src/core/tokens/measure.ts');
  const { openaiChat } = await import('../../src/formats/index.ts');
  const { o200k } = await import('../../src/models/o200k.ts');
  const { wireOfSize } = await import('../sessions.ts');
  const measure = createMeasure(o200k);
  const wire = wireOfSize(size, measure);
  const tokens = measure.conversation(openaiChat.decode({ messages: wire }).conversation);
  writeFileSync(file, JSON.stringify({ tokens, wire } satisfies SessionFile));
}

if (import.meta.main) await write(Number(process.argv[2]), process.argv[3] ?? '');
