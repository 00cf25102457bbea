import type { Request, Section } from './flags.ts';

type Print = (line: string) => void;

/** Sections other than the speed suite. Each loads its own modules, so unused sections cost nothing. */
export const sections: Readonly<Record<Section, (print: Print, request: Request) => Promise<void>>> = {
  survival: async (print) => {
    const { survival } = await import('./survival.ts');
    print('Facts of the shipped sessions that are literally in the view, without a model');
    for (const { arm, target, passes, kept, facts } of await survival())
      print(
        `  ${arm.padEnd(16)} target ${String(target).padStart(2)} %  passes ${passes}  ${kept} of ${facts} (${percent(kept, facts)})`,
      );
  },

  'long-life': async (print) => {
    const { longLife } = await import('./context.ts');
    const life = await longLife(2_000);
    print('A very long session in a living context');
    print(
      `  ${whole(life.turns)} turns in a window of 24,000: ${life.compactions} compactions, each to ${life.firstRatio.toFixed(2)} of the size at first and ` +
        `${life.lastRatio.toFixed(2)} at the end, handoffs of ${whole(life.firstHandoff)} and ${whole(life.lastHandoff)} tokens, ${life.rulesKept} of ${life.rules} rules in the view, ` +
        `heap ${life.heapMb.join(' ')} MB, ${(life.ms / 1_000).toFixed(0)} s`,
    );
  },

  'store-arms': async (print) => {
    const { storeFigures } = await import('./store.ts');
    const { tokens, messages, chunks, jsonBytes, rows } = await storeFigures(1_000_000);
    print(
      `SQLite store: ${whole(tokens)} tokens in ${whole(messages)} messages and ${whole(chunks)} chunks, ${megabytes(jsonBytes)} as JSON`,
    );
    for (const row of rows)
      print(
        `  ${row.arm.padEnd(16)} ${row.commitsPerSecond.toFixed(0).padStart(5)} commits/s (${row.commitRatio.toFixed(1)} × an append with fsync), ` +
          `load ${ms(row.loadMs)} (${row.loadRatio.toFixed(1)} × JSON.parse), search ${row.searchMs.toFixed(1)} ms, ` +
          `file ${megabytes(row.fileBytes)} (${row.sizeRatio.toFixed(2)} × JSON)`,
      );
  },

  scrub: async (print) => {
    const { printScrub } = await import('./scrub.ts');
    print('Scrubbing');
    printScrub(print);
  },

  readers: async (print) => {
    const { readersOf } = await import('./readers.ts');
    print('Reading Claude Code logs made for this test');
    for (const { what, bytes, tokens, messages, readMs, peakBytes } of readersOf())
      print(
        `  ${what.padEnd(20)} ${megabytes(bytes)}, ${whole(tokens).padStart(9)} tokens, ${whole(messages).padStart(6)} messages: ${ms(readMs)}, ` +
          `${megabytes(peakBytes)} of memory`,
      );
  },

  crash: async (print, { kills }) => {
    const { killWriters } = await import('../test/crash/kill.ts');
    const { killContexts } = await import('../test/crash/kill-context.ts');
    const started = performance.now();
    const { during, wholeBatches, absentBatches, acknowledged } = await killWriters(kills);
    print(`${kills} writers killed in ${((performance.now() - started) / 1_000).toFixed(0)} s; every file is intact`);
    const times = Object.entries(during).map(([what, count]) => `${what} ${count}`);
    print(`  during ${times.join(', ')}`);
    print(
      `  all ${acknowledged} acknowledged batches are there; of those in progress, ${wholeBatches} are complete, ${absentBatches} absent, 0 partial`,
    );
    const contexts = await killContexts(kills);
    print(
      `${kills} agents killed in the middle of a step: ${contexts.before} contexts are as before it, ${contexts.after} as after it; ${whole(contexts.refs)} refs resolved`,
    );
  },
};

function ms(value: number): string {
  return `${value.toFixed(0).padStart(5)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function whole(value: number): string {
  return value.toLocaleString('en-US');
}

function percent(part: number, of: number): string {
  return `${((100 * part) / of).toFixed(0)} %`;
}
