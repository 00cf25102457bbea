export type { SessionDocument, SessionSource } from './document.ts';
export { type FindOptions, type FoundSession, findSessions } from './find.ts';
export { type OpenOptions, openSessionFile, readSessionText, sessionName } from './open.ts';
export { readSessionBytes, type StreamOptions } from './read-bytes.ts';
export { type ReadOptions, readSession } from './read-text.ts';
export {
  type DatabaseReader,
  type ListedSession,
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
