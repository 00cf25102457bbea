import { endOf, NOTHING, type Rule, startsToken } from '../../core/redact/scan.ts';

/** A rule of the user's: a literal start, and what may follow it. */
export interface UserRule {
  readonly name: string;
  readonly starts: readonly string[];
  /** What follows the start, as the source of a regular expression. Absent: the start alone. */
  readonly body?: string | undefined;
  readonly replacement?: string | undefined;
  /** True when only what follows is replaced. */
  readonly keepStart?: boolean | undefined;
}

/** Names of the user's, each with the replacement that was chosen or null. */
export interface NameList {
  readonly projects: ReadonlyMap<string, string | null>;
  readonly hosts: ReadonlyMap<string, string | null>;
  readonly people: ReadonlyMap<string, string | null>;
  /** Never replaced. */
  readonly keep: readonly string[];
}

export const NO_NAMES: NameList = { projects: new Map(), hosts: new Map(), people: new Map(), keep: [] };

/** Characters behind a start that a rule of the user's may look at: whatever it costs, it costs it on this much. */
const WINDOW = 400;

export function userRuleOf({ name, starts, body, keepStart }: UserRule): Rule {
  const pattern = body === undefined ? null : new RegExp(`(?:${body})`, 'uy');
  return {
    anchors: starts,
    find: (place) => {
      const { text, at, after } = place;
      if (keepStart !== true && !startsToken(place)) return NOTHING;
      const length = pattern === null ? 0 : endOf(pattern, text.slice(after, after + WINDOW), 0);
      const start = keepStart === true ? after : at;
      const end = after + length;
      return length < 0 || start === end ? NOTHING : [{ kind: name, start, end }];
    },
  };
}
