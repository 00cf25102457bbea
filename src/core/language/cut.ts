/** The text, or its beginning with a mark when it is longer. */
export function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, safeCut(text, chars - 1))}…`;
}

/** The cut moved back so that it does not part a surrogate pair. */
export function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
