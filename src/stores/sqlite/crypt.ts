import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from 'node:crypto';
import { bytesOf, type Cell, fromCell, textOf, toCell } from './cell.ts';
import { storeError } from './failure.ts';

/** How texts are written and found again: as they are, or encrypted. */
export interface Seal {
  /** `place` is bound to what is written: at another place it cannot be read. */
  write(text: string, place: string): Cell;
  read(cell: Cell, place: string): string;
  /** What a text is known by, SHA-256. */
  hash(text: string): Buffer;
  /** A word for the index: letters, digits and `_` only, and another one for every word. */
  word(word: string): string;
}

/** Longer words would be cut by the index. */
const MAX_WORD = 500;
const PLAIN_WORD = /^(?!_x)[0-9a-z_\u0080-\u{10ffff}]+$/u;

export const plainSeal: Seal = {
  write: toCell,
  read: fromCell,
  hash: (text) => createHash('sha256').update(bytesOf(text)).digest(),
  word: (word) => {
    if (word.length <= MAX_WORD && PLAIN_WORD.test(word) && word.isWellFormed()) return word;
    // The index folds capitals and splits at signs; a hash has neither. The prefix keeps it apart from words that look like one.
    return `_x${createHash('sha256').update(bytesOf(word)).digest('hex').slice(0, 32)}`;
  },
};

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const SALT_BYTES = 16;
/** A tenth of a second and 32 MB for every guess; once for each store that is opened. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };
/** Enough that two words of one file never meet. */
const WORD_DIGITS = 20;

/** AES-256-GCM with keys derived from a secret; one key for one purpose. */
export async function encryptedSeal(file: string, secret: string, salt: Uint8Array): Promise<Seal> {
  const keys = await derive(secret, salt);
  const [textKey, hashKey, wordKey] = [0, 1, 2].map((n) => keys.subarray(n * KEY_BYTES, (n + 1) * KEY_BYTES));
  if (textKey === undefined || hashKey === undefined || wordKey === undefined) throw new TypeError('too few keys');
  return {
    write(text, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, textKey, iv).setAAD(Buffer.from(place));
      const body = [cipher.update(bytesOf(text)), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...body]);
    },
    read(cell, place) {
      try {
        if (typeof cell === 'string') throw new TypeError('Expected bytes');
        const tag = cell.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
        const decipher = createDecipheriv(CIPHER, textKey, cell.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
        const body = [decipher.update(cell.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
        return textOf(Buffer.concat(body));
      } catch (error) {
        throw storeError(file, `is damaged or was changed by somebody without the key: ${place}`, { place }, error);
      }
    },
    hash: (text) => createHmac('sha256', hashKey).update(bytesOf(text)).digest(),
    word: (word) => createHmac('sha256', wordKey).update(bytesOf(word)).digest('hex').slice(0, WORD_DIGITS),
  };
}

function derive(secret: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize('NFC'), salt, 3 * KEY_BYTES, SCRYPT, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
