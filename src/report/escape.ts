// Control characters could move the cursor of a terminal or break a document; line ends become spaces.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Writes text on one line, without control characters. */
export function plain(text: string): string {
  return text.replaceAll(CONTROL, ' ').trim();
}

/** Escapes text so that Markdown shows it unchanged, also in a table. */
export function markdown(text: string): string {
  return (
    plain(text)
      .replaceAll(/[\\`*_[\]|~#]/g, '\\$&')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // Text of a session must not mention a person or link to an issue.
      .replaceAll('@', '@\u200b')
  );
}

/** Escapes text for XML content and attributes. */
export function xml(text: string): string {
  return text
    .replaceAll(CONTROL, ' ')
    .replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Escapes text for HTML content and attributes. */
export function html(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Cuts a text to a length, and marks the cut. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, Math.max(0, length - 1))
        .join('')
        .trimEnd()}…`;
}
