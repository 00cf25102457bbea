import { type AssistantEntry, argumentsObject, type Entry, splitPrompt, type WireObject } from './entry.ts';

/** The part of a Gemini request that holds the conversation. */
export interface BuiltContents {
  /** The leading system texts; absent when there are none. */
  readonly systemInstruction?: WireObject;
  /** All other messages. */
  readonly contents: readonly WireObject[];
}

/** Leading system texts become the instruction, later ones user contents; consecutive results stand in one content. */
export function writeGemini(entries: readonly Entry[]): BuiltContents {
  const { prompt, rest } = splitPrompt(entries);
  const contents: WireObject[] = [];
  const tools = new Map<string, string>();
  let results: WireObject[] = [];
  for (const entry of rest) {
    if (entry.role === 'tool') {
      if (results.length === 0) contents.push({ role: 'user', parts: results });
      const response = { [entry.failed ? 'error' : 'output']: entry.text };
      results.push({ functionResponse: { id: entry.id, name: tools.get(entry.id) ?? 'unknown', response } });
      continue;
    }
    results = [];
    if (entry.role !== 'assistant') contents.push({ role: 'user', parts: [{ text: entry.text }] });
    else {
      for (const { id, tool } of entry.calls) tools.set(id, tool);
      contents.push({ role: 'model', parts: partsOf(entry) });
    }
  }
  return { ...(prompt === '' ? {} : { systemInstruction: { parts: [{ text: prompt }] } }), contents };
}

/** The signature of a thought stands on the first call, or on the text when there is no call. */
function partsOf({ reasoning, text, calls }: AssistantEntry): readonly WireObject[] {
  const signature = reasoning?.signature == null ? {} : { thoughtSignature: reasoning.signature };
  return [
    ...(reasoning === null ? [] : [{ text: reasoning.text, thought: true }]),
    ...(text === null ? [] : [{ text, ...(calls.length === 0 ? signature : {}) }]),
    ...calls.map(({ id, tool, args }, at) => ({
      functionCall: { id, name: tool, args: argumentsObject(args) },
      ...(at === 0 ? signature : {}),
    })),
  ];
}
