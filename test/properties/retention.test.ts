import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../src/core/compact.ts';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import type { Format } from '../../src/core/format.ts';
import { ledgerOf } from '../../src/core/worth/judge-facts.ts';
import { scripts } from './arbitraries.ts';
import { check, decoded, FORMAT_IDS, FORMATS, fixtures, readable, says, tokensOf } from './support.ts';

/** Kept tokens may shrink by this share at most when the target grows. */
const SMOOTH = 0.9;

interface Kept {
  readonly target: number;
  readonly tokens: number;
  readonly facts: number;
}

async function keptAt(
  conversation: Conversation,
  format: Format,
  targets: readonly number[],
): Promise<readonly Kept[]> {
  // The heading of a command is cut when it is long, so it is not to be found where the call itself stands.
  const facts = ledgerOf(conversation.messages).facts.filter(({ kind }) => kind !== 'command');
  const kept: Kept[] = [];
  for (const target of targets) {
    // Targets here are shares of the messages.
    const { conversation: view, outcome } = await compact(conversation, format, { target, fixedTokens: 0 });
    if (outcome === 'refused') continue;
    const text = readable(view.messages);
    kept.push({
      target,
      tokens: tokensOf(view),
      facts: facts.filter((fact) => says(text, fact)).length,
    });
  }
  return kept;
}

function isSmooth(kept: readonly Kept[]): void {
  for (const [index, { target, tokens }] of kept.entries()) {
    const before = kept[index - 1];
    if (before !== undefined && tokens < before.tokens * SMOOTH)
      throw new Error(`${before.tokens} tokens are kept at a target of ${before.target}, ${tokens} at ${target}`);
  }
}

describe('what is kept', () => {
  for (const { name, conversation, format } of fixtures()) {
    it(`of the session ${name} grows smoothly with the target, in steps of 2 %`, { timeout: 60_000 }, async () => {
      const size = tokensOf(conversation);
      const targets: number[] = [];
      for (let target = Math.floor(size * 0.08); target * 1.02 < size; target = Math.ceil(target * 1.1))
        targets.push(target, Math.ceil(target * 1.02));
      const kept = await keptAt(conversation, format, targets);
      isSmooth(kept);
      expect(kept.length).toBe(targets.length);
    });

    it(`of the facts of the session ${name} grows with the target`, async () => {
      const size = tokensOf(conversation);
      const kept = await keptAt(
        conversation,
        format,
        [0.08, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((share) => Math.floor(size * share)),
      );
      for (const [index, { facts, target }] of kept.entries()) {
        const most = Math.max(0, ...kept.slice(0, index).map((earlier) => earlier.facts));
        if (facts < most * 0.95 - 1) throw new Error(`${facts} facts at ${target}, ${most} at a smaller target`);
      }
    });

    it(`of the session ${name} nearly fills the target`, async () => {
      const size = tokensOf(conversation);
      for (const { target, tokens } of await keptAt(
        conversation,
        format,
        [0.1, 0.2, 0.4].map((share) => Math.floor(size * share)),
      ))
        expect(tokens / target).toBeGreaterThan(0.85);
    });
  }

  for (const id of FORMAT_IDS)
    it(`of generated conversations never falls off a cliff, for ${FORMATS[id].title}`, { timeout: 60_000 }, () =>
      check(
        fc.asyncProperty(
          scripts({ events: 40, inFlight: false }),
          fc.integer({ min: 20, max: 85 }),
          async (script, percent) => {
            const conversation = decoded(id, script);
            const target = Math.floor((tokensOf(conversation) * percent) / 100);
            if (target < 1_000) return;
            isSmooth(
              await keptAt(
                conversation,
                FORMATS[id],
                [0, 1, 2, 3].map((step) => Math.ceil(target * 1.02 ** step)),
              ),
            );
          },
        ),
        24,
      ),
    );
});
