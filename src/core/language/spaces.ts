/** Turns every run of white space into one space, so that line breaks do not matter when texts are compared. */
export function singleSpaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
