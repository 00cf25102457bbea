/** What is known about the battery session: what its user demanded, and what became of every file. */

export const FILE_STATES = ['created', 'edited', 'moved', 'deleted'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** A file and what had become of it at the end of the session. */
export interface FileTruth {
  /** Where it is at the end, or where it was before it went. */
  readonly path: string;
  readonly state: FileState;
  /** Whether a command brought it there, and no tool for files. */
  readonly byShell: boolean;
}

/** In the order in which the session says them, the first two in the task. */
export const CONSTRAINTS: readonly string[] = [
  'Never edit anything under migrations/applied/',
  'Do not add a dependency',
  'Only use integer cents for money',
  'Never log the name or the e-mail address of a passenger',
  'Do not change the shape of GET /v2/quotes',
  'Only run tests with npm run test:unit',
  'Never drop the column fare_band before release 31',
];

export const FILES: readonly FileTruth[] = [
  { path: 'src/tariff/zones.ts', state: 'created', byShell: false },
  { path: 'src/tariff/rounding.ts', state: 'created', byShell: false },
  { path: 'src/tariff/zone-table.ts', state: 'created', byShell: false },
  { path: 'test/tariff/zones.test.ts', state: 'created', byShell: false },
  { path: 'docs/tariffs.md', state: 'created', byShell: false },
  { path: 'src/quotes/quote-service.ts', state: 'edited', byShell: false },
  { path: 'src/quotes/discounts.ts', state: 'edited', byShell: false },
  { path: 'src/http/quotes-controller.ts', state: 'edited', byShell: false },
  { path: 'test/quotes/group-quotes.test.ts', state: 'edited', byShell: false },
  { path: 'src/config/flags.ts', state: 'edited', byShell: false },
  { path: 'config/tariff.production.json', state: 'created', byShell: true },
  { path: 'scripts/backfill-zones.sh', state: 'created', byShell: true },
  { path: 'test/fixtures/zone-matrix.json', state: 'created', byShell: true },
  { path: 'migrations/pending/0148_add_zone.sql', state: 'created', byShell: true },
  { path: 'config/routes.yaml', state: 'edited', byShell: true },
  { path: '.env.sample', state: 'edited', byShell: true },
  { path: 'src/db/quote-repository.ts', state: 'edited', byShell: true },
  { path: 'tsconfig.build.json', state: 'edited', byShell: true },
  { path: 'scripts/nightly/refresh-fares.sh', state: 'edited', byShell: true },
  { path: 'src/tariff/legacy-route-fares.ts', state: 'moved', byShell: true },
  { path: 'docs/archive/pricing-2025.md', state: 'moved', byShell: true },
  { path: 'src/cli/print-tariff.ts', state: 'moved', byShell: true },
  { path: 'test/fixtures/fares-2019.json', state: 'deleted', byShell: true },
  { path: 'src/pricing/seasonal.ts', state: 'deleted', byShell: true },
  // Both were changed or made by a tool before: the last word counts.
  { path: 'src/pricing/surcharge.ts', state: 'deleted', byShell: true },
  { path: 'src/http/fare-preview.ts', state: 'deleted', byShell: true },
];

/** Decisions, errors and values that the session says once. */
export const WORK: readonly { readonly kind: string; readonly needle: string }[] = [
  { kind: 'decision', needle: 'half a cent goes to the even cent, per leg and not per trip' },
  { kind: 'decision', needle: 'the harbour with the higher zone number decides the price' },
  { kind: 'decision', needle: 'the flag stays off for partner API keys' },
  { kind: 'cause', needle: 'the cache key left out the sailing date' },
  { kind: 'error', needle: "TypeError: Cannot read properties of undefined (reading 'zoneOf')" },
  { kind: 'error', needle: 'AssertionError: expected 4180 to be 4185' },
  { kind: 'value', needle: '4,185 cents' },
  { kind: 'value', needle: 'tariff_zones_v3' },
  { kind: 'value', needle: 'port 8437' },
  { kind: 'value', needle: 'commit 7be41c9' },
  { kind: 'todo', needle: 'the price of a bicycle on the night ferry is still open' },
];
