/** `missing` is something nobody asked for; `failed` is something that should work and does not. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'missing' | 'failed';
  readonly text: string;
}
