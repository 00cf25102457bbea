/** The text, or its beginning and `…` when it is longer. */
export function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, safeCut(text, chars - 1))}…`;
}

/** The position of a cut, moved back if it would split a surrogate pair. */
export function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
