import type { ResultContent, ToolResultPart } from '../../core/conversation/message.ts';

/** The tool result with changed content; the same object when nothing changed. */
export function mapResultContent(part: ToolResultPart, change: (item: ResultContent) => ResultContent): ToolResultPart {
  const content = part.content.map(change);
  if (content.every((item, index) => item === part.content[index])) return part;
  const { raw, base, ...rest } = part;
  const source = raw ?? base;
  return { ...rest, content, ...(source === undefined ? {} : { base: source }) };
}
