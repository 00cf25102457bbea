import { isRecord } from './guards.ts';

/** A value found in a request, and the names that lead to it. */
export interface FoundField {
  readonly path: string;
  readonly value: unknown;
}

/** The values at a path such as `config.tools`; `*` stands for any name, so there may be several. */
export function valuesAt(value: unknown, path: string): readonly FoundField[] {
  return path.split('.').reduce<readonly FoundField[]>(
    (found, key) =>
      found.flatMap(({ path: before, value: holder }) => {
        if (!isRecord(holder)) return [];
        const keys = key === '*' ? Object.keys(holder) : [key];
        return keys.map((name) => ({ path: before === '' ? name : `${before}.${name}`, value: holder[name] }));
      }),
    [{ path: '', value }],
  );
}
