/** How to complete a base URL that names only a server. */
export interface BaseURLForm {
  /** Path of the API, e.g. `/v1`. */
  readonly path: string;
  /**
   * When to add the path: `when-bare` only to a URL without any path, `always` to every URL that does not end in it. `always` is for providers
   * whose users write the URL without it.
   */
  readonly complete: 'always' | 'when-bare';
  /** Port to add when none is given. */
  readonly port?: number;
}

/**
 * Completes a base URL for the SDK: `localhost:8080` → `http://localhost:8080/v1`. Returns null for a text that is not a URL, and for a URL with
 * a password, which belongs in a key variable.
 */
export function baseURLOf(text: string, form: BaseURLForm): string | null {
  const trimmed = text.trim().replace(/^(?=:\d)/, '127.0.0.1');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  // A server may listen on this address, but it cannot be called there.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const hasPort = url.protocol === 'https:' || /:\d+(?:\/|$)/.test(trimmed);
  if (form.port !== undefined && !hasPort) url.port = String(form.port);
  const path = url.pathname.replace(/\/+$/, '');
  const isComplete = form.complete === 'always' ? path.endsWith(form.path) : path !== '';
  return `${url.origin}${isComplete ? path : `${path}${form.path}`}`;
}

/** Says whether a URL is on this machine, which may be called without permission. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
