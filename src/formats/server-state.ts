import type { Conversation } from '../core/conversation/conversation.ts';
import type { SoundnessIssue } from '../core/conversation/issue.ts';
import { valuesAt } from './field-path.ts';
import { isRecord, type WireRecord } from './guards.ts';

/** How a format says that a server keeps or edits earlier messages. */
export interface ServerSigns {
  /** The rule that such messages are not edited. */
  readonly rule: string;
  /** Fields of the request, by name or by path; `*` stands for any name. */
  readonly fields: readonly string[];
  /** Names a wire part or message that only the server can read in full; null for any other. */
  kindOf(wire: WireRecord): string | null;
  /** The messages of a wire value; null when it has none. */
  listOf(wire: unknown): readonly unknown[] | null;
}

/** The field or the kind of part that makes a server keep or edit earlier messages; null when the request holds them all. */
export function serverStateOf({ messages, envelope }: Conversation, signs: ServerSigns): string | null {
  const field = signs.fields.flatMap((path) => valuesAt(envelope, path)).find(({ value }) => isSet(value));
  if (field !== undefined) return field.path;
  for (const { parts } of messages)
    for (const part of parts) {
      const kind = kindIn(part.raw ?? part.base, signs);
      if (kind !== null) return kind;
    }
  // An edit may have removed the part, but the server still expects it.
  for (const wire of signs.listOf(envelope) ?? []) {
    const kind = [wire, ...contentOf(wire)].map((value) => kindIn(value, signs)).find((found) => found !== null);
    if (kind !== undefined) return kind;
  }
  return null;
}

/** True when a wire value must be read as it is: what seems to be missing may be on the server. */
export function isKeptByServer(wire: unknown, signs: ServerSigns): boolean {
  return serverStateOf({ format: '', messages: [], envelope: wire }, signs) !== null;
}

/** While a server keeps earlier messages, the list may grow but not change: nobody can tell what a change would do. */
export function serverIssues(
  { envelope }: Conversation,
  encoded: unknown,
  signs: ServerSigns & { readonly server: string },
): readonly SoundnessIssue[] {
  const original = signs.listOf(envelope) ?? [];
  const list = signs.listOf(encoded) ?? [];
  if (original.every((message, index) => message === list[index])) return [];
  const text = `\`${signs.server}\` keeps the history on the server, so messages may not be edited`;
  return [{ rule: signs.rule, message: -1, text }];
}

/** Part kinds by their `type`. */
export function byType(...types: readonly string[]): ServerSigns['kindOf'] {
  return ({ type }) => (typeof type === 'string' && types.includes(type) ? type : null);
}

function kindIn(wire: unknown, signs: ServerSigns): string | null {
  return isRecord(wire) ? signs.kindOf(wire) : null;
}

/** The parts of a wire message; LangChain holds them one level further down. */
function contentOf(wire: unknown): readonly unknown[] {
  if (!isRecord(wire)) return [];
  const held = [wire, wire['data'], wire['kwargs']].filter(isRecord);
  return held.flatMap(({ content }): readonly unknown[] => (Array.isArray(content) ? content : []));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}
