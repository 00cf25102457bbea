/** Hand-computed bills. Units are uncached tokens of input: read × r + write × w + uncached + output × o, times the tier. */
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/work/cpu-time.ts';
import type { Bill } from './bill.ts';
import type { Block } from './block.ts';
import { createCache, type RequestDetails } from './cache.ts';
import { rulesById } from './rules/by-id.ts';
import type { CacheRules } from './rules/cache-rules.ts';

/** `s:2000 a:500*3` is a block `s` of 2,000 tokens and a block `a` of 500 tokens that is 3 content blocks on the wire. */
function blocks(text: string): readonly Block[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [, id = '', tokens = '0', parts = '1'] = /^(\w+):(\d+)(?:\*(\d+))?$/.exec(word) ?? [];
      return { id, tokens: Number(tokens), parts: Number(parts) };
    });
}

interface Sent extends Partial<Omit<RequestDetails, 'at'>> {
  /** Seconds. */
  readonly at: number;
  readonly blocks: string;
}

interface Case {
  readonly name: string;
  readonly rules: CacheRules;
  readonly sent: readonly Sent[];
  /** Of the last request: read, write, uncached. */
  readonly tokens: readonly [number, number, number];
  /** Of the last request, in units. */
  readonly units: number;
}

const of = (id: string, change: Partial<CacheRules> = {}): CacheRules => ({ ...rulesById(id), ...change });
const A = of('anthropic-5m');
const A1H = of('anthropic-1h');
const O56 = of('openai-5.6');
const O5 = of('openai-5');
const many = (count: number, tokens = 100): string =>
  Array.from({ length: count }, (_, index) => `m${index}:${tokens}`).join(' ');

