/** Formats a share: `87.5 %`. */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Formats a difference with its sign: shares in percentage points, grades unchanged. */
export function signed(value: number, scale: 1 | 5): string {
  const text = scale === 1 ? (100 * value).toFixed(1) : value.toFixed(2);
  const isZero = Number(text) === 0;
  return `${isZero ? '±' : value > 0 ? '+' : '−'}${text.replace('-', '')}`;
}

export function score(value: number, scale: 1 | 5): string {
  return scale === 1 ? percent(value) : value.toFixed(2);
}

export function pValue(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

export function usd(value: number | null): string {
  if (value === null) return 'unknown';
  return value === 0 ? '$0' : `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

export function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}
