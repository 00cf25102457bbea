import { isPassword } from './assignments.ts';
import { isEncodedLogin } from './base64.ts';
import { before, DEFAULT_PASSWORD, endOf, isStandIn, NOTHING, type Rule } from './scan.ts';

// Passwords in URLs and on command lines

const USER_AND_PASSWORD = /([^\s:/@"'`<>\\?#]{0,100}):([^\s@"'`<>/\\]{3,200})@(?=[A-Za-z0-9[])/y;
const DATABASE_SCHEME =
  /(?:postgres|postgresql|mysql|mysql2|mariadb|mongodb|redis|rediss|amqp|amqps|mssql|sqlserver|clickhouse|cockroachdb|oracle|cassandra|neo4j|bolt)(?:\+[a-z0-9]{1,20})?$/i;

export const urlRule: Rule = {
  anchors: ['://'],
  find: (place) => {
    const { text, after } = place;
    USER_AND_PASSWORD.lastIndex = after;
    const found = USER_AND_PASSWORD.exec(text);
    if (found === null) return NOTHING;
    const [, user = '', password = ''] = found;
    if (
      password === user ||
      DEFAULT_PASSWORD.test(password) ||
      isStandIn(password) ||
      /[{}()[\]$]/.test(password.charAt(0))
    )
      return NOTHING;
    const start = after + user.length + 1;
    const kind = DATABASE_SCHEME.test(before(place, 40)) ? 'database password' : 'URL password';
    return [{ kind, start, end: start + password.length }];
  },
};

const CLIENT_LOGIN = /[ =]["']?([\w.@+-]{1,80}):([^\s"'`\\]{6,200})/y;

/** `curl -u name:password`. */
export const clientLoginRule: Rule = {
  anchors: [' -u', ' --user'],
  find: (place) => {
    const { text, after } = place;
    CLIENT_LOGIN.lastIndex = after;
    const found = CLIENT_LOGIN.exec(text);
    if (found === null || !/\b(?:curl|wget|http|https|xh)\b/.test(before(place, 400))) return NOTHING;
    const [whole, , password = ''] = found;
    const end = after + whole.length;
    return isPassword(password, true) ? [{ kind: 'password', start: end - password.length, end }] : NOTHING;
  },
};

const NETRC_VALUE = /[ \t\n]{1,8}[^\s"'`\\]{3,200}/y;

export const netrcRule: Rule = {
  anchors: ['password'],
  find: (place) => {
    const { text, after } = place;
    if (!/(?:^|\s)login\s{1,4}\S{1,100}\s{1,8}$/.test(before(place, 140))) return NOTHING;
    const end = endOf(NETRC_VALUE, text, after);
    if (end < 0) return NOTHING;
    const value = text.slice(after, end).trim();
    if (!/(?:^|\s)(?:machine\s{1,4}\S{1,200}|default)\s/.test(before(place, 400))) return NOTHING;
    return isStandIn(value) || DEFAULT_PASSWORD.test(value)
      ? NOTHING
      : [{ kind: '.netrc password', start: end - value.length, end }];
  },
};

const DOCKER_AUTH = /["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?/y;

/** Docker's `"auth": "…"` and npm's `_auth=…`: a login in base64. */
export const registryRule: Rule = {
  anchors: ['auth"', 'auth\\"', '_auth'],
  find: ({ text, after }) => {
    const start = endOf(DOCKER_AUTH, text, after);
    const end = start < 0 ? -1 : endOf(BASIC_RUN, text, start);
    return end >= 0 && isEncodedLogin(text.slice(start, end)) ? [{ kind: 'registry login', start, end }] : NOTHING;
  },
};
const BASIC_RUN = /[A-Za-z0-9+/]{8,}={0,2}/y;
