import { isRecord, type WireRecord } from '../guards.ts';
import { heldIn } from '../langchain/held.ts';
import { remake } from '../langchain/make.ts';

export interface Replacements {
  readonly ids: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

/** Fields in which any of the wires writes the id of a call, and the name of its tool. */
const ID_FIELDS: ReadonlySet<string> = new Set(['id', 'call_id', 'tool_call_id', 'tool_use_id', 'toolCallId']);
const NAME_FIELDS: ReadonlySet<string> = new Set(['name', 'toolName']);

/** Fields of a request that hold the messages. Its other fields, such as the definitions of tools, are the host's. */
const LISTS: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);

/** Fields with data of tools and people: nothing in them is the wire's own. */
const FOREIGN: ReadonlySet<string> = new Set(['input', 'args', 'arguments', 'output', 'response', 'artifact', 'text']);

/** Replaces ids and names wherever a wire value repeats them. Everything without them stays the same object. */
export function replaceInWire(
  wire: unknown,
  { ids, names }: Replacements,
): { readonly wire: unknown; readonly found: ReadonlySet<string> } {
  const found = new Set<string>();
  const replaced = (key: string, value: string): string => {
    const other = (ID_FIELDS.has(key) ? ids : NAME_FIELDS.has(key) ? names : undefined)?.get(value);
    if (other !== undefined) found.add(other);
    return other ?? value;
  };
  const visit = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return replaced(key, value);
    if (Array.isArray(value))
      return sameOr(
        value,
        value.map((item: unknown) => visit(item, '')),
      );
    if (!isRecord(value)) return value;
    const held = heldIn(value);
    if (held?.form === 'instance') {
      const fields = Object.fromEntries(INSTANCE_FIELDS.map((field) => [field, held.fields[field]]));
      const changes = changesIn(fields, visit);
      return Object.keys(changes).length === 0 ? value : remake(held, changes);
    }
    if (!isPlain(value)) return value;
    const changes = changesIn(value, visit);
    return Object.keys(changes).length === 0 ? value : { ...value, ...changes };
  };
  if (!isRecord(wire)) return { wire: visit(wire, ''), found };
  const lists = Object.entries(wire).filter(([key, value]) => LISTS.has(key) && Array.isArray(value));
  const changes = lists
    .map(([key, value]) => [key, visit(value, '')] as const)
    .filter(([key, value]) => value !== wire[key]);
  return { wire: changes.length === 0 ? wire : { ...wire, ...Object.fromEntries(changes) }, found };
}

/** Where an instance of LangChain's classes repeats a call. */
const INSTANCE_FIELDS = [
  'content',
  'name',
  'tool_calls',
  'invalid_tool_calls',
  'tool_call_id',
  'additional_kwargs',
  'response_metadata',
] as const;

function changesIn(record: WireRecord, visit: (value: unknown, key: string) => unknown): WireRecord {
  const entries = Object.entries(record)
    // LangChain keeps items of OpenAI in a list with the name of a tool's output.
    .filter(([key, value]) => !FOREIGN.has(key) || (key === 'output' && Array.isArray(value)))
    .map(([key, value]) => [key, visit(value, key)] as const);
  return Object.fromEntries(entries.filter(([key, value]) => value !== record[key]));
}

function sameOr(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

function isPlain(value: WireRecord): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
