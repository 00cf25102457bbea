/** A tool's output, and what a person said in place of letting the call run. */
export interface AnsweredOutput {
  readonly output: string;
  /** Empty when the output is only the tool's. */
  readonly said: string;
}

/** How agents put a person's words into the result of a call: those behind the first, those inside the second. */
const REFUSED =
  /^The user doesn't want to proceed with this tool use\.[^\n]*To tell you how to proceed, the user said:\s*\n/;
const FEEDBACK =
  /^The user (?:denied|approved) this operation and provided the following (?:feedback|context):\s*<feedback>\n?([\s\S]*?)<\/feedback>/;

/** Takes the words out of a result that a person said when they refused a call. They are the user's words, wherever they stand. */
export function withoutAnswer(text: string): AnsweredOutput {
  const refused = REFUSED.exec(text);
  if (refused !== null) return { output: refused[0].trimEnd(), said: text.slice(refused[0].length).trim() };
  const feedback = FEEDBACK.exec(text);
  if (feedback?.[1] === undefined) return { output: text, said: '' };
  return { output: text.replace(feedback[0], '').trim(), said: feedback[1].trim() };
}
