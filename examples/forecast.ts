/** What a compaction would do at several targets, without doing it: `plan()` decides and changes nothing. */
import { readFile } from 'node:fs/promises';
import { createMeasure, historyOf, limitsFor, openaiChat, plan } from '../src/index.ts';
import { o200k } from '../src/models/o200k.ts';

const file = new URL('../fixtures/rate-limiter/session.json', import.meta.url);
const { conversation } = openaiChat.decode(JSON.parse(await readFile(file, 'utf8')));
const measure = createMeasure(o200k);

for (const target of [60_000, 40_000, 10_000, 300]) {
  const planned = plan({
    view: conversation.messages,
    history: historyOf(conversation),
    measure,
    limits: limitsFor({ window: 128_000, target }),
    force: true,
    openReasoning: 'refuse',
  });
  switch (planned.type) {
    case 'keep':
      console.log(`${target}: nothing to do, ${planned.reason}`);
      break;
    case 'refuse':
      console.log(`${target}: refused (${planned.reason}), ${planned.detail}`);
      break;
    case 'compact': {
      if (planned.forecast.tokensAfter > target) {
        console.log(`${target}: too small, about ${planned.forecast.tokensAfter} tokens must stay`);
        break;
      }
      const count = (mode: string): number => planned.layout.modes.filter((each) => each === mode).length;
      console.log(
        `${target}: fold ${count('fold')} steps, condense ${count('condense')}, keep ${count('keep')}; at most ${planned.forecast.tokensAfter} tokens`,
      );
    }
  }
}
