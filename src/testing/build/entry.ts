/** A message on the wire. */
export type WireObject = Readonly<Record<string, unknown>>;

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: object | string;
}

export interface Reasoning {
  readonly text: string;
  readonly signature: string | null;
}

/** A message as the builder was told it. */
export type Entry =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string | null;
      readonly reasoning: Reasoning | null;
      readonly calls: readonly Call[];
    }
  | { readonly role: 'tool'; readonly id: string; readonly text: string; readonly failed: boolean };

export type AssistantEntry = Extract<Entry, { readonly role: 'assistant' }>;
export type ToolEntry = Extract<Entry, { readonly role: 'tool' }>;

/** Joins the leading system texts to a prompt, for formats that keep it in a field of its own. */
export function splitPrompt(entries: readonly Entry[]): { readonly prompt: string; readonly rest: readonly Entry[] } {
  const start = entries.findIndex((entry) => entry.role !== 'system');
  const leading = entries.slice(0, start < 0 ? entries.length : start);
  const prompt = leading.flatMap((entry) => (entry.role === 'system' ? [entry.text] : [])).join('\n\n');
  return { prompt, rest: entries.slice(leading.length) };
}

/** Arguments as text, for formats that hold them as JSON. */
export function argumentsText(args: Call['args']): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}

/** Arguments as a value, for formats that hold them as an object. */
export function argumentsObject(args: Call['args']): unknown {
  return typeof args === 'string' ? (JSON.parse(args) as unknown) : args;
}
