import { isRecord, type WireRecord } from './guards.ts';
import { bytesIn } from './media/bytes-in.ts';
import { isSchemaObject, schemaJson } from './schema-json.ts';

/**
 * Writes tool definitions and schemas as a model gets them: JSON without code, with schemas of a library as JSON schemas, and without tools that
 * the provider loads only when the model looks for them. Empty for a value without JSON.
 */
export function toolsText(value: unknown): string {
  const replace = function (this: unknown, key: string, printed: unknown): unknown {
    // A class may have its own `toJSON`, which runs before the replacer, so the holder's own value is read.
    const own: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : printed;
    return readable(own, key, printed);
  };
  try {
    return JSON.stringify(value, replace) ?? '';
  } catch {
    return '';
  }
}

function readable(own: unknown, key: string, printed: unknown): unknown {
  if (typeof own === 'function') return undefined;
  const bytes = bytesIn(own, key);
  if (bytes !== null) return `[${bytes.size} bytes]`;
  if (Array.isArray(own)) return own.filter((item) => !isDeferred(item));
  if (!isRecord(own)) return printed;
  if (isDeferred(own)) return undefined;
  if (isSchemaObject(own)) return schemaJson(own);
  return isPlain(own) ? printed : instanceFields(own, printed);
}

function isDeferred(tool: unknown): boolean {
  return isRecord(tool) && tool['defer_loading'] === true;
}

function isPlain(value: WireRecord): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A tool that is an instance of a class holds much that no model sees. */
function instanceFields(tool: WireRecord, printed: unknown): unknown {
  const { name, description } = tool as { readonly name?: unknown; readonly description?: unknown };
  if (typeof name !== 'string') return isRecord(printed) ? undefined : printed;
  return { name, description, schema: tool['schema'] ?? tool['parameters'] ?? tool['inputSchema'] };
}
