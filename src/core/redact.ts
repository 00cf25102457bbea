/**
 * Secrets out of text, before it becomes permanent in a summary.
 *
 * One expression finds anchors (`ghp_`, `Bearer `, `password` …) in a single pass; only there the rules look closer, with
 * sticky expressions. That keeps clean text cheap, and time linear: a rule that fails has read a bounded piece, a rule that
 * succeeds moves the scan behind what it read.
 */

export interface Redaction {
  readonly text: string;
  /** What was replaced, in the order of first appearance. */
  readonly found: readonly RedactionCount[];
}

export interface RedactionCount {
  readonly kind: string;
  readonly count: number;
}

export interface RedactOptions {
  /**
   * Also payment cards and IBANs.
   * @default false: personal data is often what a conversation is about, and is no secret between its parties
   */
  readonly personal?: boolean;
}

/** Replaces secrets by `[redacted: KIND]`; key names, user names and hosts around them stay. Idempotent. */
export function redact(text: string, options: RedactOptions = {}): Redaction {
  const scanner = options.personal === true ? PERSONAL_SCANNER : SCANNER;
  const counts = new Map<string, number>();
  let current = text;
  // A replacement can free its neighbour from what hid it (a letter in front, say), so a text with hits is read again.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = scan(current, scanner, counts);
    if (next === current) break;
    current = next;
  }
  return { text: current, found: Array.from(counts, ([kind, count]) => ({ kind, count })) };
}

export function redactText(text: string, options: RedactOptions = {}): string {
  return redact(text, options).text;
}

/** Two are enough for everything seen; the bound is there because an adversary may chain neighbours. */
const MAX_ROUNDS = 8;

/** Part of the text to be replaced. */
interface Span {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

interface Place {
  readonly text: string;
  /** Where the anchor starts and ends. */
  readonly at: number;
  readonly after: number;
  /** End of the last replacement: nothing before it may be touched again. */
  readonly floor: number;
  /** What a rule learned about the rest of this text, so that it is not searched twice. */
  readonly memory: Memory;
}

interface Memory {
  /** The next `-----END ` of a text that has many `-----BEGIN `, infinite when there is none. */
  nextPemEnd: number;
}

interface Rule {
  readonly anchors: readonly string[];
  /** In ascending order, not overlapping, none before `place.floor`; empty when there is nothing. */
  find(place: Place): readonly Span[];
}

interface Scanner {
  readonly anchors: RegExp;
  readonly rules: ReadonlyMap<string, readonly Rule[]>;
}

const NOTHING: readonly Span[] = [];

function scan(text: string, scanner: Scanner, counts: Map<string, number>): string {
  const { anchors, rules } = scanner;
  const memory: Memory = { nextPemEnd: -1 };
  const parts: string[] = [];
  let floor = 0;
  anchors.lastIndex = 0;
  for (let hit = anchors.exec(text); hit !== null; hit = anchors.exec(text)) {
    const [anchor] = hit;
    const place: Place = { text, at: hit.index, after: hit.index + anchor.length, floor, memory };
    const spans = firstSpans(rules.get(anchor) ?? [], place);
    for (const { kind, start, end } of spans) {
      parts.push(text.slice(floor, start), `[redacted: ${kind}]`);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      floor = end;
    }
    anchors.lastIndex = spans.length > 0 ? Math.max(floor, hit.index + 1) : hit.index + 1;
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(floor));
  return parts.join('');
}

function firstSpans(rules: readonly Rule[], place: Place): readonly Span[] {
  for (const rule of rules) {
    const spans = rule.find(place);
    if (spans.length > 0) return spans;
  }
  return NOTHING;
}

// Reading at a place

/** Index behind the match of a sticky expression that starts at `at`, or -1. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const ESCAPE_BEFORE = /(?:\\[nrtbf]|\\u00[0-9a-fA-F]{2}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\[[0-9;]{0,12}m)$/;

/**
 * Whether a token may start here: no letter or digit before it, except as the end of an escape, since logs of agents are
 * JSON in JSON (`\n`), terminal output (colours) and URLs (`%3D`).
 */
function startsToken({ text, at, floor }: Place): boolean {
  if (at === 0 || at === floor || !isLetterOrDigit(text.charCodeAt(at - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 16), at));
}

/** The text before the anchor, at most `length` of it and not behind the last replacement. */
function before({ text, at, floor }: Place, length: number): string {
  return text.slice(Math.max(floor, at - length), at);
}

// What is a secret and what only stands for one

const STAND_IN_WORD =
  /(?:^|[^A-Za-z0-9])(?:your|some|the|this|insert|enter|replace|change|dummy|fake|sample|redacted|removed|hidden|masked|todo)(?:[^A-Za-z0-9]|$)|^my[_-](?:secret|pass|api|token|key|super|app)|example|placeholder|change_?me|redacted/i;
const STAND_IN_SHAPE = /x{5,}|X{5,}|\*{3,}|\.{3}|…|•{2,}|#{4,}|^[<[{]|\$\{|\$\(|\{\{|^\$[A-Za-z_]|^%[A-Za-z_]+%$/;
/** Fewer different characters than this are `0000…` or `abababab…`, not a generated value. */
const FEW_CHARACTERS = 6;

function isStandIn(value: string): boolean {
  return STAND_IN_SHAPE.test(value) || STAND_IN_WORD.test(value);
}

function isRepetitive(value: string): boolean {
  return new Set(value.slice(0, CHECKED_LENGTH)).size < FEW_CHARACTERS;
}

/** A verdict is given on the first characters of a value: enough to tell, and a bound for those that fail. */
const CHECKED_LENGTH = 256;

/** Bits per character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

// Tokens that are known by how they start

interface TokenShape {
  readonly kind: string;
  readonly starts: readonly string[];
  /** What follows the start; sticky, and greedy to the end of its class so that no tail is left behind. */
  readonly body: RegExp;
  /** The token goes on before its anchor. Ends in `$`, and is given the last 80 characters. */
  readonly head?: RegExp;
  /** Only this much of the start stays, e.g. `AccountKey=`. */
  readonly keepStart?: boolean;
  /** Plain letters and hyphens are words, so at least a digit must be in it. */
  readonly digit?: boolean;
}