const CASES: readonly Case[] = [
  // Anthropic, 5 minutes: r .1, w 1.25, o 5, at least 1,024.
  // 3,000 × 1.25 + 100 × 5
  {
    name: 'Anthropic cold',
    rules: A,
    sent: [{ at: 0, blocks: 's:2000 a:1000', outputTokens: 100 }],
    tokens: [0, 3000, 0],
    units: 4250,
  },
  // 3,000 × .1
  {
    name: 'Anthropic warm, the same again',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 a:1000' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  // 3,000 × .1 + 700 × 1.25 = 300 + 875
  {
    name: 'Anthropic grown',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 a:1000 b:200 c:500' },
    ],
    tokens: [3000, 700, 0],
    units: 1175,
  },
  // Only s is left: 2,000 × .1 + 1,500 × 1.25 = 200 + 1,875
  {
    name: 'Anthropic changed early',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000 b:500' },
      { at: 9, blocks: 's:2000 x:1000 b:500' },
    ],
    tokens: [2000, 1500, 0],
    units: 2075,
  },
  // a is a breakpoint of the first request (one of its last three): 3,000 × .1 + 600 × 1.25 = 300 + 750
  {
    name: 'Anthropic changed late',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000 b:500' },
      { at: 9, blocks: 's:2000 a:1000 x:600' },
    ],
    tokens: [3000, 600, 0],
    units: 1050,
  },
  // s itself changed: 2,500 × 1.25
  {
    name: 'Anthropic changed in the system prompt',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:500' },
      { at: 9, blocks: 't:2000 a:500' },
    ],
    tokens: [0, 2500, 0],
    units: 3125,
  },
  // 1,000 < 1,024: neither read nor written, 1,000 × 1
  {
    name: 'Anthropic below the minimum',
    rules: A,
    sent: [
      { at: 0, blocks: 's:600 a:400' },
      { at: 9, blocks: 's:600 a:400' },
    ],
    tokens: [0, 0, 1000],
    units: 1000,
  },
  // The first was too small to be kept; 1,024 is enough: 1,024 × 1.25
  {
    name: 'Anthropic grown over the minimum',
    rules: A,
    sent: [
      { at: 0, blocks: 's:600 a:400' },
      { at: 9, blocks: 's:600 a:400 b:24' },
    ],
    tokens: [0, 1024, 0],
    units: 1280,
  },
  // s alone is below the minimum, so after a change right behind it nothing is found: 1,900 × 1.25
  {
    name: 'Anthropic with a short system prompt, changed early',
    rules: A,
    sent: [
      { at: 0, blocks: 's:900 a:1000' },
      { at: 9, blocks: 's:900 b:1000' },
    ],
    tokens: [0, 1900, 0],
    units: 2375,
  },
  // Exactly 300 s: still there. 3,000 × .1
  {
    name: 'Anthropic at the end of its life',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 300, blocks: 's:2000 a:1000' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  // 300.001 s: gone. 3,000 × 1.25
  {
    name: 'Anthropic one millisecond over',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 300.001, blocks: 's:2000 a:1000' },
    ],
    tokens: [0, 3000, 0],
    units: 3750,
  },
  // Used at 200, so alive until 500. 3,000 × .1
  {
    name: 'Anthropic refreshed by use',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 200, blocks: 's:2000 a:1000' },
      { at: 500, blocks: 's:2000 a:1000' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  // Without refreshing it died at 300, though it was used at 200. 3,000 × 1.25
  {
    name: 'no refresh by use',
    rules: of('anthropic-5m', { refreshOnHit: false }),
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 200, blocks: 's:2000 a:1000' },
      { at: 301, blocks: 's:2000 a:1000' },
    ],
    tokens: [0, 3000, 0],
    units: 3750,
  },
  // Without refreshing, what the second request wrote is alive until 500: 3,500 × .1
  {
    name: 'no refresh, but a longer prefix was written later',
    rules: of('anthropic-5m', { refreshOnHit: false }),
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 200, blocks: 's:2000 a:1000 b:500' },
      { at: 400, blocks: 's:2000 a:1000 b:500' },
    ],
    tokens: [3500, 0, 0],
    units: 350,
  },
  // 19 new blocks: the end of the first request is the 20th place from the end. 2,000 × .1 + 1,900 × 1.25 = 200 + 2,375; one breakpoint only
  {
    name: 'Anthropic at the edge of the look-back',
    rules: of('anthropic-5m', { writeBreakpoints: 1 }),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: `s:2000 ${many(19)}` },
    ],
    tokens: [2000, 1900, 0],
    units: 2575,
  },
  // 20 new blocks: the 21st place is not looked at. 4,000 × 1.25
  {
    name: 'Anthropic beyond the look-back',
    rules: of('anthropic-5m', { writeBreakpoints: 1 }),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: `s:2000 ${many(20)}` },
    ],
    tokens: [0, 4000, 0],
    units: 5000,
  },
  // The same with the first block marked as well: it is found there. 2,000 × .1 + 2,000 × 1.25
  {
    name: 'Anthropic beyond the look-back, but with a mark on the first block',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: `s:2000 ${many(20)}` },
    ],
    tokens: [2000, 2000, 0],
    units: 2700,
  },
  // One message of 20 content blocks is as far: its own end, then 19 places inside it, and no more. 4,000 × 1.25
  {
    name: 'Anthropic look-back counts content blocks',
    rules: of('anthropic-5m', { writeBreakpoints: 1 }),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: 's:2000 a:2000*20' },
    ],
    tokens: [0, 4000, 0],
    units: 5000,
  },
  // 19 content blocks: found. 2,000 × .1 + 2,000 × 1.25
  {
    name: 'Anthropic look-back within one message',
    rules: of('anthropic-5m', { writeBreakpoints: 1 }),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: 's:2000 a:2000*19' },
    ],
    tokens: [2000, 2000, 0],
    units: 2700,
  },
  // Five marks where four are allowed: the first, on s, is not kept, so a change behind s finds nothing. 6,000 × 1.25
  {
    name: 'Anthropic more breakpoints than allowed',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000 b:1000 c:1000 d:1000', breakpoints: [0, 1, 2, 3, 4] },
      { at: 9, blocks: 's:2000 x:1000 b:1000 c:1000 d:1000' },
    ],
    tokens: [0, 6000, 0],
    units: 7500,
  },
  // Four marks: s is kept. 2,000 × .1 + 4,000 × 1.25
  {
    name: 'Anthropic as many breakpoints as allowed',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000 b:1000 c:1000 d:1000', breakpoints: [0, 2, 3, 4] },
      { at: 9, blocks: 's:2000 x:1000 b:1000 c:1000 d:1000' },
    ],
    tokens: [2000, 4000, 0],
    units: 5200,
  },
  // A mark before the end: what lies behind it is neither. 2,000 × 1.25 + 1,000
  {
    name: 'Anthropic marked before the end',
    rules: A,
    sent: [{ at: 0, blocks: 's:2000 a:1000', breakpoints: [0] }],
    tokens: [0, 2000, 1000],
    units: 3500,
  },
  // No mark at all: 3,000 × 1
  {
    name: 'Anthropic without a mark',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 a:1000', breakpoints: [] },
    ],
    tokens: [0, 0, 3000],
    units: 3000,
  },
  // Another model: 3,000 × 1.25
  {
    name: 'another family',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000', family: 'opus' },
      { at: 9, blocks: 's:2000 a:1000', family: 'haiku' },
    ],
    tokens: [0, 3000, 0],
    units: 3750,
  },
  // And back: the first is still there. 3,000 × .1
  {
    name: 'another family and back',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000', family: 'opus' },
      { at: 9, blocks: 's:2000 a:1000', family: 'haiku' },
      { at: 18, blocks: 's:2000 a:1000', family: 'opus' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  // An aligned summary: 3,000 × .1 + 200 for the instruction + 400 × 5
  {
    name: 'a call that is not kept reads',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 a:1000 i:200', keep: false, outputTokens: 400 },
    ],
    tokens: [3000, 0, 200],
    units: 2500,
  },
  // What it sent was not kept: 3,000 × .1 + 200 × 1.25
  {
    name: 'a call that is not kept leaves nothing',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 a:1000 i:200', keep: false },
      { at: 18, blocks: 's:2000 a:1000 i:200' },
    ],
    tokens: [3000, 200, 0],
    units: 550,
  },
  // But it refreshed what it read: alive until 500. 3,000 × .1
  {
    name: 'a call that is not kept refreshes',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 200, blocks: 's:2000 a:1000 i:200', keep: false },
      { at: 500, blocks: 's:2000 a:1000' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  // Cold and not kept: 3,200 × 1
  {
    name: 'a cold call that is not kept pays the plain price',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 301, blocks: 's:2000 a:1000 i:200', keep: false },
    ],
    tokens: [0, 0, 3200],
    units: 3200,
  },
  // Zero tokens are a block like any other: 3,000 × .1
  {
    name: 'blocks without tokens',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 z:0 a:1000' },
      { at: 9, blocks: 's:2000 z:0 a:1000' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  // And a changed one breaks the prefix behind it: 2,000 × .1 + 1,000 × 1.25
  {
    name: 'a changed block without tokens',
    rules: A,
    sent: [
      { at: 0, blocks: 's:2000 z:0 a:1000' },
      { at: 9, blocks: 's:2000 y:0 a:1000' },
    ],
    tokens: [2000, 1000, 0],
    units: 1450,
  },
  { name: 'nothing at all', rules: A, sent: [{ at: 0, blocks: '' }], tokens: [0, 0, 0], units: 0 },
  // Anthropic, 1 hour: w 2. 3,000 × 2
  {
    name: 'Anthropic 1 h cold',
    rules: A1H,
    sent: [{ at: 0, blocks: 's:2000 a:1000' }],
    tokens: [0, 3000, 0],
    units: 6000,
  },
  // 3,600 s, and one millisecond more
  {
    name: 'Anthropic 1 h after an hour',
    rules: A1H,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 3600, blocks: 's:2000 a:1000' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  {
    name: 'Anthropic 1 h after more than an hour',
    rules: A1H,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 3600.001, blocks: 's:2000 a:1000' },
    ],
    tokens: [0, 3000, 0],
    units: 6000,
  },
  // Opus 5.5, r .05: 3,000 × .05 + 1,000 × 1.25
  {
    name: 'Anthropic Opus 5.5 grown',
    rules: of('anthropic-opus-5.5-5m'),
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 a:1000 b:1000' },
    ],
    tokens: [3000, 1000, 0],
    units: 1400,
  },
  // Fable 5.1, r .025, at least 512: 600 × .025
  {
    name: 'Anthropic Fable 5.1, a small prefix',
    rules: of('anthropic-fable-5.1-5m'),
    sent: [
      { at: 0, blocks: 's:600' },
      { at: 9, blocks: 's:600' },
    ],
    tokens: [600, 0, 0],
    units: 15,
  },
  // Opus 4.5, at least 4,096: 4,000 × 1
  {
    name: 'Anthropic Opus 4.5, below its minimum',
    rules: of('anthropic-opus-4.5-5m'),
    sent: [
      { at: 0, blocks: 's:4000' },
      { at: 9, blocks: 's:4000' },
    ],
    tokens: [0, 0, 4000],
    units: 4000,
  },
  // Haiku 5.5 above 100,000 pays 5 × on all: (100,000 × .1 + 1,000 × 1.25 + 100 × 5) × 5
  {
    name: 'Anthropic Haiku 5.5 over its line',
    rules: of('anthropic-haiku-5.5-5m'),
    sent: [
      { at: 0, blocks: 's:100000' },
      { at: 9, blocks: 's:100000 a:1000', outputTokens: 100 },
    ],
    tokens: [100_000, 1000, 0],
    units: 58_750,
  },
  // On the line, not above: 100,000 × .1
  {
    name: 'Anthropic Haiku 5.5 on its line',
    rules: of('anthropic-haiku-5.5-5m'),
    sent: [
      { at: 0, blocks: 's:100000' },
      { at: 9, blocks: 's:100000' },
    ],
    tokens: [100_000, 0, 0],
    units: 10_000,
  },
  // OpenAI 5.6: r .1, w 1.25, o 6, 30 minutes. 3,000 × 1.25 + 100 × 6
  {
    name: 'OpenAI 5.6 cold',
    rules: O56,
    sent: [{ at: 0, blocks: 's:2000 a:1000', outputTokens: 100 }],
    tokens: [0, 3000, 0],
    units: 4350,
  },
  // No look-back limit: 2,000 × .1 + 3,000 × 1.25
  {
    name: 'OpenAI 5.6 grown by thirty blocks',
    rules: of('openai-5.6', { writeBreakpoints: 1 }),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: `s:2000 ${many(30)}` },
    ],
    tokens: [2000, 3000, 0],
    units: 3950,
  },
  // Nothing marked but the end: the unchanged start is not found. 3,000 × 1.25
  {
    name: 'OpenAI 5.6 changed late without marks',
    rules: of('openai-5.6', { writeBreakpoints: 1 }),
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 b:1000' },
    ],
    tokens: [0, 3000, 0],
    units: 3750,
  },
  // Marked at the start as well: 2,000 × .1 + 1,000 × 1.25
  {
    name: 'OpenAI 5.6 changed late with marks',
    rules: O56,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 b:1000' },
    ],
    tokens: [2000, 1000, 0],
    units: 1450,
  },
  {
    name: 'OpenAI 5.6 after 30 minutes',
    rules: O56,
    sent: [
      { at: 0, blocks: 's:3000' },
      { at: 1800, blocks: 's:3000' },
    ],
    tokens: [3000, 0, 0],
    units: 300,
  },
  {
    name: 'OpenAI 5.6 after more than 30 minutes',
    rules: O56,
    sent: [
      { at: 0, blocks: 's:3000' },
      { at: 1800.001, blocks: 's:3000' },
    ],
    tokens: [0, 3000, 0],
    units: 3750,
  },
  // Above 272,000 input pays 2 ×, output 1.5 ×: (270,000 × .1 + 4,000 × 1.25) × 2 + 1,000 × 6 × 1.5 = 64,000 + 9,000
  {
    name: 'OpenAI 5.6 over the line',
    rules: O56,
    sent: [
      { at: 0, blocks: 's:270000' },
      { at: 9, blocks: 's:270000 a:4000', outputTokens: 1000 },
    ],
    tokens: [270_000, 4000, 0],
    units: 73_000,
  },
  // 272,000 exactly: 270,000 × .1 + 2,000 × 1.25 + 1,000 × 6
  {
    name: 'OpenAI 5.6 on the line',
    rules: O56,
    sent: [
      { at: 0, blocks: 's:270000' },
      { at: 9, blocks: 's:270000 a:2000', outputTokens: 1000 },
    ],
    tokens: [270_000, 2000, 0],
    units: 35_500,
  },
  // OpenAI 5: steps of 128, writing free and so not counted. 3,000 = 23 × 128 + 56: 2,944 × .1 + 556
  {
    name: 'OpenAI 5 in steps of 128',
    rules: O5,
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 9, blocks: 's:2000 a:1000 b:500' },
    ],
    tokens: [2944, 0, 556],
    units: 850.4,
  },
  // 3,000 × 1 + 100 × 8
  {
    name: 'OpenAI 5 cold: written for nothing counts as uncached',
    rules: O5,
    sent: [{ at: 0, blocks: 's:2000 a:1000', outputTokens: 100 }],
    tokens: [0, 0, 3000],
    units: 3800,
  },
  // Every prefix is kept, so a late change keeps all before it: 5,000 = 39 × 128 + 8: 4,992 × .1 + 1,008
  {
    name: 'OpenAI 5 changed late',
    rules: O5,
    sent: [
      { at: 0, blocks: `s:2000 ${many(30)} x:1000` },
      { at: 9, blocks: `s:2000 ${many(30)} y:1000` },
    ],
    tokens: [4992, 0, 1008],
    units: 1507.2,
  },
  // 1,023: one short. 1,023 × 1
  {
    name: 'OpenAI 5 below the minimum',
    rules: O5,
    sent: [
      { at: 0, blocks: 's:1023' },
      { at: 9, blocks: 's:1023' },
    ],
    tokens: [0, 0, 1023],
    units: 1023,
  },
  // 1,024 × .1
  {
    name: 'OpenAI 5 at the minimum',
    rules: O5,
    sent: [
      { at: 0, blocks: 's:1024' },
      { at: 9, blocks: 's:1024' },
    ],
    tokens: [1024, 0, 0],
    units: 102.4,
  },
  // 1,100 are shared, of which 1,024 count: 1,024 × .1 + 976
  {
    name: 'OpenAI 5 rounded down to the minimum',
    rules: O5,
    sent: [
      { at: 0, blocks: 's:1100 a:900' },
      { at: 9, blocks: 's:1100 b:900' },
    ],
    tokens: [1024, 0, 976],
    units: 1078.4,
  },
  // GPT-4.1, r .25: 1,920 = 15 × 128; 1,920 × .25 + 80
  {
    name: 'OpenAI 4.1 warm',
    rules: of('openai-4.1'),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: 's:2000' },
    ],
    tokens: [1920, 0, 80],
    units: 560,
  },
  // GPT-4o, r .5: 1,920 × .5 + 80
  {
    name: 'OpenAI 4o warm',
    rules: of('openai-4o'),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: 's:2000' },
    ],
    tokens: [1920, 0, 80],
    units: 1040,
  },
  // Gemini 3, at least 4,096, taken as certain: 5,000 × .1 + 100 × 6
  {
    name: 'Gemini when hits are certain',
    rules: of('gemini-3', { hitProbability: 1 }),
    sent: [
      { at: 0, blocks: 's:5000' },
      { at: 9, blocks: 's:5000', outputTokens: 100 },
    ],
    tokens: [5000, 0, 0],
    units: 1100,
  },
  {
    name: 'Gemini when hits never come',
    rules: of('gemini-3', { hitProbability: 0 }),
    sent: [
      { at: 0, blocks: 's:5000' },
      { at: 9, blocks: 's:5000' },
    ],
    tokens: [0, 0, 5000],
    units: 5000,
  },
  {
    name: 'Gemini 3 below its minimum',
    rules: of('gemini-3', { hitProbability: 1 }),
    sent: [
      { at: 0, blocks: 's:4000' },
      { at: 9, blocks: 's:4000' },
    ],
    tokens: [0, 0, 4000],
    units: 4000,
  },
  {
    name: 'Gemini 2.5 above its minimum',
    rules: of('gemini-2.5', { hitProbability: 1 }),
    sent: [
      { at: 0, blocks: 's:4000' },
      { at: 9, blocks: 's:4000' },
    ],
    tokens: [4000, 0, 0],
    units: 400,
  },
  // DeepSeek Flash, r .02: the whole earlier request is a prefix. 3,000 × .02 + 500 + 100 × 4
  {
    name: 'DeepSeek grown',
    rules: of('deepseek-flash'),
    sent: [
      { at: 0, blocks: 's:2000 a:1000' },
      { at: 3600, blocks: 's:2000 a:1000 b:500', outputTokens: 100 },
    ],
    tokens: [3000, 0, 500],
    units: 960,
  },
  // Only whole units match: of s, a, b, x only s stands alone. 2,000 × .02 + 1,500
  {
    name: 'DeepSeek changed late',
    rules: of('deepseek-flash'),
    sent: [
      { at: 0, blocks: 's:2000 a:1000 b:500' },
      { at: 9, blocks: 's:2000 a:1000 x:500' },
    ],
    tokens: [2000, 0, 1500],
    units: 1540,
  },
  // Mistral, r .1: 2,000 × .1 + 100
  {
    name: 'Mistral grown',
    rules: of('mistral'),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 9, blocks: 's:2000 a:100' },
    ],
    tokens: [2000, 0, 100],
    units: 300,
  },
  // xAI above 200,000 pays 2 ×: (200,000 × .25 + 1,000 + 100 × 3) × 2
  {
    name: 'xAI over the line',
    rules: of('xai-4'),
    sent: [
      { at: 0, blocks: 's:200000' },
      { at: 9, blocks: 's:200000 a:1000', outputTokens: 100 },
    ],
    tokens: [200_000, 0, 1000],
    units: 102_600,
  },
  {
    name: 'no cache',
    rules: of('none'),
    sent: [
      { at: 0, blocks: 's:2000' },
      { at: 0, blocks: 's:2000', outputTokens: 10 },
    ],
    tokens: [0, 0, 2000],
    units: 2050,
  },
];

