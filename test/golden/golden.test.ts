/**
 * What people see, word for word. `UPDATE_GOLDEN=1 npx vitest run test/golden` writes the files anew; the difference in version
 * control is then the review.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readSession } from '../../src/sessions/index.ts';
import { fixture, precis } from '../cli/fake-world.ts';
import { plantedItems, plantedSession } from '../scrub/planted.ts';
import { renderView } from './render-view.ts';

const folder = fileURLToPath(new URL('./files/', import.meta.url));
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

function expectGolden(name: string, text: string): void {
  const path = `${folder}${name}`;
  if (isUpdate) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
  }
  expect(text, `${name} differs; if that is meant, run UPDATE_GOLDEN=1 npx vitest run test/golden`).toBe(
    readFileSync(path, 'utf8'),
  );
}

/** The words and columns alone: figures and bars of a real session change with every weight of the engine. */
function layoutOf(text: string): string {
  return text.replaceAll(/\d/g, '0').replaceAll(/[█░]+/g, '█');
}

const garden = fileURLToPath(new URL('./garden.json', import.meta.url));
const TARGET = '1100';

describe('golden', () => {
  test.each([
    ['help.txt', ['--help']],
    ['help-compact.txt', ['compact', '--help']],
    ['help-show.txt', ['show', '--help']],
    ['help-convert.txt', ['convert', '--help']],
    ['help-scrub.txt', ['scrub', '--help']],
    ['help-eval.txt', ['eval', '--help']],
    ['help-noise.txt', ['noise', '--help']],
    ['help-compare.txt', ['compare', '--help']],
    ['help-report.txt', ['report', '--help']],
    ['help-calibrate.txt', ['calibrate', '--help']],
    ['help-replay.txt', ['replay', '--help']],
    ['help-probes.txt', ['probes', '--help']],
  ])('%s', async (name, args) => {
    expectGolden(name, (await precis(args)).out);
  });

  test('receipt-garden.txt', async () => {
    const session = { 'garden.json': readFileSync(garden, 'utf8') };
    const { out, err } = await precis(['compact', 'garden.json', '--target', TARGET], { files: session });
    expect(err).toBe('');
    expectGolden('receipt-garden.txt', out);
  });

  test('receipt-flight-change.txt', async () => {
    const session = { 'session.json': readFileSync(fixture('flight-change/session.json'), 'utf8') };
    const { out, err } = await precis(['compact', 'session.json', '--target', '3000'], { files: session });
    expect(err).toBe('');
    expectGolden('receipt-flight-change.txt', layoutOf(out));
  });

  test('report-scrub.txt', async () => {
    const session = { 'planted.json': JSON.stringify(plantedSession(plantedItems(1))) };
    const { out, err } = await precis(['scrub', 'planted.json', '--report'], { files: session });
    expect(err).toBe('');
    expectGolden('report-scrub.txt', out);
  });

  test('the view of a small session before and after', async () => {
    const text = readFileSync(garden, 'utf8');
    expectGolden(
      'view-garden-before.txt',
      renderView(readSession(text, { name: 'garden.json' }).conversation.messages),
    );
    const { out } = await precis(['compact', garden, '--target', TARGET, '--out', '-']);
    expectGolden('view-garden-after.txt', renderView(readSession(out, { name: 'after' }).conversation.messages));
  });
});
