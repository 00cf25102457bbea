import { classify, isDecision, isLift, type PassageKind } from '../language/classify.ts';
import { type Entry, type Passage, passageIn } from '../record/entry.ts';
import type { FactKind, FoundFact } from './fact.ts';
import { liftConstraints } from './lift.ts';

/** Constraints, decisions and open questions, quoted. Constraints that the user took back later are marked as lifted. */
export function statementFacts(entries: readonly Entry[]): readonly FoundFact[] {
  const facts: FoundFact[] = [];
  const lastUser = entries.findLastIndex((entry) => entry.passages.some((passage) => passage.voice === 'user'));
  for (const [at, entry] of entries.entries())
    for (const [index, passage] of entry.passages.entries()) {
      if (passage.voice !== 'user' && passage.voice !== 'assistant') continue;
      const kind = classify(passage.text, passage.voice);
      // Only the user's own message lifts a rule: the output of a tool may hold anybody's words.
      const lifts = entry.type === 'said' && passage.voice === 'user' && isLift(passage.text);
      if (lifts) liftConstraints(facts, passage.text);
      const mayAsk = at >= lastUser && entry.type === 'said' && entry.closing;
      const states = factKindOf(passage, kind, { lifts, mayAsk });
      if (states !== null)
        facts.push(quoted(states, passage, { message: entry.number, passage: passageIn(entry, index) }));
    }
  return facts;
}

function factKindOf(
  passage: Passage,
  kind: PassageKind,
  { lifts, mayAsk }: { readonly lifts: boolean; readonly mayAsk: boolean },
): Stated | null {
  if (kind === 'constraint') return { kind: 'constraint', lifts: false };
  if (lifts || decides(passage, kind)) return { kind: 'decision', lifts };
  return kind === 'question' && mayAsk ? { kind: 'question', lifts: false } : null;
}

interface Stated {
  readonly kind: FactKind;
  readonly lifts: boolean;
}

function quoted({ kind, lifts }: Stated, { text, voice }: Passage, source: FoundFact['source']): FoundFact {
  const status = kind === 'question' ? 'open' : 'current';
  return { kind, key: text, text, needles: [text], status, source, grounds: { byUser: voice === 'user', lifts } };
}

/** For users, `classify` tells only rules from the rest, so their decisions are recognised here. */
function decides(passage: Passage, kind: PassageKind): boolean {
  return kind === 'decision' || (kind === 'plain' && passage.voice === 'user' && isDecision(passage.text));
}