const TOKENS: readonly TokenShape[] = [
  { kind: 'Anthropic key', starts: ['sk-ant-'], body: /[\w-]{20,}/y },
  { kind: 'OpenRouter key', starts: ['sk-or-v1-'], body: /[0-9a-f]{32,}/y },
  { kind: 'OpenAI key', starts: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], body: /[\w-]{20,}/y },
  { kind: 'OpenAI key', starts: ['sk-'], body: /[A-Za-z0-9]{20,}/y, digit: true },
  {
    kind: 'GitHub token',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    body: /[A-Za-z0-9]{30,}(?:[._-][\w-]{16,})*/y,
  },
  { kind: 'GitHub token', starts: ['github_pat_'], body: /\w{36,}/y },
  {
    kind: 'GitLab token',
    starts: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glsoat-', 'glagent-', 'gloas-'],
    body: /[\w-]{20,}(?:\.[\w-]{2,})*/y,
  },
  { kind: 'AWS key id', starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: /[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { kind: 'Google API key', starts: ['AIza'], body: /[\w-]{33,}/y, digit: true },
  { kind: 'Google OAuth secret', starts: ['GOCSPX-'], body: /[\w-]{20,}/y },
  { kind: 'Google OAuth token', starts: ['ya29.'], body: /[\w-]{20,}(?:\.[\w-]{2,})*/y },
  { kind: 'Google OAuth token', starts: ['1//0'], body: /[\w-]{30,}/y, digit: true },
  {
    kind: 'Azure key',
    starts: ['AccountKey=', 'SharedAccessKey='],
    body: /[A-Za-z0-9+/]{40,}={0,2}/y,
    keepStart: true,
  },
  { kind: 'Azure signature', starts: ['?sig=', '&sig='], body: /[A-Za-z0-9%+/]{40,}={0,2}/y, keepStart: true },
  {
    kind: 'Azure key',
    starts: ['Q~'],
    head: /[A-Za-z0-9_~.-]{3}\d$/,
    body: /[A-Za-z0-9_~.-]{31,34}/y,
  },
  {
    kind: 'Azure key',
    starts: ['AZDO'],
    head: /[A-Za-z0-9]{76}$/,
    body: /[A-Za-z0-9]{4}(?![A-Za-z0-9])/y,
  },
  { kind: 'Azure key', starts: ['JQQJ99'], head: /[A-Za-z0-9]{52}$/, body: /[A-Za-z0-9]{20,}/y },
  {
    kind: 'Slack token',
    starts: [
      'xoxa-',
      'xoxb-',
      'xoxe-',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
      'xoxc-',
      'xoxd-',
      'xoxe.xoxp-',
      'xoxe.xoxb-',
    ],
    body: /[A-Za-z0-9%-]{16,}/y,
    digit: true,
  },
  { kind: 'Slack token', starts: ['xapp-'], body: /\d-[A-Za-z0-9-]{20,}/y },
  {
    kind: 'Slack webhook',
    starts: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/'],
    body: /[A-Za-z0-9/]{20,}/y,
    keepStart: true,
  },
  { kind: 'Stripe key', starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], body: /[A-Za-z0-9]{16,}/y },
  { kind: 'webhook secret', starts: ['whsec_'], body: /[A-Za-z0-9+/]{24,}={0,2}/y },
  { kind: 'Twilio key', starts: ['SK'], body: /[0-9a-f]{32}(?![A-Za-z0-9])/y },
  { kind: 'SendGrid key', starts: ['SG.'], body: /[\w-]{16,32}\.[\w-]{16,}/y },
  { kind: 'npm token', starts: ['npm_'], body: /[A-Za-z0-9]{30,}/y },
  { kind: 'PyPI token', starts: ['pypi-Ag'], body: /[\w-]{40,}/y },
  { kind: 'Hugging Face token', starts: ['hf_', 'api_org_'], body: /[A-Za-z0-9]{30,}/y },
  { kind: 'DigitalOcean token', starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: /[0-9a-f]{40,}/y },
  { kind: 'Heroku key', starts: ['HRKU-'], body: /[\w-]{30,}/y },
  { kind: 'Telegram bot token', starts: [':AA'], head: /\d{8,10}$/, body: /[\w-]{32,}/y },
  {
    kind: 'Discord token',
    // The base64 of a number starts so; the number of a user is the first part of the token.
    starts: ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'],
    body: /[A-Za-z0-9]{20,28}\.[\w-]{6}\.[\w-]{27,}/y,
  },
  { kind: 'Discord webhook', starts: ['/api/webhooks/'], body: /\d{15,22}\/[\w-]{40,}/y, keepStart: true },
  { kind: 'age key', starts: ['AGE-SECRET-KEY-1', 'age-secret-key-1'], body: /[0-9A-Za-z]{40,}/y },
  { kind: 'Vault token', starts: ['hvs.', 'hvb.', 'hvr.'], body: /[\w-]{24,}/y },
  { kind: 'Kubernetes token', starts: ['k8s-aws-v1.'], body: /[\w-]{40,}/y },
  { kind: 'Groq key', starts: ['gsk_'], body: /[A-Za-z0-9]{40,}/y },
  { kind: 'xAI key', starts: ['xai-'], body: /[A-Za-z0-9]{60,}/y },
  { kind: 'Perplexity key', starts: ['pplx-'], body: /[A-Za-z0-9]{40,}/y },
  { kind: 'Replicate token', starts: ['r8_'], body: /[A-Za-z0-9]{30,}/y },
  { kind: 'LangSmith key', starts: ['lsv2_pt_', 'lsv2_sk_'], body: /[0-9a-f]{32}_[0-9a-f]{8,}/y },
  { kind: 'Databricks token', starts: ['dapi'], body: /[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/y },
  { kind: 'Docker token', starts: ['dckr_pat_', 'dckr_oat_'], body: /[\w-]{20,}/y },
  { kind: 'Grafana token', starts: ['glsa_'], body: /[A-Za-z0-9]{32}_[0-9a-fA-F]{8}/y },
  { kind: 'Shopify token', starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: /[0-9a-fA-F]{32,}/y },
  { kind: 'Linear key', starts: ['lin_api_'], body: /[A-Za-z0-9]{32,}/y },
  { kind: 'Notion token', starts: ['ntn_'], body: /[A-Za-z0-9]{40,}/y },
  { kind: 'Atlassian token', starts: ['ATATT3'], body: /[\w=-]{50,}/y },
  { kind: 'Terraform token', starts: ['.atlasv1.'], head: /[A-Za-z0-9]{14}$/, body: /[\w-]{50,}/y },
  { kind: 'Tailscale key', starts: ['tskey-'], body: /[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16,}/y },
  { kind: 'New Relic key', starts: ['NRAK-'], body: /[A-Z0-9]{27,}/y },
  { kind: 'Supabase key', starts: ['sbp_', 'sb_secret_'], body: /[\w-]{30,}/y, digit: true },
  { kind: 'RubyGems key', starts: ['rubygems_'], body: /[0-9a-f]{40,}/y },
];

function tokenRule({ kind, starts, body, head, keepStart, digit }: TokenShape): Rule {
  return {
    anchors: starts,
    find: (place) => {
      const { text, at, after } = place;
      const end = endOf(body, text, after);
      if (end < 0) return NOTHING;
      const start = at - (head === undefined ? 0 : (head.exec(before(place, 80))?.[0].length ?? -1));
      if (start > at || (keepStart !== true && !startsToken({ ...place, at: start }))) return NOTHING;
      const value = text.slice(after, Math.min(end, after + CHECKED_LENGTH));
      if (isStandIn(value) || isRepetitive(text.slice(start, at) + value)) return NOTHING;
      if (digit === true && !/\d/.test(value)) return NOTHING;
      return [{ kind, start: keepStart === true ? after : start, end }];
    },
  };
}

// Two dots, so a run can be read to its end in vain: runs are entered only at their start, which keeps that linear.
const JWT_BODY = /[\w-]{8,}\.(?:eyJ[\w-]{8,}\.[\w-]*|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/y;

const jwtRule: Rule = {
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

const pemRule: Rule = {
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
    // Cut off, as output of tools often is: the lines that are there.
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

const puttyRule: Rule = {
  anchors: ['Private-Lines:'],
  find: ({ text, after }) => {
    const start = endOf(PUTTY_COUNT, text, after);
    const end = start < 0 ? -1 : keyLinesEnd(text, start);
    return end < 0 ? NOTHING : [{ kind: 'private key', start, end }];
  },
};

const BASE64_RUN = /[A-Za-z0-9+/]{24,}={0,2}/y;

/** The base64 of a private key, as in a kubeconfig (`client-key-data`) or a Kubernetes secret. */
const encodedPemRule: Rule = {
  anchors: ['LS0tLS1CRUdJTi'],
  find: (place) => {
    const { text, at, after } = place;
    if (!startsToken(place)) return NOTHING;
    const end = endOf(BASE64_RUN, text, after);
    if (end < 0 || !decodeBase64(text.slice(at, at + 80)).includes('PRIVATE KEY')) return NOTHING;
    return [{ kind: 'private key', start: at, end }];
  },
};

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Own, because the core touches no platform; only ever given a short piece. */
function decodeBase64(encoded: string): string {
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
function isEncodedLogin(encoded: string): boolean {
  const decoded = decodeBase64(encoded.slice(0, CHECKED_LENGTH));
  return /^[\x20-\x7e]*:[\x20-\x7e]{3,}$/.test(decoded) && !isStandIn(decoded);
}

// Headers

const BEARER_VALUE = /[ \t]{1,4}[A-Za-z0-9._~+/-]{16,}={0,2}/y;
const BASIC_VALUE = /[ \t]{1,4}[A-Za-z0-9+/]{8,}={0,2}/y;

const bearerRule: Rule = {
  anchors: ['Bearer', 'bearer', 'BEARER'],
  find: ({ text, after }) => {
    const end = endOf(BEARER_VALUE, text, after);
    if (end < 0) return NOTHING;
    const start = after + lengthOfBlanks(text, after);
    const value = text.slice(start, Math.min(end, start + CHECKED_LENGTH));
    return isGenerated(value, 16) ? [{ kind: 'bearer token', start, end }] : NOTHING;
  },
};

const basicRule: Rule = {
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

/** Schemes other than the two above, and none: `Authorization: token …`. */
const authorizationRule: Rule = {
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

const cookieRule: Rule = {
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

// Passwords in URLs and on command lines

const USER_AND_PASSWORD = /([^\s:/@"'`<>\\?#]{0,100}):([^\s@"'`<>/\\]{3,200})@(?=[A-Za-z0-9[])/y;
const DATABASE_SCHEME =
  /(?:postgres|postgresql|mysql|mysql2|mariadb|mongodb|redis|rediss|amqp|amqps|mssql|sqlserver|clickhouse|cockroachdb|oracle|cassandra|neo4j|bolt)(?:\+[a-z0-9]{1,20})?$/i;
/** Defaults of images and tutorials: known to everybody, and a reader wants to see that they are used. */
const DEFAULT_PASSWORD =
  /^(?:pass|passwd|password|passwort|pwd|secret|postgres|mysql|root|guest|admin|test|testing|user|dev|local|token|changeme|change-me|changeit|none|null|undefined|string|true|false|x-oauth-basic)\d{0,3}$/i;

const urlRule: Rule = {
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
const clientLoginRule: Rule = {
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

const netrcRule: Rule = {
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

// Assignments: a name that promises a secret, and a value that looks like one

type Strength = 'password' | 'secret' | 'token';

interface Name {
  readonly kind: string;
  readonly strength: Strength;
  readonly anchors: readonly string[];
  /** What must stand before the anchor; given 40 characters. */
  readonly head?: RegExp;
  readonly notHead?: RegExp;
  /** What may stand between the anchor and the separator; sticky, always matches. */
  readonly tail: RegExp;
}

const VARIANT = '(?:[_-]?(?:\\d{1,2}|value|prod|production|staging|dev|live|test|main|primary|base64|b64)(?![a-z]))?';
const tail = (words: string): RegExp => new RegExp(`${words}${VARIANT}`, 'iy');
/** `token` in the three spellings that occur; `tOkEn` does not. */
const spelled = (word: string): readonly string[] => [
  word,
  word.charAt(0).toUpperCase() + word.slice(1),
  word.toUpperCase(),
];
const NO_SECRET_TOKEN =
  /(?:page|next|continuation|sync|cancel|cancellation|idempotency|request|client_?request|push|design|css|pad|eos|bos|unk|stop|special)[_-]?$/i;

const NAMES: readonly Name[] = [
  {
    kind: 'AWS secret key',
    strength: 'secret',
    anchors: [
      'secret_access_key',
      'SECRET_ACCESS_KEY',
      'secretAccessKey',
      'SecretAccessKey',
      'aws_secret_key',
      'AWS_SECRET_KEY',
    ],
    tail: tail(''),
  },
  { kind: 'Heroku key', strength: 'secret', anchors: ['HEROKU_API_KEY', 'heroku_api_key'], tail: tail('') },
  { kind: 'Twilio token', strength: 'secret', anchors: ['TWILIO_AUTH_TOKEN', 'twilio_auth_token'], tail: tail('') },
  { kind: 'kubeconfig token', strength: 'token', anchors: ['token'], head: /user:(?:\s|\\n){1,16}$/, tail: tail('') },
  { kind: 'private key', strength: 'secret', anchors: ['client-key-data'], tail: tail('') },
  {
    kind: 'password',
    strength: 'password',
    anchors: ['password', 'passwd', 'passphrase', 'passcode'].flatMap(spelled),
    tail: tail(''),
  },
  {
    kind: 'password',
    strength: 'password',
    anchors: spelled('pass'),
    // Alone it is the verdict of a test.
    head: /(?:[_-]|db|user|smtp|mail|ftp|admin|root|sudo|["'])$/i,
    tail: tail(''),
  },
  {
    kind: 'password',
    strength: 'password',
    anchors: ['pwd', 'Pwd', 'PWD'],
    notHead: /OLD$|(?:^|[^_A-Za-z])$/,
    tail: tail(''),
  },
  {
    kind: 'secret',
    strength: 'secret',
    anchors: spelled('secret'),
    tail: tail('(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?'),
  },
  {
    kind: 'token',
    strength: 'token',
    anchors: spelled('token'),
    notHead: NO_SECRET_TOKEN,
    tail: tail('(?:[_-]?secret)?'),
  },
  {
    kind: 'API key',
    strength: 'secret',
    anchors: spelled('key'),
    head: /(?:api|access|auth|account|encryption|signing|master|admin|service[_-]?role|shared|license)[_-]?$/i,
    tail: tail(''),
  },
];

/** After the name: `=`, `:`, `:=`, `=>`, with the quote that closes the name, and a type in between as in TypeScript. */
const SEPARATOR = /\\{0,7}["'`]?\]?[ \t]{0,20}(?::[ \t]?(?:string|str|String|&str)[ \t]?=|:=|=>|==?|:)[ \t]{0,8}/y;
/** A name and a value as two fields, as in manifests: `name: DB_PASSWORD` and then `value: …`. */
const VALUE_FIELD = /\\{0,7}["']?,?(?:\s|\\{1,4}[nr]){0,40}\\{0,7}["']?[vV]alue\\{0,7}["']?[ \t]?:[ \t]{0,4}/y;
/** `--password VALUE`. */
const FLAG_SPACE = /[ ]{1,4}/y;
const FLAG_BEFORE = /(?:^|[\s"'`])--?[A-Za-z0-9-]{0,36}$/;
const OPENING_QUOTE = /\\{0,7}["'`]/y;
const QUOTED = /[^\s"'`]{4,256}/y;
const REST_OF_QUOTED = /[^\s"'`]*/y;
const BARE = /[^\s"'`\\<>()[\]{},;&|]{4,256}/y;
const REST_OF_BARE = /[^\s"'`\\<>()[\]{},;&|]*/y;
/** In a file of settings a value goes to the end of the line, so `&` and the like belong to it. */
const REST_OF_LINE = /(?:[^\s"'`\\,;&]|&(?!\w{1,40}=)){0,4000}/y;
const LINE_START = /(?:^|\n|\\n)[ \t]{0,40}(?:export )?[\w.-]{0,60}$/;

function nameRule(name: Name): Rule {
  return {
    anchors: name.anchors,
    find: (place) => {
      const { text, after } = place;
      const key = endOf(name.tail, text, after);
      const next = text.charCodeAt(key);
      // Almost every `token` of a text is a word in a sentence, and ends here.
      if (isLetterOrDigit(next) || next === 46 || next === 95) return NOTHING;
      const from = valueStart(place, key);
      if (from < 0) return NOTHING;
      const head = before(place, 40);
      if ((name.head !== undefined && !name.head.test(head)) || name.notHead?.test(head)) return NOTHING;
      const value = readValue(place, from, name.strength);
      return value === undefined ? NOTHING : [{ kind: name.kind, ...value }];
    },
  };
}

function valueStart(place: Place, key: number): number {
  const { text } = place;
  const separated = endOf(SEPARATOR, text, key);
  if (separated >= 0) return separated;
  const field = endOf(VALUE_FIELD, text, key);
  if (field >= 0) return field;
  const spaced = endOf(FLAG_SPACE, text, key);
  return spaced >= 0 && FLAG_BEFORE.test(before(place, 40)) ? spaced : -1;
}

interface Value {
  readonly start: number;
  readonly end: number;
}

function readValue(place: Place, from: number, strength: Strength): Value | undefined {
  const opened = endOf(OPENING_QUOTE, place.text, from);
  return opened >= 0 ? readQuoted(place.text, opened, strength) : readBare(place, from, strength);
}

function readQuoted(text: string, start: number, strength: Strength): Value | undefined {
  const checkedEnd = endOf(QUOTED, text, start);
  if (checkedEnd < 0) return undefined;
  const checked = trimmed(text.slice(start, checkedEnd), /\\+$/);
  if (!isAssignedSecret(checked, true, strength)) return undefined;
  // Only a full piece can go on: with fewer characters the class has ended.
  if (checkedEnd - start === CHECKED_LENGTH) {
    const rest = text.slice(checkedEnd, endOf(REST_OF_QUOTED, text, checkedEnd));
    return { start, end: checkedEnd + trimmed(rest, /\\+$/).length };
  }
  // A blank inside: a sentence, not a value. The end of the text: cut off.
  if (checkedEnd < text.length && !'"\'`'.includes(text.charAt(checkedEnd))) return undefined;
  return { start, end: start + checked.length };
}

function readBare(place: Place, start: number, strength: Strength): Value | undefined {
  const { text } = place;
  const checkedEnd = endOf(BARE, text, start);
  if (checkedEnd < 0) return undefined;
  const checked = trimmed(text.slice(start, checkedEnd), /[.:!?]+$/);
  const next = text.charAt(checkedEnd);
  // A call, an index, a template: code that computes the value.
  if (next !== '' && '([{<'.includes(next)) return undefined;
  if (!isAssignedSecret(checked, false, strength)) return undefined;
  if (checkedEnd - start < CHECKED_LENGTH && (next === '' || !'&|)]}>'.includes(next)))
    return { start, end: start + checked.length };
  const rest = LINE_START.test(before(place, 120)) ? REST_OF_LINE : REST_OF_BARE;
  const end = endOf(rest, text, checkedEnd);
  return { start, end: end > checkedEnd ? end : start + checked.length };
}

/** The tail is looked at from the end, since an expression that ends in `$` would try every place. */
function trimmed(value: string, ending: RegExp): string {
  const last = value.slice(-8);
  return value.slice(0, value.length - last.length) + last.replace(ending, '');
}

function isAssignedSecret(value: string, quoted: boolean, strength: Strength): boolean {
  if (strength === 'password') return isPassword(value, quoted);
  if (UUID.test(value)) return strength === 'secret';
  // The address of a token of a block chain is public.
  if (strength === 'token' && /^0x[0-9a-f]{40}$/i.test(value)) return false;
  return isGenerated(value, quoted ? 12 : 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CODE =
  /^(?:process|os|env|ENV|import|config|cfg|settings|secrets?|self|this|vars?|local|data|module|req|request|ctx|context|options|opts|args|params|props|body|input|user|state|vault|ssm|file|https?|op):?[./[]|^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+$|^arn:|^[./~]{1,2}\/|^\/[\w.-]+\/|^@|^!|^\$|=>|\(|^(?:required|nullable|string|min|max)\b/;

/** A piece of a program, or a path, in the place of a value. */
function isCode(value: string): boolean {
  return CODE.test(value);
}

/** Chosen by a person: short, so it needs a letter and something that ordinary words have not. */
function isPassword(value: string, quoted: boolean): boolean {
  if (value.length < 6 || isStandIn(value) || isCode(value) || DEFAULT_PASSWORD.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || new Set(value).size < 4) return false;
  if (isWords(value)) return false;
  return quoted ? /[\d!@#$%^&*+?~]/.test(value) && !/^[A-Za-z]+[!?]$/.test(value) : /\d/.test(value);
}

/** Bits per character that words and counters hardly reach at these lengths, and random values do. */
const GENERATED_ENTROPY = 2.9;

function isGenerated(value: string, least: number): boolean {
  if (value.length < least || isStandIn(value) || isCode(value) || isWords(value)) return false;
  if (!/[A-Za-z]/.test(value)) return false;
  if (!/\d/.test(value) && !(value.length >= 24 && changesCaseOften(value))) return false;
  return entropyOf(value.slice(0, CHECKED_LENGTH)) >= GENERATED_ENTROPY;
}

/** A quarter of the places in random letters go from small to capital; in names of programs, one in six or fewer. */
function changesCaseOften(value: string): boolean {
  return (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= value.length / 5;
}

/** Words, small numbers and versions with something between them: `partner-a-1`, `2026-05-19T14:07`, `gpt-4o-mini`. */
function isWords(value: string): boolean {
  const parts = value.split(/[-_./:+@]/);
  return (
    parts.length > 1 &&
    parts.every((part) => part.length <= 3 || (/^(?:[A-Za-z]{1,16}\d{0,2}|\d{1,4})$/.test(part) && !isMixed(part)))
  );
}

/** Capitals in the middle, more than a name in camel case has. */
function isMixed(part: string): boolean {
  return /[A-Z]/.test(part) && /[a-z]/.test(part) && !isCamelCase(part);
}

function isCamelCase(value: string): boolean {
  return /^[a-z]*(?:[A-Z][a-z]{2,})*\d{0,2}$/.test(value);
}

const DOCKER_AUTH = /["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?/y;

/** `"auth": "…"` of Docker and `_auth=…` of npm: a login in base64. */
const registryRule: Rule = {
  anchors: ['auth"', 'auth\\"', '_auth'],
  find: ({ text, after }) => {
    const start = endOf(DOCKER_AUTH, text, after);
    const end = start < 0 ? -1 : endOf(BASIC_RUN, text, start);
    return end >= 0 && isEncodedLogin(text.slice(start, end)) ? [{ kind: 'registry login', start, end }] : NOTHING;
  },
};
const BASIC_RUN = /[A-Za-z0-9+/]{8,}={0,2}/y;

// Personal data, only when asked for

const CARD = /\d(?:[ -]?\d){12,18}(?![\d-])/y;

const cardRule: Rule = {
  // Payment cards start with 2 to 6.
  anchors: ['2', '3', '4', '5', '6'],
  find: (place) => {
    const { text, at, floor } = place;
    if (!startsToken(place) || (at > floor && /[.-]/.test(text.charAt(at - 1)))) return NOTHING;
    const end = endOf(CARD, text, at);
    return end >= 0 && passesLuhn(text.slice(at, end)) ? [{ kind: 'card number', start: at, end }] : NOTHING;
  },
};

function passesLuhn(written: string): boolean {
  const digits = written.replaceAll(/\D/g, '');
  if (new Set(digits).size < 2) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const IBAN_COUNTRIES =
  'AD AE AL AT BA BE BG BR CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IL IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM TR UA'.split(
    ' ',
  );
const IBAN = /\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])/y;

const ibanRule: Rule = {
  anchors: IBAN_COUNTRIES,
  find: (place) => {
    if (!startsToken(place)) return NOTHING;
    const end = endOf(IBAN, place.text, place.after);
    if (end < 0 || !passesMod97(place.text.slice(place.at, end))) return NOTHING;
    return [{ kind: 'IBAN', start: place.at, end }];
  },
};

function passesMod97(written: string): boolean {
  const iban = written.replaceAll(' ', '');
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

// All rules, the surest first where several share an anchor

const SECRET_RULES: readonly Rule[] = [
  pemRule,
  puttyRule,
  encodedPemRule,
  ...TOKENS.map(tokenRule),
  jwtRule,
  bearerRule,
  basicRule,
  authorizationRule,
  cookieRule,
  urlRule,
  clientLoginRule,
  netrcRule,
  ...NAMES.map(nameRule),
  registryRule,
];

const SCANNER: Scanner = scannerOf(SECRET_RULES);
const PERSONAL_SCANNER: Scanner = scannerOf([...SECRET_RULES, cardRule, ibanRule]);

/** An anchor leads to its own rules and to those of every anchor that it starts with: longer ones hide shorter ones. */
function scannerOf(all: readonly Rule[]): Scanner {
  const anchors = [...new Set(all.flatMap((rule) => rule.anchors))].sort((left, right) => right.length - left.length);
  const rules = new Map<string, readonly Rule[]>();
  for (const anchor of anchors) {
    const own = all.filter((rule) => rule.anchors.includes(anchor));
    const shorter = all.filter((rule) => !own.includes(rule) && rule.anchors.some((other) => anchor.startsWith(other)));
    rules.set(anchor, [...own, ...shorter.map((rule) => atShorterAnchor(rule, anchor))]);
  }
  const escaped = anchors.map((anchor) => anchor.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return { anchors: new RegExp(escaped.join('|'), 'g'), rules };
}

function atShorterAnchor(rule: Rule, anchor: string): Rule {
  const length = Math.max(...rule.anchors.filter((other) => anchor.startsWith(other)).map((other) => other.length));
  return { anchors: [], find: (place) => rule.find({ ...place, after: place.at + length }) };
}
