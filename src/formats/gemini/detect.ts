import { isRecord } from '../guards.ts';
import { contentListOf } from './wire.ts';

/** Contents are of the user or the model, and hold `parts` that name no type. */
export function detectGemini(wire: unknown): number {
  if (isRecord(wire) && (Array.isArray(wire['messages']) || Array.isArray(wire['input']))) return 0;
  const list = contentListOf(wire);
  if (list === null || list.length === 0) return 0;
  const share = list.filter(isContent).length / list.length;
  return isRecord(wire) ? Math.max(0.5, 0.98 * share) : 0.97 * share;
}

function isContent(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value['parts'])) return false;
  const { role, parts } = value as { readonly role?: unknown; readonly parts: readonly unknown[] };
  if (role !== undefined && role !== 'user' && role !== 'model' && role !== 'function') return false;
  // Parts of other formats name their type.
  return parts.every((part) => isRecord(part) && typeof part['type'] !== 'string');
}
