import { isCode, isGenerated } from './assignments.ts';
import { isEncodedLogin } from './base64.ts';
import { CHECKED_LENGTH, endOf, isStandIn, NOTHING, type Rule, type Span } from './scan.ts';

// Headers

const BEARER_VALUE = /[ \t]{1,4}[A-Za-z0-9._~+/-]{16,}={0,2}/y;
const BASIC_VALUE = /[ \t]{1,4}[A-Za-z0-9+/]{8,}={0,2}/y;

export const bearerRule: Rule = {
  anchors: ['Bearer', 'bearer', 'BEARER'],
  find: ({ text, after }) => {
    const end = endOf(BEARER_VALUE, text, after);
    if (end < 0) return NOTHING;
    const start = after + lengthOfBlanks(text, after);
    const value = text.slice(start, Math.min(end, start + CHECKED_LENGTH));
    return isGenerated(value, 16) ? [{ kind: 'bearer token', start, end }] : NOTHING;
  },
};

export const basicRule: Rule = {
  anchors: ['Basic', 'basic'],
  find: ({ text, after }) => {
    const end = endOf(BASIC_VALUE, text, after);
    if (end < 0) return NOTHING;
    const start = after + lengthOfBlanks(text, after);
    return isEncodedLogin(text.slice(start, end)) ? [{ kind: 'basic authorization', start, end }] : NOTHING;
  },
};

const AUTHORIZATION =
  /\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'`]?(?:token|Token|Bot|ApiKey|Api-Key|Key|SSWS)?[ \t]{0,4}/y;
const HEADER_VALUE = /[A-Za-z0-9._~+/-]{16,}={0,2}/y;

/** Schemes other than the two above, or no scheme: `Authorization: token …`. */
export const authorizationRule: Rule = {
  anchors: ['Authorization', 'authorization', 'AUTHORIZATION'],
  find: ({ text, after }) => {
    const start = endOf(AUTHORIZATION, text, after);
    const end = start < 0 ? -1 : endOf(HEADER_VALUE, text, start);
    if (end < 0 || !isGenerated(text.slice(start, Math.min(end, start + CHECKED_LENGTH)), 16)) return NOTHING;
    return [{ kind: 'authorization', start, end }];
  },
};

function lengthOfBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++;
  return at - from;
}

const COOKIE_START = /\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'`]?/y;
const COOKIE_PAIR = /([A-Za-z0-9_.$-]{1,80})=([^\s;"'`\\,]{0,4096})(?:;[ \t]{0,4})?/y;
const COOKIE_NAME = /sess|auth|token|sid$|jwt|login|remember|csrf|xsrf/i;
const MOST_COOKIES = 60;

export const cookieRule: Rule = {
  anchors: ['Cookie', 'cookie', 'COOKIE'],
  find: ({ text, after }) => {
    let at = endOf(COOKIE_START, text, after);
    if (at < 0) return NOTHING;
    const spans: Span[] = [];
    for (let count = 0; count < MOST_COOKIES; count++) {
      COOKIE_PAIR.lastIndex = at;
      const pair = COOKIE_PAIR.exec(text);
      if (pair === null) break;
      const [whole, name = '', value = ''] = pair;
      const start = at + name.length + 1;
      if (COOKIE_NAME.test(name) && isCookieSecret(value))
        spans.push({ kind: 'cookie', start, end: start + value.length });
      at += whole.length;
      if (!whole.includes(';')) break;
    }
    return spans;
  },
};

function isCookieSecret(value: string): boolean {
  return value.length >= 8 && /\d|[A-Z].*[a-z]|[a-z].*[A-Z]/.test(value) && !isStandIn(value) && !isCode(value);
}
