import { CHECKED_LENGTH, isStandIn } from './scan.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Written here because core uses no platform functions. It only decodes short pieces. */
export function decodeBase64(encoded: string): string {
  let decoded = '';
  let bits = 0;
  let held = 0;
  for (const character of encoded) {
    const value = BASE64.indexOf(character);
    if (value < 0) break;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded += String.fromCharCode((held >> bits) & 0xff);
  }
  return decoded;
}

/** `user:password` in base64: a word such as `authentication` decodes to something that cannot be typed. */
export function isEncodedLogin(encoded: string): boolean {
  const decoded = decodeBase64(encoded.slice(0, CHECKED_LENGTH));
  return /^[\x20-\x7e]*:[\x20-\x7e]{3,}$/.test(decoded) && !isStandIn(decoded);
}
