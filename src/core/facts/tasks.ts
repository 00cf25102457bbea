import { parseArguments } from '../record/calls/call-arguments.ts';
import type { Entry, SaidEntry } from '../record/entry.ts';
import type { FactStatus, FoundFact } from './fact.ts';

/** A task list as agents keep it: items with a text and a status, under whatever keys the tool uses. */
interface TaskItem {
  readonly id: string;
  readonly text: string;
  /** Null when a call changes something else. */
  readonly status: string | null;
}

interface TaskList {
  readonly items: readonly TaskItem[];
  /** True when the call states all tasks there are. */
  readonly whole: boolean;
}

const TEXT_KEYS: readonly string[] = ['content', 'subject', 'step', 'title', 'task', 'text', 'name'];
const LIST_KEY = /^(?:new_?)?(?:todos?|plan|tasks?|steps?|items?|list)$/i;
/** Plan tools that keep tasks; memories and skills are kept by others. */
const TASK_TOOL = /todo|plan|task/i;

/** The newest state of every task that plan tools, or checklists of the assistant, named. */
export function taskFacts(entries: readonly Entry[]): readonly FoundFact[] {
  const tasks = new Map<string, FoundFact>();
  const listed = new Set<string>();
  let created = 0;
  for (const entry of entries) {
    const { items, whole } = tasksOf(entry);
    // Who sends the whole list again has dropped what is no longer in it.
    if (whole && items.length > 0) for (const id of listed) tasks.delete(id);
    for (const item of items) {
      const known = tasks.get(item.id);
      if (item.text === '' && known === undefined) continue;
      const text = item.text === '' ? (known?.text ?? '') : item.text;
      // A tool that creates tasks one by one numbers them itself, and later updates name only that number.
      const id = item.id === '' ? String(++created) : item.id;
      const status = item.status === null ? (known?.status ?? 'open') : statusOf(item.status);
      if (whole) listed.add(id);
      tasks.set(id, {
        kind: 'task',
        key: `task ${id}`,
        text,
        needles: [text],
        status,
        source: { message: entry.number, passage: -1 },
        grounds: {},
      });
    }
  }
  return [...tasks.values()];
}

function tasksOf(entry: Entry): TaskList {
  if (entry.type === 'said') return { items: checklist(entry), whole: false };
  if (entry.type !== 'did' || entry.action === null) return { items: [], whole: false };
  const { action, failed } = entry;
  if (failed || action.verb !== 'plan' || !TASK_TOOL.test(action.tool)) return { items: [], whole: false };
  const value = parseArguments(action.raw);
  if (typeof value !== 'object' || value === null) return { items: [], whole: false };
  if (Array.isArray(value)) return { items: value.flatMap(listItem), whole: true };
  const record = value as Readonly<Record<string, unknown>>;
  const list = Object.entries(record).find(([key, item]) => LIST_KEY.test(key) && Array.isArray(item))?.[1];
  if (Array.isArray(list)) return { items: list.flatMap(listItem), whole: record['merge'] !== true };
  return { items: [taskItem(record, '')], whole: false };
}

function listItem(node: unknown): readonly TaskItem[] {
  if (typeof node === 'string') return [{ id: node, text: oneLine(node), status: 'pending' }];
  if (typeof node !== 'object' || node === null) return [];
  const record = node as Readonly<Record<string, unknown>>;
  return [taskItem(record, taskText(record))];
}

function taskItem(record: Readonly<Record<string, unknown>>, otherwise: string): TaskItem {
  const id = record['taskId'] ?? record['task_id'] ?? record['id'] ?? otherwise;
  const status = record['status'] ?? record['state'];
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    text: taskText(record),
    status: typeof status === 'string' ? status : record['done'] === true ? 'done' : null,
  };
}

function taskText(record: Readonly<Record<string, unknown>>): string {
  return oneLine(TEXT_KEYS.map((key) => record[key]).find((item): item is string => typeof item === 'string') ?? '');
}

/** Tasks are listed one a line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** `- [ ] write the test` and `- [x] write the test` in what the assistant says. */
function checklist(entry: SaidEntry): readonly TaskItem[] {
  return entry.passages.flatMap(({ voice, text }) => {
    const item = voice === 'assistant' ? /(?:^|: )(?:[-*+]|\d+\.) \[([ xX])\] (.+)$/.exec(text) : null;
    if (item?.[2] === undefined) return [];
    return [{ id: item[2], text: oneLine(item[2]), status: item[1] === ' ' ? 'pending' : 'done' }];
  });
}

function statusOf(status: string): FactStatus {
  return /(?<!in|not )complete|(?<!not )done|finished|cancel|deleted|skipped/i.test(status) ? 'resolved' : 'open';
}
