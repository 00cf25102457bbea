import { type Message, resultTextOf, type ToolResultPart, toolResultsOf } from './message.ts';
import { contentHash } from '../hash.ts';

/** A handle from the view to original content, as it stands in the text: `⟦r:3f9a…⟧`. */
export type Ref = string;

const REF = /⟦r:[0-9a-f]{13}⟧/g;

export function refOfText(text: string): Ref {
  return `⟦r:${contentHash(text)}⟧`;
}

/** The ref of a tool result is the ref of its text. */
export function refOfResult(part: ToolResultPart): Ref {
  return refOfText(resultTextOf(part));
}

/** The ref of a stretch of messages: of the refs of its parts, so that the same messages always have the same ref. */
export function refOfMessages(messages: readonly Message[]): Ref {
  return refOfText(messages.map(fingerprint).join('\n'));
}

/** All refs that stand in a text. */
export function refsIn(text: string): readonly Ref[] {
  return text.match(REF) ?? [];
}

/** The tool result a ref points to, looked for in the originals. */
export function findResult(messages: readonly Message[], ref: Ref): ToolResultPart | null {
  for (const message of messages) for (const part of toolResultsOf(message)) if (refOfResult(part) === ref) return part;
  return null;
}

function fingerprint(message: Message): string {
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
