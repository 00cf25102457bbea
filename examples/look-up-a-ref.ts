/** From a line in the compacted view back to what stood there: every ref resolves in the history. */
import { readFile } from 'node:fs/promises';
import { compact, findOriginal, historyOf, openaiChat, refsIn } from '../src/index.ts';

const file = new URL('../fixtures/rate-limiter/session.json', import.meta.url);
const { conversation } = openaiChat.decode(JSON.parse(await readFile(file, 'utf8')));
const { conversation: view } = await compact(conversation, openaiChat, { target: 40_000 });

// The first tool result that was condensed to one line.
const lines = view.messages
  .flatMap((message) => message.parts)
  .flatMap((part) => (part.type === 'tool-result' ? part.content : []))
  .flatMap((item) => (item.type === 'text' && item.text.startsWith('[precis: ') ? [item.text] : []));
const [line = ''] = lines;
const [ref = ''] = refsIn(line);
console.log(line);

const original = findOriginal(historyOf(view), ref);
if (original?.type === 'result') {
  const [text] = original.part.content;
  console.log(`${ref} is the result in message ${original.message + 1}, which begins:`);
  if (text?.type === 'text') console.log(text.text.split('\n').slice(0, 4).join('\n'));
}
