export { type ReadOptions, readSession, type SessionDocument } from './generic.ts';
export { type OpenOptions, openSessionFile, readSessionText, sessionName } from './open.ts';
