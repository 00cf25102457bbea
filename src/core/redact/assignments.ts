import {
  before,
  CHECKED_LENGTH,
  DEFAULT_PASSWORD,
  endOf,
  entropyOf,
  isLetterOrDigit,
  isStandIn,
  NOTHING,
  type Place,
  type Rule,
} from './scan.ts';

// Assignments: a name that promises a secret, and a value that looks like one

type Strength = 'password' | 'secret' | 'token';

interface Name {
  readonly kind: string;
  readonly strength: Strength;
  readonly anchors: readonly string[];
  /** Must match the 40 characters before the anchor. */
  readonly head?: RegExp;
  readonly notHead?: RegExp;
  /** Text that may be between the anchor and the separator; sticky, always matches. */
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

export const NAMES: readonly Name[] = [
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
    // On its own, `pass` is the verdict of a test.
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

export function nameRule(name: Name): Rule {
  return {
    anchors: name.anchors,
    find: (place) => {
      const { text, after } = place;
      const key = endOf(name.tail, text, after);
      const next = text.charCodeAt(key);
      // Almost every `token` in a text is a word in a sentence, and is ruled out here.
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
  // Only a value that fills the checked length can go on; a shorter one has ended.
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

/** Looks at the last characters only, since an expression that ends in `$` would try every position. */
function trimmed(value: string, ending: RegExp): string {
  const last = value.slice(-8);
  return value.slice(0, value.length - last.length) + last.replace(ending, '');
}

function isAssignedSecret(value: string, quoted: boolean, strength: Strength): boolean {
  if (strength === 'password') return isPassword(value, quoted);
  if (UUID.test(value)) return strength === 'secret';
  // The address of a blockchain token is public.
  if (strength === 'token' && /^0x[0-9a-f]{40}$/i.test(value)) return false;
  return isGenerated(value, quoted ? 12 : 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CODE =
  /^(?:process|os|env|ENV|import|config|cfg|settings|secrets?|self|this|vars?|local|data|module|req|request|ctx|context|options|opts|args|params|props|body|input|user|state|vault|ssm|file|https?|op):?[./[]|^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+$|^arn:|^[./~]{1,2}\/|^\/[\w.-]+\/|^@|^!|^\$|=>|\(|^(?:required|nullable|string|min|max)\b/;

/** True for a piece of a program, or a path, in place of a value. */
export function isCode(value: string): boolean {
  return CODE.test(value);
}

/** True for a password that a person chose: short, so it needs a letter and something that ordinary words lack. */
export function isPassword(value: string, quoted: boolean): boolean {
  if (value.length < 6 || isStandIn(value) || isCode(value) || DEFAULT_PASSWORD.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || new Set(value).size < 4) return false;
  if (isWords(value)) return false;
  return quoted ? /[\d!@#$%^&*+?~]/.test(value) && !/^[A-Za-z]+[!?]$/.test(value) : /\d/.test(value);
}

/** Bits per character that words and counters hardly reach at these lengths, and random values do. */
const GENERATED_ENTROPY = 2.9;

export function isGenerated(value: string, least: number): boolean {
  if (value.length < least || isStandIn(value) || isCode(value) || isWords(value)) return false;
  if (!/[A-Za-z]/.test(value)) return false;
  if (!/\d/.test(value) && !(value.length >= 24 && changesCaseOften(value))) return false;
  return entropyOf(value.slice(0, CHECKED_LENGTH)) >= GENERATED_ENTROPY;
}

/** In random letters, a quarter of all pairs go from small to capital; in program names, a sixth or fewer. */
function changesCaseOften(value: string): boolean {
  return (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= value.length / 5;
}

/** True for words, small numbers and versions with separators: `partner-a-1`, `2026-05-19T14:07`, `gpt-4o-mini`. */
function isWords(value: string): boolean {
  const parts = value.split(/[-_./:+@]/);
  return (
    parts.length > 1 &&
    parts.every((part) => part.length <= 3 || (/^(?:[A-Za-z]{1,16}\d{0,2}|\d{1,4})$/.test(part) && !isMixed(part)))
  );
}

/** True for capitals in the middle, more than a name in camel case has. */
function isMixed(part: string): boolean {
  return /[A-Z]/.test(part) && /[a-z]/.test(part) && !isCamelCase(part);
}

function isCamelCase(value: string): boolean {
  return /^[a-z]*(?:[A-Z][a-z]{2,})*\d{0,2}$/.test(value);
}
