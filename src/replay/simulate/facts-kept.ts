import { allText, type Message } from '../../core/conversation/message.ts';
import type { Fact } from '../../core/facts/fact.ts';
import { singleSpaced } from '../../core/language/spaces.ts';
import { ledgerOf } from '../../core/worth/judge-facts.ts';
import type { Trace } from '../trace/trace.ts';
import { type ReplayItem, unchangedIn } from '../view/item.ts';
import type { ReplayResult } from './result.ts';

const ledgers = new WeakMap<Trace, readonly Fact[]>();
const texts = new WeakMap<Message, string>();

/** Counts the facts said before the last request, and how many of them the last view holds word for word. */
export function factsKept(trace: Trace, view: readonly ReplayItem[]): ReplayResult['facts'] {
  const facts = factsOf(trace);
  const critical = facts.filter((fact) => fact.critical);
  // For a summary that no model wrote, only the size is known.
  const areWordsKnown = view.every((item) => item.message !== null);
  const kept = areWordsKnown ? keptOf(facts, trace, view) : null;
  return {
    all: facts.length,
    kept: kept?.length ?? null,
    critical: { all: critical.length, kept: kept?.filter((fact) => fact.critical).length ?? null },
  };
}

/** Finds the facts that hold at the end. Losing a replaced value or a lifted rule is no loss. */
function factsOf(trace: Trace): readonly Fact[] {
  const known = ledgers.get(trace);
  if (known !== undefined) return known;
  const said = trace.conversation.messages.slice(0, trace.requests.at(-1)?.to ?? 0);
  const facts = ledgerOf(said).facts.filter(({ status }) => status !== 'stale' && status !== 'lifted');
  ledgers.set(trace, facts);
  return facts;
}

function keptOf(facts: readonly Fact[], trace: Trace, view: readonly ReplayItem[]): readonly Fact[] {
  const whole = unchangedIn(view, trace);
  const text = view.map(({ message }) => (message === null ? '' : searchableText(message))).join(' ');
  const isLiteral = new Map<string, boolean>();
  return facts.filter(({ needles, source }) => {
    // A call and its result belong together.
    if (whole.has(source.message - 1) && (whole.has(source.message) || source.passage >= 0)) return true;
    return needles.every((needle) => {
      const known = isLiteral.get(needle) ?? text.includes(singleSpaced(needle));
      isLiteral.set(needle, known);
      return known;
    });
  });
}

function searchableText(message: Message): string {
  const text = texts.get(message) ?? singleSpaced(allText(message));
  texts.set(message, text);
  return text;
}
