import type { Message } from '../../core/conversation/message.ts';
import { allText } from '../../core/conversation/message.ts';
import type { Fact } from '../../core/facts/fact.ts';
import { singleSpaced } from '../../core/language/spaces.ts';
import { ledgerOf } from '../../core/worth/judge-facts.ts';
import { itemsOf } from '../trace/blocks.ts';
import type { ReplayResult, Trace, ViewItem } from '../types.ts';

const ledgers = new WeakMap<Trace, readonly Fact[]>();
const texts = new WeakMap<Message, string>();

/** Facts of all that was said before the last request, and how many of them stand in the last view word for word. */
export function factsKept(trace: Trace, view: readonly ViewItem[]): ReplayResult['facts'] {
  const facts = factsOf(trace);
  const critical = facts.filter((fact) => fact.critical);
  // Of a summary that no model wrote only the size is known.
  const areWordsKnown = view.every((item) => item.message !== null);
  const kept = areWordsKnown ? keptOf(facts, trace, view) : null;
  return {
    all: facts.length,
    kept: kept?.length ?? null,
    critical: { all: critical.length, kept: kept?.filter((fact) => fact.critical).length ?? null },
  };
}

/** What holds at the end; values that were replaced and rules that were taken back are no loss. */
function factsOf(trace: Trace): readonly Fact[] {
  const known = ledgers.get(trace);
  if (known !== undefined) return known;
  const said = trace.conversation.messages.slice(0, trace.requests.at(-1)?.to ?? 0);
  const facts = ledgerOf(said).facts.filter(({ status }) => status !== 'stale' && status !== 'lifted');
  ledgers.set(trace, facts);
  return facts;
}

function keptOf(facts: readonly Fact[], trace: Trace, view: readonly ViewItem[]): readonly Fact[] {
  const originals = itemsOf(trace);
  const whole = new Set<number>();
  for (const { index, id } of view) if (index !== null && originals[index]?.id === id) whole.add(index);
  const text = view.map(({ message }) => (message === null ? '' : textOf(message))).join(' ');
  const isLiteral = new Map<string, boolean>();
  return facts.filter(({ needles, source }) => {
    // A call and the result behind it are one thing.
    if (whole.has(source.message - 1) && (whole.has(source.message) || source.passage >= 0)) return true;
    return needles.every((needle) => {
      const known = isLiteral.get(needle) ?? text.includes(singleSpaced(needle));
      isLiteral.set(needle, known);
      return known;
    });
  });
}

function textOf(message: Message): string {
  const text = texts.get(message) ?? singleSpaced(allText(message));
  texts.set(message, text);
  return text;
}
