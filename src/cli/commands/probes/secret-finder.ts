/** Everything that the scrubber would replace in a text, by rule. */
export async function secretFinder(): Promise<(text: string) => readonly string[]> {
  const { createScrubber } = await import('../../../scrub/scrub-text.ts');
  const scrubber = createScrubber();
  return (text) => scrubber.leftIn(text).map(({ rule }) => rule);
}
