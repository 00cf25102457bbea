/** How a base URL is completed when only a server was named. */
export interface BaseURLForm {
  /** Path of the API, e.g. `/v1`. */
  readonly path: string;
  /** `always` where by convention the path is left out, `when-bare` where only a bare host lacks it. */
  readonly complete: 'always' | 'when-bare';
  /** Port of a server that was named without one. */
  readonly port?: number;
}

/**
 * A base URL as people write them, as the SDK wants it: `localhost:8080` → `http://localhost:8080/v1`. Null when it is none,
 * or when it holds a password, which belongs into a variable for keys.
 */
export function baseURLOf(text: string, form: BaseURLForm): string | null {
  const trimmed = text.trim().replace(/^(?=:\d)/, '127.0.0.1');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  // What a server listens on is not where it is called.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const hasPort = url.protocol === 'https:' || /:\d+(?:\/|$)/.test(trimmed);
  if (form.port !== undefined && !hasPort) url.port = String(form.port);
  const path = url.pathname.replace(/\/+$/, '');
  const isComplete = form.complete === 'always' ? path.endsWith(form.path) : path !== '';
  return `${url.origin}${isComplete ? path : `${path}${form.path}`}`;
}

/** True for addresses on this machine, which may be called without being asked to. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
