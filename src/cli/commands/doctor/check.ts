/** `missing` is optional; `failed` should work and does not. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'missing' | 'failed';
  readonly text: string;
}
