/** What a call does to one file. */
export interface FileEffect {
  readonly path: string;
  readonly effect: 'read' | 'created' | 'modified' | 'deleted' | 'renamed';
  /** Where a renamed file was. */
  readonly from?: string;
}

/** The effect with its paths below a folder, unless they are absolute. */
export function within(folder: string, { path, effect, from }: FileEffect): FileEffect {
  const place = (name: string): string =>
    normalizePath(folder === '' || /^[/~]|^[A-Za-z]:/.test(name) ? name : `${folder}/${name}`);
  return { path: place(path), effect, ...(from === undefined ? {} : { from: place(from) }) };
}

/** The path without `.`, `..`, doubled slashes and a slash at its end. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
