import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends a test run with one plain line, `412 passed, 0 failed, 3 skipped`, for people and programs that read the end of a
 * log. A file that cannot be loaded and an error outside of any test count as failures: neither has tests to show.
 */
export default class ClosingLineReporter implements Reporter {
  private line: string | null = null;

  onInit(): void {
    // After the summaries of the other reporters, whatever their order.
    process.once('exit', () => {
      if (this.line !== null) process.stdout.write(`\n${this.line}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      if (module.errors().length > 0) failed++;
      for (const test of tests) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
    }
    this.line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}
