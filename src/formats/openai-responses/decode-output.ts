import type { OpaquePart, ResultContent, ToolResultPart } from '../../core/conversation/message.ts';
import { hostedItem } from '../hosted/responses-items.ts';
import { opaquePart } from '../parts.ts';
import { decodeContent } from './decode-content.ts';
import { hasFailed, shellTexts } from './shell-output.ts';
import { callTypeOf, isTextCall, type ResponsesItem } from './wire.ts';

/** Reads the output of a call. Texts, images and files can be edited; an output of another shape stays opaque, because only the provider knows what it may hold. */
export function decodeOutput(item: ResponsesItem, callId: string, index: number): ToolResultPart {
  const { output } = item;
  const isOurs = isTextCall(callTypeOf(item.type));
  const isMissing = output === undefined || output === null;
  const content =
    isOurs || typeof output === 'string' || isMissing
      ? decodeContent(output, { index, field: 'output' })
      : decodeProvided(item);
  // The API refuses a function output that is null, but accepts an empty one.
  const source = isOurs && isMissing ? { base: item } : { raw: item };
  return { type: 'tool-result', callId, content, isError: item.status === 'failed' || hasFailed(item), ...source };
}

function decodeProvided(item: ResponsesItem): readonly ResultContent[] {
  return shellTexts(item) ?? [screenshotOrOther(item)];
}

/** The API takes nothing but a screenshot as the output of a computer, so it has no shorter form: the step goes as a whole or stays. */
function screenshotOrOther(item: ResponsesItem): OpaquePart {
  const part = opaquePart(String(item.type), item.output, hostedItem(item));
  const isUnseen = item.type === 'computer_call_output' && part.pictures === undefined;
  return isUnseen ? { ...part, pictures: [{ width: null, height: null }] } : part;
}
