import { classify } from '../language/classify.ts';
import { isLookup } from '../record/calls/action-kinds.ts';
import { exitCodeOf } from '../record/calls/output.ts';
import type { DidEntry, Entry } from '../record/entry.ts';
import type { FoundFact } from './fact.ts';

/** Commands that did something, with how they ended; a failure is open until the same command succeeds. */
export function commandFacts(entries: readonly Entry[]): readonly FoundFact[] {
  const facts = new Map<string, FoundFact>();
  for (const entry of entries) {
    if (entry.type !== 'did') continue;
    const { action, heading } = entry;
    if (action?.verb === 'plan' || (action !== null && isLookup(action))) continue;
    const { failed, code } = endOf(entry);
    const error = facts.get(`error ${heading}`);
    if (failed) facts.set(`error ${heading}`, errorFact(entry));
    else if (error?.status === 'open') facts.set(`error ${heading}`, { ...error, status: 'resolved' });
    if (action?.verb === 'shell')
      facts.set(heading, {
        kind: 'command',
        key: heading,
        text: `${heading} → ${failed ? 'failed' : 'ok'}${failed && code !== null ? ` (exit code ${code})` : ''}`,
        needles: [heading],
        status: 'current',
        source: { message: entry.number, passage: -1 },
        grounds: {},
      });
  }
  return [...facts.values()];
}

/** How a call ended, by its flag or by the exit code that its output reports. */
function endOf(entry: DidEntry): { readonly failed: boolean; readonly code: number | null } {
  const output = entry.passages.filter((passage) => passage.voice === 'output').map((passage) => passage.text);
  const code = entry.action?.verb === 'shell' ? exitCodeOf(output) : null;
  return { failed: entry.failed || (code !== null && code > 0), code };
}

function errorFact(entry: DidEntry): FoundFact {
  const index = entry.passages.findIndex(
    (passage) => passage.voice === 'output' && classify(passage.text, 'output') === 'error',
  );
  const text = entry.passages[index]?.text ?? entry.action?.target ?? entry.heading;
  return {
    kind: 'error',
    key: entry.heading,
    text: `${entry.heading}: ${text}`,
    needles: [text],
    status: entry.fixedBy === null ? 'open' : 'resolved',
    source: { message: entry.number, passage: index },
    grounds: {},
  };
}
