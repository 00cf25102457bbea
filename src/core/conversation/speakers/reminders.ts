/** A tool's output, and what the host wrote into it. */
export interface HostedOutput {
  readonly output: string;
  readonly reminders: readonly string[];
}

const TAGS = ['system-reminder', 'system_reminder'] as const;

/** Takes the reminders out of an output that hosts put into it. One without an end stays: it may be part of a file. */
export function withoutReminders(text: string): HostedOutput {
  let output = text;
  const reminders: string[] = [];
  for (const tag of TAGS) {
    const opening = `<${tag}>`;
    const closing = `</${tag}>`;
    const kept: string[] = [];
    let at = 0;
    for (let from = output.indexOf(opening); from >= 0; from = output.indexOf(opening, at)) {
      const to = output.indexOf(closing, from);
      if (to < 0) break;
      kept.push(output.slice(at, from));
      reminders.push(output.slice(from + opening.length, to).trim());
      at = to + closing.length;
    }
    if (at > 0) output = [...kept, output.slice(at)].join('').trimEnd();
  }
  return { output, reminders };
}
