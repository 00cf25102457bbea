import { endOf, NOTHING, type Rule, startsToken } from '../../core/redact/scan.ts';

/** A user's rule: a literal start, and the text that may follow it. */
export interface UserRule {
  readonly name: string;
  readonly starts: readonly string[];
  /** Source of a regular expression for the text after the start. Absent: the start alone. */
  readonly body?: string | undefined;
  readonly replacement?: string | undefined;
  /** True to replace only the text after the start. */
  readonly keepStart?: boolean | undefined;
}

/** A user's names, each with its chosen replacement; null lets the scrubber choose. */
export interface NameList {
  readonly projects: ReadonlyMap<string, string | null>;
  readonly hosts: ReadonlyMap<string, string | null>;
  readonly people: ReadonlyMap<string, string | null>;
  /** Names that are never replaced. */
  readonly keep: readonly string[];
}

export const NO_NAMES: NameList = { projects: new Map(), hosts: new Map(), people: new Map(), keep: [] };

/** Characters after a start that a user's rule may read. The bound limits the cost of any expression. */
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
