/** Peers hold arguments as objects. What does not parse is wrapped, as no peer takes a bare string. */
export function parseArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through: a model wrote no JSON.
  }
  return { arguments: text };
}
