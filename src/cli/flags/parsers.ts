import { InvalidArgumentError } from 'commander';

/** A parser for whole numbers: `10000`, `10_000`, `10,000` and `10k` all mean ten thousand. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const match = /^(\d[\d_,]*)([kKmM]?)$/.exec(text.trim());
    const unit = match?.[2]?.toLowerCase() === 'k' ? 1_000 : match?.[2]?.toLowerCase() === 'm' ? 1_000_000 : 1;
    const value = match === null ? Number.NaN : Number((match[1] ?? '').replaceAll(/[_,]/g, '')) * unit;
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Expected a whole number of ${least} or more, such as 10000, 10_000 or 10k.`);
  };
}

/** A parser for numbers above 0 and up to `most`. */
export function fraction(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value > 0 && value <= most) return value;
    throw new InvalidArgumentError(
      `Expected a number above 0, at most ${most}, such as ${most === 1 ? '0.05' : '0.25'}.`,
    );
  };
}

export function dollars(text: string): number {
  const value = Number(text.trim().replace(/^\$/, ''));
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError('Expected US dollars, such as 0.50.');
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30s` in milliseconds. */
export function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  if (match !== null && unit !== undefined) return Number(match[1]) * unit;
  throw new InvalidArgumentError('Expected a time such as 30s, 500ms, 5m or 1h.');
}

export function headings(text: string): readonly string[] {
  const found = commaSeparated(text);
  if (found.length > 0) return found;
  throw new InvalidArgumentError('Expected headings separated by commas, such as "Goal,Risks,Next Steps".');
}

export function names(text: string): readonly string[] {
  const found = commaSeparated(text);
  if (found.length > 0) return [...new Set(found)];
  throw new InvalidArgumentError('Expected names separated by commas.');
}

export function commaSeparated(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** For flags that may be repeated. */
export function addedTo(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}
