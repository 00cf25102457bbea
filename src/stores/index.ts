/** `precis/sqlite`: a store in one SQLite file. `node:sqlite` is loaded when a file is opened, not on import. */
export { type Collected, type GcOptions, type GcReport, gc } from './sqlite/gc.ts';
export type { SqliteOptions } from './sqlite/options.ts';
export { type SqliteStore, sqliteStore } from './sqlite/store.ts';
