import { InvalidArgumentError } from 'commander';

/** A parser for whole-number flags: `10000`, `10_000` and `10k` all mean ten thousand. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const match = /^(\d[\d_,]*)([kKmM]?)$/.exec(text.trim());
    const unit = match?.[2]?.toLowerCase() === 'k' ? 1_000 : match?.[2]?.toLowerCase() === 'm' ? 1_000_000 : 1;
    const value = match === null ? Number.NaN : Number((match[1] ?? '').replaceAll(/[_,]/g, '')) * unit;
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`Expected a whole number of ${least} or more, such as 10000, 10_000 or 10k.`);
  };
}

/** Headings, separated by commas. */
export function headings(text: string): readonly string[] {
  const found = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (found.length > 0) return found;
  throw new InvalidArgumentError('Expected headings separated by commas, such as "Goal,Risks,Next Steps".');
}
