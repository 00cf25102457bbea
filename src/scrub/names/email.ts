import { NOTHING, type Place, type Rule, type Span } from '../../core/redact/scan.ts';
import { NO_DOMAIN, NOBODYS_DOMAIN, NOBODYS_LOCAL } from '../rules.ts';
import { isPersonal } from './distinctive.ts';

/** Longest name of a mailbox. */
const LONGEST_LOCAL = 64;
const LOCAL_CHARACTER = /[\p{L}\p{N}._%+-]/u;
const DOMAIN = /[\p{L}\p{N}][\p{L}\p{N}-]{0,62}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/uy;
const END_OF_DOMAIN = /\.(?:\p{L}{2,24}|xn--[a-z0-9-]{2,40})$/iu;
/** In `ssh name@10.0.0.5` the address stays. */
const ADDRESS_OF_MACHINE = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** `name@host:~$`, a shell prompt. */
const PROMPT = /([A-Za-z0-9][A-Za-z0-9-]{1,62})(?::(?:~|\/(?!\/))| [~/][^\n]{0,80}[%$#] )/y;

/** Finds an e-mail address, with the name before it as in `Author: Name <address>`, or a shell prompt. Every read is bounded, so time stays linear. */
export const emailRule: Rule = {
  anchors: ['@', '%40'],
  find: (place) => {
    const { text, at, after } = place;
    const start = localStart(place);
    if (start === at) return NOTHING;
    const local = text.slice(start, at);
    DOMAIN.lastIndex = after;
    const domain = DOMAIN.exec(text)?.[0]?.replace(/[.-]{1,9}$/, '') ?? '';
    if (ADDRESS_OF_MACHINE.test(domain) && isPersonal(local) && !NOBODYS_LOCAL.test(local))
      return [{ kind: 'user name', start, end: at }];
    if (!END_OF_DOMAIN.test(domain)) return promptSpans(place, start);
    const end = after + domain.length;
    if (text.charAt(end) === '(' || NO_DOMAIN.test(domain)) return NOTHING;
    const isNobodys = NOBODYS_LOCAL.test(local) || NOBODYS_DOMAIN.test(domain);
    const address: readonly Span[] = isNobodys ? NOTHING : [{ kind: 'e-mail address', start, end }];
    const isBracketed = text.charAt(start - 1) === '<' && text.charAt(end) === '>';
    return isBracketed ? [...nameBefore(place, start - 1, isNobodys), ...address] : address;
  },
};

function localStart({ text, at, floor }: Place): number {
  const least = Math.max(floor, at - LONGEST_LOCAL);
  let start = at;
  while (start > least && LOCAL_CHARACTER.test(text.charAt(start - 1))) start--;
  // In nested JSON a line may end with `\n`, whose letter does not belong to the next word.
  if (start < at && text.charAt(start - 1) === '\\' && /[nrtbf]/.test(text.charAt(start))) start++;
  const encoded = text.slice(start, at).lastIndexOf('%');
  if (encoded >= 0 && /^%[0-9a-fA-F]{2}/.test(text.slice(start + encoded))) start += encoded + 3;
  while (start < at && !/[\p{L}\p{N}_]/u.test(text.charAt(start))) start++;
  return start;
}

const BY_WORD =
  /(?:(?:author|committer|tagger|from|maintainer|[a-z]{2,12}-by)["']?[ \t]?[:=][ \t]{0,8}["']?|(?:^|\n|\\n)(?:author|committer|tagger) )([^<>\n"'`;,():=\\]{2,60}?)["']?[ \t]{1,4}$/i;
const BY_CAPITALS =
  /(?:^|[\n"'`(,;>*|-]|\\n)[ \t]{0,20}(\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,30}){1,3})["']? $/u;

/** The name of the person, before the address in angle brackets. */
function nameBefore({ text, floor }: Place, bracket: number, isNobodys: boolean): readonly Span[] {
  const head = text.slice(Math.max(floor, bracket - 120), bracket);
  // Without a word such as `Author`, only a person's address shows that the text before it is a name.
  const found = BY_WORD.exec(head) ?? (isNobodys ? null : BY_CAPITALS.exec(head));
  const name = found?.[1] ?? '';
  if (found === null || !isPersonal(name) || /\[bot\]$|^(?:GitHub|Claude|Cursor|Copilot|Codex)\b/.test(name))
    return NOTHING;
  const start = bracket - head.length + found.index + found[0].lastIndexOf(name);
  return [{ kind: 'author name', start, end: start + name.length }];
}

function promptSpans(place: Place, start: number): readonly Span[] {
  const { text, at, after } = place;
  if (!/(?:^|[\s[("'`]|\\[nrt]|\[[0-9;]{0,12}m)$/.test(text.slice(Math.max(0, start - 16), start))) return NOTHING;
  PROMPT.lastIndex = after;
  const host = PROMPT.exec(text)?.[1];
  const user = text.slice(start, at);
  if (host === undefined || NOBODYS_LOCAL.test(user)) return NOTHING;
  return [
    ...(isPersonal(user) ? [{ kind: 'user name', start, end: at }] : []),
    ...(isPersonal(host) ? [{ kind: 'host name', start: after, end: after + host.length }] : []),
  ];
}
