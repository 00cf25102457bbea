import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { openaiChat } from '../../../src/formats/index.ts';
import type { WireMessage } from '../../sessions.ts';
import { readSessionFile } from '../session-file.ts';
import type { Given } from '../workload.ts';

export interface History {
  readonly wire: readonly WireMessage[];
  readonly conversation: Conversation;
  readonly tokens: number;
}

/** The history that most workloads are about. Nothing of it is counted yet. */
export function historyOf({ session }: Given): History {
  const { tokens, wire } = readSessionFile(session);
  return { wire, tokens, conversation: openaiChat.decode({ messages: wire }).conversation };
}
