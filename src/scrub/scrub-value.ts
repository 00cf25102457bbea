/** Scrubs one text. */
export type TextScrub = (text: string) => string;

/** Keys whose value is likely to be a secret. */
const TELLING_KEY = /pass|pwd|secret|token|key|auth|cookie|credential/i;
/** Keys of the wire format, which are never names, whatever the user's list says. */
const WIRE_KEYS: ReadonlySet<string> = new Set(
  'role type content text messages system tools tool_calls tool_call_id tool_use_id id function name arguments input model index source'.split(
    ' ',
  ),
);
const WIRE_VALUES: ReadonlySet<string> = new Set(['role', 'type']);

/** Scrubs every text of a JSON value, including texts that are JSON themselves. Returns the same value when nothing changed. */
export function scrubValue(value: unknown, scrub: TextScrub, key = ''): unknown {
  if (typeof value === 'string') return WIRE_VALUES.has(key) ? value : scrubText(value, scrub, key);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => scrubValue(item, scrub, key));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const label = pairLabel(value);
  const next = entries.map(([name, item]): [string, unknown] => [
    scrubKey(name, scrub),
    scrubValue(item, scrub, name === 'value' && label !== null ? label : name),
  ]);
  const isSame = next.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(distinctKeys(next));
}

/** Calls `see` with every text of a value, and again with the key before it when the key suggests a secret. */
export function eachText(value: unknown, see: (text: string) => void): void {
  scrubValue(value, (text) => {
    see(text);
    return text;
  });
}

function scrubText(text: string, scrub: TextScrub, key: string): string {
  const plain = scrubInContext(scrub(text), scrub, key);
  if (!/^\s*[{[]/.test(text)) return plain;
  const parsed = parsedOf(plain);
  if (parsed === undefined) {
    // The replacements broke the JSON, so its texts are scrubbed one by one.
    const original = parsedOf(text);
    return original === undefined ? plain : JSON.stringify(scrubValue(original, scrub, key));
  }
  const next = scrubValue(parsed, scrub, key);
  return next === parsed ? plain : JSON.stringify(next);
}

/** Scrubs a text behind its key, as in `{"password": "…"}`, where rules for secrets apply; also in its escaped form, where several lines are one word. */
function scrubInContext(text: string, scrub: TextScrub, key: string): string {
  if (!TELLING_KEY.test(key) || text === '') return text;
  const plain = scrubBehind(key, text, scrub);
  const written = JSON.stringify(plain).slice(1, -1);
  if (written === plain) return plain;
  const seen = scrubBehind(key, written, scrub);
  return seen === written ? plain : (unwritten(seen) ?? plain);
}

function scrubBehind(key: string, text: string, scrub: TextScrub): string {
  const head = `"${key}": "`;
  const seen = scrub(`${head}${text}"`);
  return seen.startsWith(head) && seen.endsWith('"') ? seen.slice(head.length, -1) : text;
}

/** Undoes JSON escapes; null when a replacement cut an escape in half. */
function unwritten(text: string): string | null {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return null;
  }
}

/** `{"name": "DB_PASSWORD", "value": "…"}`. */
function pairLabel(value: object): string | null {
  const { name, key, value: content } = value as Readonly<Record<string, unknown>>;
  if (typeof content !== 'string') return null;
  return typeof name === 'string' ? name : typeof key === 'string' ? key : null;
}

function scrubKey(name: string, scrub: TextScrub): string {
  return WIRE_KEYS.has(name) ? name : scrub(name);
}

/** Numbers keys that have become equal. */
function distinctKeys(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const seen = new Set<string>();
  return entries.map(([name, item]) => {
    let own = name;
    for (let number = 2; seen.has(own); number++) own = `${name} ${number}`;
    seen.add(own);
    return [own, item] as const;
  });
}

function parsedOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
