/** Every run of white space as one blank, so that texts compare whatever their line breaks. */
export function singleSpaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
