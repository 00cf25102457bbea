/** The kind of name decides its replacement. */
export type NameLabel = 'user' | 'contributor' | 'e-mail' | 'mention' | 'host' | 'project' | 'phone' | 'secret';

/** Gives each original its own replacement, always the same, so that people, hosts and keys stay distinct. */
export interface Names {
  /** `kind` only matters for secrets, whose replacement names it. */
  replacementOf(label: NameLabel, original: string, kind?: string): string;
  /** Sets the user's replacement for an original. */
  choose(label: NameLabel, original: string, replacement: string): void;
  /** Number of different originals. */
  distinct(label: NameLabel, kind?: string): number;
}

export function createNames(): Names {
  const numbers = new Map<string, Map<string, number>>();
  const chosen = new Map<string, string>();
  return {
    replacementOf: (label, original, kind = '') => {
      const key = keyOf(label, original);
      const own = chosen.get(`${label} ${key}`);
      if (own !== undefined) return own;
      const group = `${label} ${kind}`;
      const known = numbers.get(group) ?? new Map<string, number>();
      numbers.set(group, known);
      const number = known.get(key) ?? known.size + 1;
      known.set(key, number);
      return REPLACEMENTS[label](number, kind);
    },
    choose: (label, original, replacement) => void chosen.set(`${label} ${keyOf(label, original)}`, replacement),
    distinct: (label, kind = '') => numbers.get(`${label} ${kind}`)?.size ?? 0,
  };
}

/** Names match in any case and with any separator between their parts; a secret only matches itself. */
export function keyOf(label: NameLabel, original: string): string {
  if (label === 'secret') return original;
  const lower = original.toLowerCase();
  // `<@!1>` is `<@1>`, and Slack may add a name to an id.
  if (label === 'mention') return lower.replace(/^!/, '').replace(/\|.*$/s, '');
  return label === 'user' || label === 'contributor' ? lower.replaceAll(/[ ._-]/g, '') || lower : lower;
}

const REPLACEMENTS: Readonly<Record<NameLabel, (number: number, kind: string) => string>> = {
  user: (number) => `user${number === 1 ? '' : number}`,
  contributor: (number) => `Contributor${number === 1 ? '' : ` ${number}`}`,
  'e-mail': (number) => `contributor${number === 1 ? '' : `+${number}`}@example.com`,
  mention: (number) => `user${number === 1 ? '' : number}`,
  host: (number) => `host${number === 1 ? '' : number}`,
  project: (number) => `project${number === 1 ? '' : number}`,
  // Numbers reserved for fiction, too short for the rule to find again.
  phone: (number) => `+1-555-0${100 + ((number - 1) % 100)}`,
  secret: (number, kind) => `[redacted: ${kind}${number === 1 ? '' : ` ${number}`}]`,
};

/** Writes `user`, `User` or `USER`, in the case of the original. */
export function inCaseOf(original: string, replacement: string): string {
  const letters = original.replaceAll(/[^\p{L}]/gu, '');
  if (letters.length > 1 && letters === letters.toUpperCase() && letters !== letters.toLowerCase())
    return replacement.toUpperCase();
  const [first = ''] = letters;
  return first !== first.toLowerCase()
    ? replacement.charAt(0).toUpperCase() + replacement.slice(1)
    : replacement.charAt(0).toLowerCase() + replacement.slice(1);
}
