import { parseArguments } from './calls.ts';
import type { Fact, FactStatus } from './fact.ts';

/** A task list as agents keep it: items with a text and a status, under whatever keys the tool uses. */
interface TaskItem {
  readonly id: string;
  readonly text: string;
  readonly status: string;
}

interface TaskCall {
  readonly number: number;
  readonly arguments: string;
}

const TEXT_KEYS: readonly string[] = ['content', 'subject', 'step', 'title', 'task', 'text', 'name'];

/** The newest state of every task that plan tools named. */
export function taskFacts(calls: readonly TaskCall[]): readonly Fact[] {
  const tasks = new Map<string, Fact>();
  let created = 0;
  for (const call of calls) {
    for (const item of itemsOf(parseArguments(call.arguments))) {
      const known = tasks.get(item.id);
      if (item.text === '' && known === undefined) continue;
      const text = item.text === '' ? (known?.text ?? '') : item.text;
      // A tool that creates tasks one by one numbers them itself, and later updates name only that number.
      const id = item.id === '' ? String(++created) : item.id;
      tasks.set(id, toFact(id, text, statusOf(item.status), call.number));
    }
  }
  return [...tasks.values()];
}

function itemsOf(value: unknown): readonly TaskItem[] {
  if (typeof value !== 'object' || value === null) return [];
  const list = Object.values(value).find(Array.isArray);
  const nodes: readonly unknown[] = Array.isArray(value) ? value : (list ?? [value]);
  return nodes.flatMap((node) => {
    if (typeof node !== 'object' || node === null) return [];
    const record = node as Readonly<Record<string, unknown>>;
    const text = TEXT_KEYS.map((key) => record[key]).find((item): item is string => typeof item === 'string') ?? '';
    const id = record['taskId'] ?? record['id'] ?? (list === undefined ? '' : text);
    return [{ id: String(id), text, status: String(record['status'] ?? 'pending') }];
  });
}

function statusOf(status: string): FactStatus {
  return /complete|done|finished|cancel|deleted/i.test(status) ? 'resolved' : 'open';
}

function toFact(key: string, text: string, status: FactStatus, message: number): Fact {
  return {
    kind: 'task',
    key: `task ${key}`,
    text,
    needles: [text],
    status,
    source: { message, passage: -1 },
    weight: status === 'open' ? 3 : 0.5,
    critical: status === 'open',
  };
}
