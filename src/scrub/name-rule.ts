import { before, NOTHING, type Rule, type Span } from '../core/redact/scan.ts';
import { isPersonal } from './distinctive.ts';
import type { NameShape } from './rules.ts';

/** Characters before an anchor that a shape may look at. */
const LOOK_BACK = 24;
/** `+1 555 0100` is made up; a number that reaches someone has more digits. */
const FEWEST_DIGITS = 10;

export function nameRuleOf({ kind, anchors, before: head, name }: NameShape): Rule {
  return {
    anchors,
    find: (place) => {
      if (head !== undefined && !head.test(before(place, LOOK_BACK))) return NOTHING;
      const { text, after } = place;
      name.lastIndex = after;
      const found = name.exec(text);
      if (found === null) return NOTHING;
      const spans: Span[] = [];
      let from = after;
      for (const group of found.slice(1)) {
        if (group === undefined || group === '') continue;
        const start = text.indexOf(group, from);
        from = start + group.length;
        const value = kind === 'phone number' ? group : group.replace(/[.-]{1,40}$/, '');
        if (isFind(kind, value))
          spans.push({ kind, start: start - (kind === 'phone number' ? 1 : 0), end: start + value.length });
      }
      return spans;
    },
  };
}

function isFind(kind: string, value: string): boolean {
  if (kind === 'phone number') return value.replaceAll(/\D/g, '').length >= FEWEST_DIGITS;
  return kind === 'user mention' || isPersonal(value);
}
