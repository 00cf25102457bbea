/** What a request ends in when the model is in the middle of a turn, in any format. */
const RESULT = /"(?:tool[_-]result|functionResponse|[a-z_]*_call_output)"|"role":"tool"/;

/** True for a request that ends in words of the user: a model that thinks begins its answer with a thought then. */
export function beginsTurn(request: unknown): boolean {
  const fields = request as Readonly<Record<string, unknown>>;
  const list = ['messages', 'contents', 'input'].map((key) => fields[key]).find(Array.isArray) ?? request;
  return Array.isArray(list) && !RESULT.test(JSON.stringify(list.at(-1)));
}
