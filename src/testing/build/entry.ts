/** A message as it is on the wire. */
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

/** What a builder has been told, one message after the other. */
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

/** The prompt that system texts at the beginning make together, and the entries behind it. */
export function splitPrompt(entries: readonly Entry[]): { readonly prompt: string; readonly rest: readonly Entry[] } {
  const start = entries.findIndex((entry) => entry.role !== 'system');
  const leading = entries.slice(0, start < 0 ? entries.length : start);
  const prompt = leading.flatMap((entry) => (entry.role === 'system' ? [entry.text] : [])).join('\n\n');
  return { prompt, rest: entries.slice(leading.length) };
}
