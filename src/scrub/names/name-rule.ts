import { before, NOTHING, type Rule, type Span } from '../../core/redact/scan.ts';
import type { NameShape } from '../rules.ts';
import { isPersonal } from './distinctive.ts';

/** Characters before an anchor that a shape may read. */
const LOOK_BACK = 24;
/** `+1 555 0100` is fictional; a number that reaches someone has more digits. */
const FEWEST_DIGITS = 10;

export function nameRuleOf({ kind, anchors, before: head, name: shape }: NameShape): Rule {
  const name = new RegExp(shape.source, `${shape.flags}d`);
  return {
    anchors,
    find: (place) => {
      if (head !== undefined && !head.test(before(place, LOOK_BACK))) return NOTHING;
      const { text, after } = place;
      name.lastIndex = after;
      const found = name.exec(text);
      if (found === null) return NOTHING;
      const spans: Span[] = [];
      for (const group of found.indices?.slice(1) ?? []) {
        if (group === undefined) continue;
        const [start, end] = group;
        const written = text.slice(start, end);
        const value = kind === 'phone number' ? written : written.replace(/[.-]{1,40}$/, '');
        // The anchor of a phone number is its `+`.
        const first = kind === 'phone number' ? start - 1 : start;
        if (isFind(kind, value)) spans.push({ kind, start: first, end: start + value.length });
      }
      return spans;
    },
  };
}

function isFind(kind: string, value: string): boolean {
  if (kind === 'phone number') return value.replaceAll(/\D/g, '').length >= FEWEST_DIGITS;
  if (kind === 'user mention') return value !== '' && !/^user\d*$/.test(value);
  return isPersonal(value);
}
