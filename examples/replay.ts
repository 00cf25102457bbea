/** What a recorded session would have cost under two policies: replays it request by request with a provider's prompt cache. */
import { fileURLToPath } from 'node:url';
import { o200k } from '../src/models/o200k.ts';
import { policyById, rulesById, simulate, traceOf } from '../src/replay/index.ts';
import { openSessionFile } from '../src/sessions/index.ts';

const file = fileURLToPath(new URL('../fixtures/rate-limiter/session.json', import.meta.url));
const { conversation, format, source } = await openSessionFile(file);
const trace = traceOf({ name: 'rate-limiter', conversation, records: source.records }, { count: o200k.count });
const rules = rulesById('anthropic-5m');
console.log(`${trace.requests.length} requests in a window of 40,000 tokens, at the prices of ${rules.title}`);

for (const id of ['summary-85', 'precis']) {
  const { usd, events, hitRatio } = await simulate(trace, {
    policy: policyById(id),
    rules,
    window: 40_000,
    count: o200k.count,
    soundness: format,
  });
  const cached = Math.round(100 * hitRatio);
  console.log(`${id}: $${usd.toFixed(2)}, compactions: ${events.length}, read from the cache: ${cached} %`);
}
