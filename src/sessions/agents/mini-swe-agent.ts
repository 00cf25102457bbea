import { ChatLog } from '../log/chat-log.ts';
import { collectDocument } from '../log/document-log.ts';
import {
  contentText,
  fieldsOf,
  isRecord,
  listOf,
  recordsOf,
  stringOf,
  timeOf,
  type WireRecord,
} from '../log/fields.ts';
import { shellCall } from '../log/text-actions.ts';
import type { SessionLog, SessionReader } from '../reader.ts';

/** `*.traj.json`: chat messages, each with an `extra` that the model never saw. Commands are calls, or text between fences. */
export const miniSweAgent: SessionReader = {
  id: 'mini-swe-agent',
  title: 'a trajectory of mini-swe-agent',
  detect: (head) => head.type === 'document' && isTrajectory(head.value),
  start: () => collectDocument((document) => readTrajectory(fieldsOf(document))),
};

function isTrajectory(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value['messages'])) return false;
  const { trajectory_format: format, info } = value as {
    readonly trajectory_format?: unknown;
    readonly info?: unknown;
  };
  return (
    (typeof format === 'string' && format.startsWith('mini-swe-agent')) || (isRecord(info) && 'mini_version' in info)
  );
}

const FENCE = /```(?:bash|sh|mswea_bash_command)?\s*\n([\s\S]*?)\n?```/;

function readTrajectory(root: WireRecord): SessionLog {
  const log = new ChatLog();
  const models = new Set<string>();
  let waiting: string | null = null;
  let made = 0;
  for (const message of recordsOf(root['messages'])) {
    const { extra, ...wire } = message as WireRecord & { readonly extra?: unknown };
    const { role } = wire as { readonly role?: unknown };
    const about = fieldsOf(extra);
    const model = stringOf(fieldsOf(about['response'])['model']);
    if (model !== undefined) models.add(model);
    const record = { timestamp: timeOf(about['timestamp']), model };
    const content = contentText(wire['content']);
    const hasCalls = listOf(wire['tool_calls']).length > 0;
    if (role === 'assistant' && !hasCalls && FENCE.test(content)) {
      const [whole = '', command = ''] = FENCE.exec(content) ?? [];
      waiting = `action_${++made}`;
      log.assistant({ text: content.replace(whole, '').trim(), calls: [shellCall(waiting, command)] }, record);
    } else if (role === 'user' && waiting !== null) {
      log.result(waiting, content, record);
      waiting = null;
    } else if (role === 'exit' || (content === '' && !hasCalls && role !== 'tool')) {
      // The marker at the end of a run holds no message.
    } else log.add(withRole(wire), record);
  }
  const config = fieldsOf(fieldsOf(fieldsOf(root['info'])['config'])['model']);
  const named = stringOf(config['model_name']);
  return log.end({
    models: models.size === 0 && named !== undefined ? [named] : [...models],
    id: stringOf(root['instance_id']),
  });
}

function withRole(wire: WireRecord): WireRecord {
  return ['system', 'user', 'assistant', 'tool'].includes(String(wire['role'])) ? wire : { ...wire, role: 'user' };
}
