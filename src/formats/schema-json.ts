import { isRecord, type WireRecord } from './guards.ts';

/** True for a schema of a library: an object with code in it, whose own JSON would be its inner workings. */
export function isSchemaObject(value: unknown): value is WireRecord {
  if (!isRecord(value)) return false;
  return '~standard' in value || '_def' in value || ('jsonSchema' in value && 'validate' in value);
}

/** The JSON schema that a library's schema stands for, which is what a model gets to read. For a library that cannot say, its fields and their types. */
export function schemaJson(schema: WireRecord): unknown {
  const own = schema['jsonSchema'];
  if (isRecord(own) && typeof own['then'] !== 'function') return own;
  const standard = isRecord(schema['~standard']) ? schema['~standard']['jsonSchema'] : undefined;
  const input = isRecord(standard) ? standard['input'] : undefined;
  return (
    called(input, standard, { target: 'draft-07' }) ??
    called(schema['toJSONSchema'], schema, undefined) ??
    outline(schema, 0)
  );
}

function called(method: unknown, owner: unknown, argument: unknown): unknown {
  if (typeof method !== 'function') return undefined;
  try {
    const value: unknown = Reflect.apply(method, owner, [argument]);
    return isRecord(value) && typeof value['then'] !== 'function' ? value : undefined;
  } catch {
    // A type without a JSON schema: its outline is better than nothing.
    return undefined;
  }
}

const DEEPEST = 8;

/** Zod keeps a description, the fields of an object, and inner types under these names. */
function outline(schema: unknown, depth: number): unknown {
  if (!isRecord(schema) || depth > DEEPEST) return undefined;
  const definition = isRecord(schema['_def']) ? schema['_def'] : {};
  const shape =
    typeof definition['shape'] === 'function' ? called(definition['shape'], definition, undefined) : undefined;
  const fields = shape ?? schema['shape'] ?? definition['shape'];
  const inner = definition['innerType'] ?? definition['element'] ?? definition['type'];
  return {
    type: definition['typeName'] ?? (isRecord(inner) ? undefined : inner),
    description: schema['description'] ?? definition['description'],
    properties: isRecord(fields)
      ? Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, outline(field, depth + 1)]))
      : undefined,
    values: definition['values'] ?? definition['entries'],
    of: isRecord(inner) ? outline(inner, depth + 1) : undefined,
  };
}
