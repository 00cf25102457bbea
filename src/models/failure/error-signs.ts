/** Facts that can be read from any thrown value. */
export interface ErrorSigns {
  /** HTTP status; null when there was no response. */
  readonly status: number | null;
  /** Messages and body, for matching only: they may hold keys and transcript content, so no message may quote them. */
  readonly text: string;
  /** Names of error classes, outermost first. */
  readonly names: readonly string[];
  /** `ECONNREFUSED` and the like; null when no system call failed. */
  readonly errno: string | null;
  /** The provider's names for the error, if they are plain identifiers. */
  readonly codes: readonly string[];
  readonly headers: Readonly<Record<string, unknown>>;
  /** Host of the request; null when unknown. Never the whole address, which may hold a key. */
  readonly host: string | null;
}

/** Most errors to unwrap: a retry error wraps the last one, a connection error wraps the system's. */
const MOST_DEPTH = 6;
/** Most characters of text. The cause comes first; the rest may be the request. */
const MOST_TEXT = 4_000;

export function signsOf(thrown: unknown): ErrorSigns {
  const layers = layersOf(thrown);
  const objects = layers.filter(isObject);
  const bodies = objects.flatMap((layer) => [layer['data'], parseBody(layer['responseBody'])]).filter(isObject);
  const inner = [...objects, ...bodies].flatMap((layer) => [layer, layer['error']]).filter(isObject);
  return {
    status: first(
      inner,
      (layer) => statusOf(layer['statusCode']) ?? statusOf(layer['status']) ?? statusOf(layer['code']),
    ),
    text: matchableText(layers),
    names: objects.flatMap((layer) => (typeof layer['name'] === 'string' ? [layer['name']] : [])),
    errno: first(objects, (layer) => errnoOf(layer['code'])),
    codes: [...new Set(inner.flatMap((layer) => [layer['type'], layer['code'], layer['status']]).filter(isPlainWord))],
    headers: first(objects, (layer) => (isObject(layer['responseHeaders']) ? layer['responseHeaders'] : null)) ?? {},
    host: first(objects, (layer) => hostOf(layer['url'])),
  };
}

function layersOf(thrown: unknown): readonly unknown[] {
  const layers: unknown[] = [];
  for (let layer: unknown = thrown; layer != null && layers.length < MOST_DEPTH && !layers.includes(layer); ) {
    layers.push(layer);
    if (!isObject(layer)) break;
    const { lastError, cause, errors } = layer;
    // Node throws a list of errors when every address of a host refused.
    layer = lastError ?? cause ?? (Array.isArray(errors) ? errors.at(-1) : undefined);
  }
  return layers;
}

function matchableText(layers: readonly unknown[]): string {
  const texts = layers.flatMap((layer) => {
    if (!isObject(layer)) return [layer];
    const nested = isObject(layer['error']) ? layer['error']['message'] : layer['error'];
    return [layer['message'], layer['responseBody'], nested];
  });
  const own = texts.filter((text) => typeof text === 'string').map((text) => text.slice(0, MOST_TEXT));
  return own.join('\n');
}

function parseBody(text: unknown): unknown {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    // Google wraps streamed errors in a list.
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return null;
  }
}

function statusOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599 ? value : null;
}

function errnoOf(value: unknown): string | null {
  return typeof value === 'string' && /^(?:E[A-Z_]{2,20}|UND_ERR_[A-Z_]{2,30}|[A-Z_]*CERT[A-Z_]*)$/.test(value)
    ? value
    : null;
}

/** True for letters and underscores only, which cannot be a key or a word of a conversation. */
function isPlainWord(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z]+(?:_[A-Za-z]+)+$/.test(value) && value.length <= 48;
}

function hostOf(url: unknown): string | null {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : null;
}

function first<T, R>(values: readonly T[], read: (value: T) => R | null): R | null {
  for (const value of values) {
    const found = read(value);
    if (found !== null) return found;
  }
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
