import { isRecord, type WireRecord } from '../guards.ts';
import { CLASSES, type Held, heldIn } from './held.ts';

type Constructor = new (fields: WireRecord) => object;

/** The message with other fields, held in the same form. An instance becomes a new instance of its class, with the same id. */
export function remake(held: Held, changes: WireRecord): unknown {
  switch (held.form) {
    case 'stored':
      return { ...held.wire, data: { ...held.fields, ...changes } };
    case 'constructor':
      return { ...held.wire, kwargs: { ...held.fields, ...changes } };
    case 'instance':
      return remakeInstance(held.wire, changes);
  }
}

/** Fields that LangChain's constructors take; an instance's current value wins over the value it was made from. */
const OWN_FIELDS = [
  'id',
  'name',
  'role',
  'additional_kwargs',
  'response_metadata',
  'tool_calls',
  'invalid_tool_calls',
  'usage_metadata',
  'tool_call_id',
  'status',
  'artifact',
  'metadata',
] as const;

function remakeInstance(instance: WireRecord, changes: WireRecord): unknown {
  // Call chunks would win over the calls, and content blocks over the content.
  const { tool_call_chunks: _chunks, contentBlocks: _blocks, ...given } = recordOf(instance['lc_kwargs']);
  const current = Object.fromEntries(
    OWN_FIELDS.filter((field) => instance[field] !== undefined).map((field) => [field, instance[field]]),
  );
  const fields = { ...given, ...current, ...changes };
  const made = new (constructorOf(instance))({ ...fields });
  // The constructor of an answer chunk ignores invalid calls.
  const { invalid_tool_calls: invalid } = fields as { readonly invalid_tool_calls?: unknown };
  if (Array.isArray(invalid) && invalid.length > 0) Object.assign(made, { invalid_tool_calls: invalid });
  return made;
}

function constructorOf(instance: WireRecord): Constructor {
  return instance.constructor as Constructor;
}

function recordOf(value: unknown): WireRecord {
  return isRecord(value) ? value : {};
}

/** A new message of this type, held in the form of the messages around it. */
export function makeNew(list: readonly unknown[], type: string, content: unknown): unknown {
  const held = list.map(heldIn).filter((each) => each !== null);
  const [first] = held;
  const fields = { content, additional_kwargs: {}, response_metadata: {} };
  if (first?.form === 'instance') return new (classFor(held, type))(fields);
  if (first?.form === 'constructor') return { lc: 1, type: 'constructor', id: classId(first, type), kwargs: fields };
  return { type, data: fields };
}

/** The class of another message of that type, preferably not a streamed one; if there is none, a derived class. */
function classFor(held: readonly Held[], type: string): Constructor {
  const own = held.filter((each) => each.form === 'instance' && each.type === type).map((each) => each.wire);
  const best = own.find((instance) => !('concat' in instance)) ?? own[0];
  return best === undefined ? derived(baseOf(constructorOf(held[0]?.wire ?? {})), type) : constructorOf(best);
}

/**
 * Derives a class for messages of this type. This package does not import LangChain, so it cannot reach, say, `HumanMessage` when no message in the
 * list is one. But all messages share a base class, and LangChain recognises a message by its type (even in `instanceof HumanMessage`), so a class
 * derived from the base will do.
 */
function derived(Base: Constructor, type: string): Constructor {
  const known = made.get(Base)?.get(type);
  if (known !== undefined) return known;
  const Message = class extends Base {
    readonly type: string = type;
    static lc_name(): string {
      return nameOf(type);
    }
    _getType(): string {
      return type;
    }
  };
  made.set(Base, new Map(made.get(Base)).set(type, Message));
  return Message;
}

/** One class per type, so that two messages made here share their class. */
const made = new WeakMap<Constructor, ReadonlyMap<string, Constructor>>();

function baseOf(own: Constructor): Constructor {
  const parent: unknown = Object.getPrototypeOf(own);
  const isMessage = typeof parent === 'function' && isRecord(parent.prototype) && 'getType' in parent.prototype;
  return isMessage ? baseOf(parent as Constructor) : own;
}

function nameOf(type: string): string {
  return CLASSES.find((each) => each[1] === type)?.[0] ?? 'HumanMessage';
}

function classId(other: Held, type: string): readonly unknown[] {
  const id = other.wire['id'];
  return [...(Array.isArray(id) ? id.slice(0, -1) : []), nameOf(type)];
}
