import { decodeBase64 } from './base64.ts';
import { before, endOf, NOTHING, type Rule, startsToken } from './scan.ts';

// A run without two dots is read to its end in vain. Runs are entered only at their start, which keeps the time linear.
const JWT_BODY = /[\w-]{8,}\.(?:eyJ[\w-]{8,}\.[\w-]*|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/y;

export const jwtRule: Rule = {
  anchors: ['eyJ'],
  find: (place) => {
    const { text, at, after, floor } = place;
    if (!startsToken(place) || (at > floor && /[_-]/.test(text.charAt(at - 1)))) return NOTHING;
    const end = endOf(JWT_BODY, text, after);
    return end < 0 ? NOTHING : [{ kind: 'JWT', start: at, end }];
  },
};

// Private keys, which go over many lines

const PEM_LABEL = /(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const PEM_END = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const PEM_LINE = /(?:\s|\\{1,4}[nr]){0,80}[A-Za-z0-9+/]{32,}={0,2}/y;
const PEM_LAST_LINE = /(?:\s|\\{1,4}[nr]){0,80}[A-Za-z0-9+/]{1,31}={0,2}\s{0,80}$/y;
const PEM_HEADER_LINE = /(?:\s|\\{1,4}[nr]){0,80}[A-Z][A-Za-z-]{2,30}: [^\n\\]{0,200}/y;
const KEY_MATERIAL = /[A-Za-z0-9+/]{24,}/;
/** No private key is longer: 16384 bits of RSA take 13 000 characters. */
const LONGEST_PEM = 20_000;

export const pemRule: Rule = {
  anchors: ['-----BEGIN '],
  find: (place) => {
    const { text, at, after, memory } = place;
    const body = endOf(PEM_LABEL, text, after);
    if (body < 0) return NOTHING;
    const kind = /private_key\\*["']\s?:\s?\\*["']$/.test(before(place, 40))
      ? 'GCP service-account key'
      : 'private key';
    if (memory.nextPemEnd < body) {
      const next = text.indexOf('-----END ', body);
      memory.nextPemEnd = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    const last = memory.nextPemEnd;
    const nextStart = text.indexOf('-----BEGIN ', body);
    if (last - body <= LONGEST_PEM && (nextStart < 0 || nextStart > last)) {
      const end = endOf(PEM_END, text, last);
      if (end >= 0 && KEY_MATERIAL.test(text.slice(body, last))) return [{ kind, start: at, end }];
    }
    // Tool output is often cut off: take the lines that are there.
    const end = keyLinesEnd(text, body);
    return end < 0 ? NOTHING : [{ kind, start: at, end }];
  },
};

function keyLinesEnd(text: string, from: number): number {
  let at = from;
  for (let header = 0; header < 4; header++) {
    const next = endOf(PEM_HEADER_LINE, text, at);
    if (next < 0) break;
    at = next;
  }
  let end = -1;
  for (let next = endOf(PEM_LINE, text, at); next >= 0; next = endOf(PEM_LINE, text, next)) end = next;
  if (end < 0) return -1;
  return Math.max(end, endOf(PEM_LAST_LINE, text, end));
}

const PUTTY_COUNT = / \d{1,3}/y;

export const puttyRule: Rule = {
  anchors: ['Private-Lines:'],
  find: ({ text, after }) => {
    const start = endOf(PUTTY_COUNT, text, after);
    const end = start < 0 ? -1 : keyLinesEnd(text, start);
    return end < 0 ? NOTHING : [{ kind: 'private key', start, end }];
  },
};

const BASE64_RUN = /[A-Za-z0-9+/]{24,}={0,2}/y;

/** The base64 of a private key, as in a kubeconfig (`client-key-data`) or a Kubernetes secret. */
export const encodedPemRule: Rule = {
  anchors: ['LS0tLS1CRUdJTi'],
  find: (place) => {
    const { text, at, after } = place;
    if (!startsToken(place)) return NOTHING;
    const end = endOf(BASE64_RUN, text, after);
    if (end < 0 || !decodeBase64(text.slice(at, at + 80)).includes('PRIVATE KEY')) return NOTHING;
    return [{ kind: 'private key', start: at, end }];
  },
};
