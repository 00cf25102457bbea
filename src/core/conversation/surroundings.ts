/** Everything that a request holds next to its messages, as far as it takes tokens, reserves them, or moves messages to a server. */
export interface Surroundings {
  /** Tool definitions, schemas of answers and other text that the model reads outside the messages, as JSON; empty when there are none. */
  readonly tools: string;
  /** Most tokens of an answer that the request allows; null when it does not say. */
  readonly output: number | null;
  /** Field of the request, or kind of item, that makes a server keep or edit earlier messages; null when the request holds them all. */
  readonly server: string | null;
}

/** Says why nobody touches a request whose history is not all in it. */
export function keptByServer(server: string): string {
  return `a server keeps or edits earlier messages (\`${server}\`), so the request stays as it is`;
}

export const NO_SURROUNDINGS: Surroundings = { tools: '', output: null, server: null };
