import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import { o200k } from '../../src/models/o200k.ts';
import { compactionLaws } from '../../src/testing/index.ts';
import { fixtures, targetOf } from './support.ts';

describe('the shipped sessions', () => {
  for (const { name, conversation, format } of fixtures())
    for (const share of [0.05, 0.1, 0.2, 0.35, 0.5, 0.8])
      for (const law of compactionLaws(compact, { conversation, format, target: targetOf(conversation, share) }))
        it(`${name} at ${share * 100} %: ${law.name}`, () => law.run());

  for (const { name, conversation, format } of fixtures())
    for (const law of compactionLaws(compact, { conversation, format, target: 6_000, counter: o200k }))
      it(`${name} at 6,000 tokens of o200k: ${law.name}`, () => law.run());

  it('are long enough to be compacted', () => {
    for (const { conversation } of fixtures()) expect(targetOf(conversation, 0.5)).toBeGreaterThan(4_000);
  });
});
