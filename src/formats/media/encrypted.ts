import { base64Bytes } from './data-url.ts';

/** Size of the encrypted forms of a thought, as a field for its part; nothing when there are none. Servers write base64. */
export function encryptedBytes(...values: readonly unknown[]): { readonly encrypted?: number } {
  const size = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? base64Bytes(value) : 0), 0);
  return size === 0 ? {} : { encrypted: size };
}
