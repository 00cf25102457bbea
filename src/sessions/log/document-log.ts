import type { LogCollector, SessionLog } from '../reader.ts';

/** Collects a log that is one JSON document. */
export function collectDocument(read: (document: unknown) => SessionLog): LogCollector {
  let document: unknown = null;
  return {
    add: (value) => {
      document = value;
    },
    end: () => read(document),
  };
}
