import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toolCallsOf, toolResultsOf } from '../../../core/conversation/message.ts';
import { createMeasure } from '../../../core/tokens/measure.ts';
import { o200k } from '../../../models/o200k.ts';
import { readSession } from '../../../sessions/read-text.ts';
import { MATCH_SHARE, truncate } from './truncate.ts';

describe.each(['rate-limiter/session.json', 'flight-change/session.json', 'incident/session.jsonl'])('%s', (name) => {
  const text = readFileSync(new URL(`../../../../fixtures/${name}`, import.meta.url), 'utf8');
  const { messages } = readSession(text, { name }).conversation;
  const measure = createMeasure(o200k);
  const source = measure.messages(messages);

  test.each([0.1, 0.15, 0.2, 0.3, 0.5, 0.9])(
    'is cut to %f of its size, calls with their results, and the system messages stay',
    (share) => {
      const wanted = Math.round(source * share);
      const kept = truncate(messages, wanted, measure);
      expect(measure.messages(kept)).toBeLessThanOrEqual(wanted);
      expect(measure.messages(kept)).toBeGreaterThanOrEqual(wanted * (1 - MATCH_SHARE));
      const calls = kept.flatMap(toolCallsOf).map(({ callId }) => callId);
      expect(
        kept
          .flatMap(toolResultsOf)
          .map(({ callId }) => callId)
          .toSorted(),
      ).toEqual(calls.toSorted());
      expect(kept.filter(({ role }) => role === 'system')).toEqual(messages.filter(({ role }) => role === 'system'));
      expect(kept.at(-1)).toBe(messages.at(-1));
    },
  );
});
