/** What is said in a loop, before a wire format writes it down. */

export const FORMATS = ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'langchain'] as const;
export type FormatId = (typeof FORMATS)[number];

/** A JSON object on its way to a provider. */
export type Wire = Readonly<Record<string, unknown>>;

export type Said = UserSaid | ReminderSaid | AssistantSaid | ResultsSaid;

export interface UserSaid {
  readonly role: 'user';
  readonly pieces: readonly Piece[];
}

/** A late message of the host, in the role of system or developer. */
export interface ReminderSaid {
  readonly role: 'reminder';
  readonly text: string;
}

export interface AssistantSaid {
  readonly role: 'assistant';
  /** Reasoning before everything else; the server signs it. */
  readonly thought: string | null;
  readonly text: string | null;
  /** Calls that the provider itself runs and answers. */
  readonly hosted: readonly Hosted[];
  readonly calls: readonly Call[];
}

export interface ResultsSaid {
  readonly role: 'results';
  readonly results: readonly Result[];
}

export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly base64: string }
  | { readonly type: 'file'; readonly name: string; readonly base64: string };

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface Result {
  readonly id: string;
  readonly tool: string;
  readonly pieces: readonly Piece[];
}

export const HOSTED_KINDS = ['web-search', 'code', 'mcp', 'mcp-list', 'picture', 'computer', 'future'] as const;

export interface Hosted {
  readonly kind: (typeof HOSTED_KINDS)[number];
  readonly id: string;
  readonly input: string;
  readonly output: string;
  /** A PNG for the kinds that return one. */
  readonly base64: string;
}

export const text = (value: string): Piece => ({ type: 'text', text: value });
