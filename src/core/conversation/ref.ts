import { contentHash } from './hash.ts';
import { callsIn, resultsIn } from './hosted.ts';
import { type Message, resultTextOf, type ToolCallPart, type ToolResultPart } from './message.ts';

/** A handle from the view to original content, as written in the text: `⟦r:3f9a…⟧`. */
export type Ref = string;

const REF = /⟦r:[0-9a-f]{13}⟧/g;

export function refOfText(text: string): Ref {
  return `⟦r:${contentHash(text)}⟧`;
}

/** The ref of a tool result, made from its text; from the call's id too when the result holds more than text. */
export function refOfResult(part: ToolResultPart): Ref {
  const text = resultTextOf(part);
  return refOfText(part.content.every((item) => item.type === 'text') ? text : `${part.callId} ${text}`);
}

/** The ref of a tool call, made from its name and arguments. */
export function refOfCall(part: ToolCallPart): Ref {
  return refOfText(`${part.name} ${part.arguments}`);
}

/** The ref of the first `count` messages of a history: the same beginning always has the same ref. */
export function refOfPrefix(history: readonly Message[], count: number): Ref {
  let hash = '';
  for (let index = 0; index < count; index++) hash = extendPrefix(hash, history[index] as Message);
  return `⟦r:${hash === '' ? contentHash('') : hash}⟧`;
}

/** The refs of all beginnings of a history, the shortest first. */
export function prefixRefsOf(history: readonly Message[]): readonly Ref[] {
  let hash = '';
  return history.map((message) => {
    hash = extendPrefix(hash, message);
    return `⟦r:${hash}⟧`;
  });
}

/** All refs in a text. */
export function refsIn(text: string): readonly Ref[] {
  return text.match(REF) ?? [];
}

/** The content behind a ref: one tool result, the arguments of one call, or all messages up to where a handoff ends. */
export type Original =
  | { readonly type: 'result'; readonly part: ToolResultPart; readonly message: number }
  | { readonly type: 'call'; readonly part: ToolCallPart; readonly message: number }
  | { readonly type: 'messages'; readonly messages: readonly Message[] };

/** Finds the original behind a ref in the history it was made from. */
export function findOriginal(history: readonly Message[], ref: Ref): Original | null {
  let hash = '';
  for (const [index, message] of history.entries()) {
    for (const part of resultsIn(message))
      if (refOfResult(part) === ref) return { type: 'result', part, message: index };
    for (const part of callsIn(message)) if (refOfCall(part) === ref) return { type: 'call', part, message: index };
    hash = extendPrefix(hash, message);
    if (`⟦r:${hash}⟧` === ref) return { type: 'messages', messages: history.slice(0, index + 1) };
  }
  return null;
}

/** Extends the hash of a history's beginning by one message. The ref of the longer beginning is made from it. */
export function extendPrefix(hash: string, message: Message): string {
  return contentHash(`${hash} ${fingerprintOf(message)}`);
}

/** The content of a message as one string, without wire details such as cache markers. */
export function fingerprintOf(message: Message): string {
  return `${message.role}:${message.parts
    .map((part) => {
      switch (part.type) {
        case 'text':
        case 'reasoning':
          return part.text;
        case 'tool-call':
          return `${part.callId} ${part.name} ${part.arguments}`;
        case 'tool-result':
          return `${part.callId} ${resultTextOf(part)}`;
        case 'image':
        case 'file':
          return `${part.type} ${part.mediaType ?? ''}`;
        case 'opaque':
          return part.json;
      }
    })
    .join('\u0000')}`;
}
