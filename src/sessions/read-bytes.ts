import { badFile } from './bad-file.ts';
import type { SessionDocument } from './document.ts';
import { HEAD_LINES, LineLog, parseLine, readerOfLines } from './line-log.ts';
import { type ReadOptions, readSession } from './read-text.ts';
import { checkBytes, textOfBytes } from './utf8.ts';

/** The longest string in V8 is 24 bytes short of 512 MiB. Only a log of lines may be larger. */
const MAX_BYTES = 0x1fff_ffe8;
/** Bytes kept while the agent is unknown; more when not even the first line has ended. */
const MAX_HEAD = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** How to read a session from a stream. */
export interface StreamOptions extends ReadOptions {
  /** Size of the whole input in bytes. A known size lets a file that is too large fail at once. @default unknown */
  readonly bytes?: number;
}

/** Reads a session from a stream of bytes. It reads a log line by line and never holds the whole; anything else is collected and read as one text. */
export async function readSessionBytes(
  chunks: AsyncIterable<Uint8Array>,
  options: StreamOptions,
): Promise<SessionDocument> {
  const source = chunks[Symbol.asyncIterator]();
  const head = await readHead(source);
  const log = options.format === undefined ? startLog(head, options) : null;
  if (log !== null) return readLog(log, head, { source, options });
  checkBytes(concatenate(head.held), options.name);
  return readSession(textOfBytes(await readAll(head, source, options), options.name), options);
}

type Source = AsyncIterator<Uint8Array>;

interface Head {
  /** The bytes so far. */
  readonly held: Uint8Array[];
  /** The lines in `held`; the last may be incomplete. */
  readonly lines: Uint8Array[];
  readonly isWhole: boolean;
  readonly splitter: LineSplitter;
}

/** Reads enough lines to recognise the agent, or everything when there is less. */
async function readHead(source: Source): Promise<Head> {
  const splitter = new LineSplitter();
  const held: Uint8Array[] = [];
  const lines: Uint8Array[] = [];
  let size = 0;
  while (lines.length < HEAD_LINES && (size < MAX_HEAD || lines.length === 0) && size <= MAX_BYTES) {
    const { value, done } = await source.next();
    if (done === true) return { held, lines: [...lines, ...splitter.end()], isWhole: true, splitter };
    held.push(value);
    size += value.length;
    lines.push(...splitter.push(value));
  }
  return { held, lines, isWhole: false, splitter };
}

function startLog({ lines }: Head, options: StreamOptions): LineLog | null {
  const head = lines.slice(0, HEAD_LINES).map((bytes, index) => parseLine(textOfLine(bytes).text, index + 1));
  const first = lines.map((bytes) => textOfLine(bytes).text).find((text) => text.trim() !== '');
  const reader = readerOfLines(
    head.filter((line) => line !== null),
    first ?? '',
  );
  return reader === null ? null : new LineLog(reader, options);
}

interface Rest {
  readonly source: Source;
  readonly options: StreamOptions;
}

async function readLog(
  log: LineLog,
  { held, lines, isWhole, splitter }: Head,
  { source, options }: Rest,
): Promise<SessionDocument> {
  held.length = 0;
  let number = 0;
  const add = (bytes: Uint8Array): void => {
    number += 1;
    if (bytes.length > MAX_BYTES) {
      log.note(number, 'longer than 512 MiB, left out');
      return;
    }
    const { text, isBroken } = textOfLine(bytes);
    const line = parseLine(text, number);
    if (isBroken) log.note(number, 'bytes that are not UTF-8 were replaced');
    if (line !== null) log.add(line);
  };
  for (const line of lines.splice(0)) add(line);
  while (!isWhole) {
    const { value, done } = await source.next();
    for (const line of done === true ? splitter.end() : splitter.push(value)) add(line);
    if (done === true) break;
  }
  return log.end(options.name);
}

async function readAll(
  { held, isWhole }: Head,
  source: Source,
  { name, bytes = 0 }: StreamOptions,
): Promise<Uint8Array> {
  if (bytes > MAX_BYTES) throw tooLarge(name, bytes);
  let size = held.reduce((sum, chunk) => sum + chunk.length, 0);
  while (!isWhole) {
    if (size > MAX_BYTES) throw tooLarge(name, size);
    const { value, done } = await source.next();
    if (done === true) break;
    held.push(value);
    size += value.length;
  }
  return concatenate(held);
}

function tooLarge(name: string, size: number): Error {
  const megabytes = Math.ceil(size / 1_048_576);
  return badFile(name, `expected a file below 512 MiB, or a log of lines, got at least ${megabytes} MiB`);
}

/** Cuts bytes at line ends. In UTF-8 a newline byte is never part of another character. */
class LineSplitter {
  #open: Uint8Array[] = [];

  push(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#open.push(chunk.subarray(from, at));
      lines.push(concatenate(this.#open));
      this.#open = [];
      from = at + 1;
    }
    if (from < chunk.length) this.#open.push(chunk.subarray(from));
    return lines;
  }

  /** The last line, if it has no line end. */
  end(): Uint8Array[] {
    const rest = this.#open;
    this.#open = [];
    return rest.length === 0 ? [] : [concatenate(rest)];
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true });
const LENIENT = new TextDecoder('utf-8');

function textOfLine(bytes: Uint8Array): { readonly text: string; readonly isBroken: boolean } {
  try {
    return { text: STRICT.decode(bytes), isBroken: false };
  } catch {
    return { text: LENIENT.decode(bytes), isBroken: true };
  }
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
