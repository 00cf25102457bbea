import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from 'node:crypto';
import { type Cell, fromBytes, fromCell, toBytes, toCell } from './cell.ts';
import { storeError } from './failure.ts';

/** Writes texts and reads them again: plain or encrypted. */
export interface Seal {
  /** Binds the text to `place`: at another place it cannot be read. */
  write(text: string, place: string): Cell;
  read(cell: Cell, place: string): string;
  /** SHA-256 that identifies a text, keyed when encrypted. */
  hash(text: string): Buffer;
  /** A word for the index, unique for every word: letters, digits and `_` only. */
  word(word: string): string;
}

/** The index would cut longer words. */
const MAX_WORD = 500;
const PLAIN_WORD = /^(?!_x)[0-9a-z_\u0080-\u{10ffff}]+$/u;

export const plainSeal: Seal = {
  write: toCell,
  read: fromCell,
  hash: (text) => createHash('sha256').update(toBytes(text)).digest(),
  word: (word) => {
    if (word.length <= MAX_WORD && PLAIN_WORD.test(word) && word.isWellFormed()) return word;
    // The index folds capitals and splits at punctuation; a hash has neither. The prefix tells it from words that look like one.
    return `_x${createHash('sha256').update(toBytes(word)).digest('hex').slice(0, 32)}`;
  },
};

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const SALT_BYTES = 16;
/** A guess costs a tenth of a second and 32 MB; opening a store costs it once. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };
/** Enough digits that two words of one file never collide. */
const WORD_DIGITS = 20;

/** AES-256-GCM with keys derived from a secret, one key per purpose. */
export async function encryptedSeal(file: string, secret: string, salt: Uint8Array): Promise<Seal> {
  const keys = await derive(secret, salt);
  const [textKey, hashKey, wordKey] = [0, 1, 2].map((n) => keys.subarray(n * KEY_BYTES, (n + 1) * KEY_BYTES));
  if (textKey === undefined || hashKey === undefined || wordKey === undefined) throw new TypeError('too few keys');
  return {
    write(text, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, textKey, iv).setAAD(Buffer.from(place));
      const body = [cipher.update(toBytes(text)), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...body]);
    },
    read(cell, place) {
      try {
        if (typeof cell === 'string') throw new TypeError('Expected bytes');
        const tag = cell.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
        const decipher = createDecipheriv(CIPHER, textKey, cell.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
        const body = [decipher.update(cell.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
        return fromBytes(Buffer.concat(body));
      } catch (error) {
        throw storeError(file, `is damaged or was changed by somebody without the key: ${place}`, {
          place,
          cause: error,
        });
      }
    },
    hash: (text) => createHmac('sha256', hashKey).update(toBytes(text)).digest(),
    word: (word) => createHmac('sha256', wordKey).update(toBytes(word)).digest('hex').slice(0, WORD_DIGITS),
  };
}

function derive(secret: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize('NFC'), salt, 3 * KEY_BYTES, SCRYPT, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
