export { type ReadOptions, readSession, type SessionDocument } from './generic.ts';
export { type OpenOptions, openSessionFile } from './open.ts';
