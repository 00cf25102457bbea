import { checkSound } from '../../../src/core/conversation/sound.ts';
import { createMeasure } from '../../../src/core/tokens/measure.ts';
import { openaiChat } from '../../../src/formats/index.ts';
import { o200k } from '../../../src/models/o200k.ts';
import type { Workload } from '../workload.ts';
import { historyOf } from './history.ts';

const count: Workload = {
  name: 'count',
  what: 'count every token of the history',
  prepare: (given) => {
    const { conversation, tokens } = historyOf(given);
    return { tokens, run: () => createMeasure(o200k).conversation(conversation) };
  },
};

const decode: Workload = {
  name: 'decode',
  what: 'decode an OpenAI chat request',
  prepare: (given) => {
    const { wire, tokens } = historyOf(given);
    return { tokens, run: () => openaiChat.decode({ messages: wire }) };
  },
};

const encode: Workload = {
  name: 'encode',
  what: 'encode it again, rebuilding every message',
  prepare: (given) => {
    const { conversation, tokens } = historyOf(given);
    // A message that was not edited is written as the very object it was read from, which costs nothing.
    const messages = conversation.messages.map(({ raw: _, ...message }) => message);
    const checked = checkSound({ ...conversation, messages }, openaiChat);
    if (checked.type === 'unsound') throw new Error(checked.issues[0]?.text);
    return { tokens, run: () => openaiChat.encode(checked.conversation) };
  },
};

export const codecWorkloads: readonly Workload[] = [count, decode, encode];
