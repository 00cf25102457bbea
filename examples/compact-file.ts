/** Wire in, wire out: reads the messages of a session, compacts them to a size, and gives messages in the same format. */
import { readFile } from 'node:fs/promises';
import { compact, detectFormat, openaiChat } from '../src/index.ts';
import { o200k } from '../src/models/o200k.ts';

const file = new URL('../fixtures/rate-limiter/session.json', import.meta.url);
const wire: unknown = JSON.parse(await readFile(file, 'utf8'));

const format = detectFormat(wire) ?? openaiChat;
const { conversation, notes } = format.decode(wire);
const {
  conversation: view,
  outcome,
  receipt,
} = await compact(conversation, format, { target: 10_000, counter: o200k });
const smaller = format.encode(view);

for (const { message, text } of notes) console.log(`mended message ${message + 1}: ${text}`);
console.log(`${format.title}, ${outcome}: ${receipt.reason}`);
console.log(`${receipt.messages.before} messages to ${receipt.messages.after}`);
console.log(`critical facts: ${receipt.facts.kept} of ${receipt.facts.critical} in the view`);
console.log(`as JSON: ${JSON.stringify(wire).length} characters to ${JSON.stringify(smaller).length}`);
