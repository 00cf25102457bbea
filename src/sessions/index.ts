export type { SessionDocument, SessionSource } from './document.ts';
export { type FindOptions, type FoundSession, findSessions } from './find.ts';
export { type ReadOptions, readSession } from './generic.ts';
export { type OpenOptions, openSessionFile, readSessionText, sessionName } from './open.ts';
export {
  type DatabaseReader,
  type LogCollector,
  type LogMessage,
  type MessageRecord,
  noteText,
  type ReaderOptions,
  type SessionDatabase,
  type SessionHead,
  type SessionLog,
  type SessionMeta,
  type SessionNote,
  type SessionReader,
  type SessionUsage,
} from './reader.ts';
export { readers } from './readers.ts';
export { readSessionBytes, type StreamOptions } from './stream.ts';
