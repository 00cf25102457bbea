/** The oldest Node this package runs on, as in `engines` of package.json. */
export const OLDEST_NODE: readonly [major: number, minor: number] = [22, 18];

/** One sentence when this version of Node is too old, else null. Written for old versions, so it uses nothing new and imports nothing. */
export function complaintAbout(version: string): string | null {
  const parts = version.split('.').map(Number);
  const major = parts[0] || 0;
  const minor = parts[1] || 0;
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return null;
  return `precis: expected Node.js ${OLDEST_NODE.join('.')} or later, got ${version}; get a newer one from https://nodejs.org`;
}
