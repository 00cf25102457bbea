import type { Message } from '../core/conversation/message.ts';
import { heuristicCounter, type TokenCounter } from '../core/tokens/counter.ts';
import { createMeasure, type Measure } from '../core/tokens/measure.ts';
import { createEmitter, type Emitter } from './events.ts';
import { createFixedPart } from './fixed-part.ts';
import { type ContextModels, createModels } from './models/models.ts';
import { createWindowChain } from './models/window-chain.ts';
import type { ContextOptions, ContextWorld } from './options.ts';
import { createRecall, type Recall } from './recall/recall.ts';
import { createSizes, type Sizes } from './sizes.ts';
import { memoryStore } from './store/memory-store.ts';
import { type Journal, openJournal } from './timeline/journal.ts';
import { createWire, type Wire } from './wire/wire.ts';
import { createWireFormat } from './wire/wire-format.ts';

/** The parts of one context that its methods work on. */
export interface ContextParts {
  readonly options: ContextOptions;
  readonly world: ContextWorld;
  readonly now: () => number;
  readonly counter: TokenCounter;
  /** Counts of messages by `counter`. All parts share them, so that no message is counted twice. */
  readonly counts: WeakMap<Message, number>;
  readonly measure: Measure;
  /** Sends events to the host. */
  readonly emitter: Emitter;
  /** Everything that was said and done. */
  readonly journal: Journal;
  /** The models, and the sizes they allow. */
  readonly models: ContextModels;
  /** Measures the view. */
  readonly sizes: Sizes;
  /** Turns incoming messages into rows, and the view into a request. */
  readonly wire: Wire;
  /** Finds content that left the view. */
  readonly recall: Recall;
}

export async function openParts(options: ContextOptions, world: ContextWorld): Promise<ContextParts> {
  const now = options.now ?? world.now;
  const counter = options.counter ?? heuristicCounter;
  const counts = new WeakMap<Message, number>();
  const measure = createMeasure(counter, 1, { counts });
  const emitter = createEmitter();
  const store = options.store ?? memoryStore();
  const journal = await openJournal({ options, store, emitter, now, counter, counts });
  const wireFormat = createWireFormat({ options, world, journal, now });
  const chain = createWindowChain(options, journal);
  const fixedTokens = options.fixedTokens ?? null;
  const fixedPart = createFixedPart({ journal, measure, chain, wireFormat, stated: fixedTokens });
  const models = createModels({ options, journal, chain, fixedPart });
  return {
    options,
    world,
    now,
    counter,
    counts,
    measure,
    emitter,
    journal,
    models,
    sizes: createSizes({ journal, measure, counts, models, fixedPart, fixedTokens }),
    wire: createWire({ options, world, journal, wireFormat }),
    recall: createRecall(journal, counter),
  };
}
