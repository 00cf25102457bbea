import { argumentsText, type Entry, splitPrompt, type WireObject } from './entry.ts';

/** The part of an OpenAI Responses request that holds the conversation. */
export interface BuiltInput {
  /** The leading system texts; absent when there are none. */
  readonly instructions?: string;
  /** The items of all other messages. */
  readonly input: readonly WireObject[];
}

/** Leading system texts become the instructions; each part of a message becomes an item. */
export function writeResponses(entries: readonly Entry[]): BuiltInput {
  const { prompt, rest } = splitPrompt(entries);
  return { ...(prompt === '' ? {} : { instructions: prompt }), input: rest.flatMap(itemsOf) };
}

function itemsOf(entry: Entry, at: number): readonly WireObject[] {
  switch (entry.role) {
    case 'system':
    case 'user':
      return [{ type: 'message', role: entry.role, content: [{ type: 'input_text', text: entry.text }] }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: entry.id, output: entry.text }];
    case 'assistant': {
      const { reasoning, text, calls } = entry;
      const summary = [{ type: 'summary_text', text: reasoning?.text ?? '' }];
      const encrypted = reasoning?.signature == null ? {} : { encrypted_content: reasoning.signature };
      return [
        ...(reasoning === null ? [] : [{ type: 'reasoning', id: `rs_${at}`, summary, ...encrypted }]),
        ...(text === null ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
        ...calls.map(({ id, tool, args }) => ({
          type: 'function_call',
          call_id: id,
          name: tool,
          arguments: argumentsText(args),
        })),
      ];
    }
  }
}