function billLast(rules: CacheRules, sent: readonly Sent[]): Bill {
  const cache = createCache(rules);
  const bills = sent.map(({ at, blocks: text, ...details }) =>
    cache.request(blocks(text), { outputTokens: 0, ...details, at: at * 1000 }),
  );
  return bills.at(-1)!;
}

describe('a cache', () => {
  test('has been computed by hand in at least forty cases', () => expect(CASES.length).toBeGreaterThanOrEqual(40));

  test.each(CASES)('$name', ({ rules, sent, tokens, units }) => {
    const bill = billLast(rules, sent);
    expect([bill.read, bill.write, bill.uncached]).toEqual(tokens);
    expect((bill.usd * 1e6) / rules.usdPerMillionInput).toBeCloseTo(units, 6);
  });

  test('hits as often as its provider does, the same for the same seed', () => {
    const rules = of('gemini-3', { hitProbability: 0.8 });
    const run = (): readonly number[] => {
      const cache = createCache(rules);
      return Array.from({ length: 2000 }, (_, at) => cache.request(blocks('s:5000'), { at, outputTokens: 0 }).read);
    };
    const hits = run().filter((read) => read > 0).length;
    expect(hits).toBeGreaterThan(1540);
    expect(hits).toBeLessThan(1660);
    expect(run()).toEqual(run());
  });

  test('refuses a breakpoint that is no block', () => {
    const send = (): Bill => createCache(A).request(blocks('s:2000'), { at: 0, outputTokens: 0, breakpoints: [1] });
    expect(send).toThrow('Expected `breakpoints` to be indexes of 1 blocks, got `1`');
  });

  test('finds the same whatever else it was asked in between', () => {
    const cache = createCache(O5);
    for (let index = 0; index < 60; index++) {
      const own = Array.from({ length: 1000 }, (_, at) => ({ id: `${index}-${at}`, tokens: 10 }));
      cache.request(own, { at: index * 20_000, outputTokens: 0 });
    }
    // Of sixty thousand prefixes those of the last five minutes are left, and still found.
    const own = Array.from({ length: 1000 }, (_, at) => ({ id: `50-${at}`, tokens: 10 }));
    expect(cache.request(own, { at: 60 * 20_000, outputTokens: 0 }).read).toBe(9984);
    const old = Array.from({ length: 1000 }, (_, at) => ({ id: `5-${at}`, tokens: 10 }));
    expect(cache.request(old, { at: 60 * 20_000, outputTokens: 0 }).read).toBe(0);
  });

  test('takes time in proportion to the blocks of a request', async () => {
    const time = (length: number): Promise<number> => {
      const cache = createCache(A);
      const all = Array.from({ length }, (_, index) => ({ id: `b${index}`, tokens: 100 }));
      return cpuMsOf(() => {
        for (let at = 0; at < 200; at++) cache.request(all, { at, outputTokens: 0 });
      });
    };
    await time(2000);
    const least = Math.max(await time(1000), 1);
    // Eight times the blocks; quadratic work would be 64 times as much.
    expect(await time(8000)).toBeLessThan(32 * least);
  });
});
