/** Fields of a wire value that hold something and that no part carries. */
export function otherFields(wire: unknown, carried: ReadonlySet<string>): readonly string[] {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return [];
  return Object.entries(wire).flatMap(([key, value]) => (carried.has(key) || isEmpty(value) ? [] : [key]));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
