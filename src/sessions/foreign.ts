/** Something people have that is not read as it is: who writes it, and what to do instead when that is one step. */
export interface ForeignLog {
  readonly title: string;
  readonly remedy?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Lines looked at: logs open with a few lines that only name the session. */
const LOOKED_AT = 50;

/**
 * Recognises what other APIs take by its structure, so that a person reads what the file is instead of which field the first line lacks.
 * Null for what is none of them, and for anything that holds messages with a role.
 */
export function foreignLogOf(root: unknown): ForeignLog | null {
  if (Array.isArray(root)) return foreignListOf(root.slice(0, LOOKED_AT).filter(isFields));
  return isFields(root) ? foreignObjectOf(root) : null;
}

function foreignListOf(items: readonly Fields[]): ForeignLog | null {
  const [first] = items;
  if (first === undefined || 'role' in first) {
    if (items.some(isResponsesItem)) return RESPONSES;
    return items.length > 0 && items.every(isGeminiContent) ? GEMINI_API : null;
  }
  return items.some(isResponsesItem) ? RESPONSES : null;
}

function foreignObjectOf(root: Fields): ForeignLog | null {
  const { messages, contents, input } = root as {
    readonly messages?: unknown;
    readonly contents?: unknown;
    readonly input?: unknown;
  };
  if (Array.isArray(messages)) return null;
  if (isListOf(contents, (item) => Array.isArray(item['parts']))) return GEMINI_API;
  if (Array.isArray(input) && input.filter(isFields).some((item) => isResponsesItem(item) || 'role' in item))
    return RESPONSES;
  return null;
}

const RESPONSES: ForeignLog = { title: 'a list of items of the OpenAI Responses API' };
const GEMINI_API: ForeignLog = { title: 'a request of the Gemini API' };

function isResponsesItem(item: Fields): boolean {
  const { type, content } = item as { readonly type?: unknown; readonly content?: unknown };
  if (type === 'function_call' || type === 'function_call_output') return 'call_id' in item;
  return isListOf(content, (part) => part['type'] === 'input_text' || part['type'] === 'output_text');
}

function isGeminiContent(item: Fields): boolean {
  return Array.isArray(item['parts']) && (item['role'] === 'user' || item['role'] === 'model');
}

function isListOf(value: unknown, test: (item: Fields) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && isFields(value[0]) && test(value[0]);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
