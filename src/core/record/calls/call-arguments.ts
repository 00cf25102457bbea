/** The arguments as a value; text that is not JSON is one string. */
export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A string somewhere in the arguments, with the nearest key above it. */
export interface Leaf {
  readonly key: string;
  readonly value: string;
}

/** All string leaves with the nearest key above them, in order, and numbers under keys that are wanted. Depth is bounded by an explicit stack, not the call stack. */
export function stringLeaves(root: unknown, isWanted: (key: string) => boolean): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const stack: { readonly key: string; readonly value: unknown }[] = [{ key: 'input', value: root }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { key, value } = item;
    if (typeof value === 'string') leaves.push({ key, value });
    else if (typeof value === 'number' && isWanted(key)) leaves.push({ key, value: String(value) });
    else if (Array.isArray(value)) for (const child of [...value].reverse()) stack.push({ key, value: child });
    else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value).reverse()) stack.push({ key: name, value: child });
  }
  return leaves;
}
