/** The parts that charts are made of: escaped text, colours for light and dark, a frame. No scripts, no outside fonts. */

/** Text as it may stand in XML: marks escaped, control characters, which XML does not know at all, left out. */
export function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  const clean = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').toWellFormed();
  return clean.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A coordinate: one decimal is less than a pixel can show. */
export function at(value: number): string {
  return String(Number(value.toFixed(1)));
}

const LIGHT: readonly string[] = [
  '#2563c9',
  '#c2410c',
  '#15803d',
  '#7c3aed',
  '#b4237a',
  '#0e7490',
  '#8a6100',
  '#52606d',
];
const DARK: readonly string[] = [
  '#6ea8ff',
  '#ff9a62',
  '#5fd38a',
  '#b79cff',
  '#ff85c2',
  '#4fd1e0',
  '#e2b33c',
  '#a9b6c4',
];

/** The class that gives a line or bar its colour; more than there are colours begin again. */
export function colour(index: number): string {
  return `c${index % LIGHT.length}`;
}

/** Lines that share a colour differ in their dashes. */
export function dashes(index: number): string {
  const round = Math.floor(index / LIGHT.length) % 3;
  return round === 0 ? '' : ` stroke-dasharray="${round === 1 ? '6 4' : '2 3'}"`;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly body: readonly string[];
}

export function svg({ width, height, title, body }: Frame): string {
  const paint = (colours: readonly string[]): string =>
    colours.map((value, index) => `.c${index}{--c:${value}}`).join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    '<style>',
    'text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;fill:var(--ink)}',
    'svg{--ink:#1f2933;--soft:#5b6773;--rule:#e3e8ee;--paper:#fff}',
    '.title{font-size:15px;font-weight:600}.soft{fill:var(--soft)}.end{text-anchor:end}.mid{text-anchor:middle}',
    '.paper{fill:var(--paper)}.rule{stroke:var(--rule)}.axis{stroke:var(--soft)}',
    '.line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}.dots{stroke:var(--c);stroke-width:6;stroke-linecap:round}.bar{fill:var(--c)}.name{fill:var(--c);font-weight:600}.lead{fill:none;stroke:var(--c);opacity:.45}',
    paint(LIGHT),
    `@media(prefers-color-scheme:dark){svg{--ink:#e6ebf0;--soft:#9aa7b4;--rule:#2b333d;--paper:#11161c}${paint(DARK)}}`,
    '</style>',
    `<rect class="paper" width="${width}" height="${height}" rx="8"/>`,
    `<text class="title" x="20" y="28">${escaped(title)}</text>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}
