import { type ChatCall, ChatLog } from '../log/chat-log.ts';
import { collectDocument } from '../log/document-log.ts';
import {
  argumentsText,
  contentText,
  counted,
  fieldsOf,
  isRecord,
  listOf,
  recordsOf,
  stringOf,
  type WireRecord,
} from '../log/fields.ts';
import { shellCall } from '../log/text-actions.ts';
import type { SessionLog, SessionReader } from '../reader.ts';

/** `<instance>.traj`: `history` holds the messages, `trajectory` repeats them by step. */
export const sweAgent: SessionReader = {
  id: 'swe-agent',
  title: 'a trajectory of SWE-agent',
  detect: (head) => head.type === 'document' && isTrajectory(head.value),
  start: () => collectDocument((document) => readTrajectory(fieldsOf(document))),
};

function isTrajectory(value: unknown): boolean {
  if (!isRecord(value) || Array.isArray(value['messages'])) return false;
  return Array.isArray(value['history']) && (Array.isArray(value['trajectory']) || 'info' in value);
}

function readTrajectory(root: WireRecord): SessionLog {
  const log = new ChatLog();
  const history = recordsOf(root['history']);
  const said = history.filter((message) => message['is_demo'] !== true);
  if (said.length < history.length)
    log.notes.push({ text: `${counted(history.length - said.length, 'message')} of the demonstration left out` });
  let waiting: string | null = null;
  let made = 0;
  for (const message of said) {
    const { role } = message as { readonly role?: unknown };
    const content = contentText(message['content']);
    if (role === 'system') log.system(content);
    else if (role === 'assistant') {
      const calls = callsOf(message);
      const action = stringOf(message['action']);
      const written = calls.length === 0 && action !== undefined ? [shellCall(`action_${++made}`, action)] : calls;
      const text = calls.length === 0 && action !== undefined ? (stringOf(message['thought']) ?? '').trim() : content;
      log.assistant({ text, reasoning: reasoningOf(message), calls: written });
      waiting = calls.length === 0 ? (written[0]?.id ?? null) : null;
    } else if (role === 'tool') {
      const [id] = listOf(message['tool_call_ids']);
      log.result(stringOf(id) ?? stringOf(message['tool_call_id']) ?? '', content);
    } else if (waiting !== null) {
      // The next user message is the observation of a text action.
      log.result(waiting, content);
      waiting = null;
    } else log.user(content);
  }
  return log.end({ title: stringOf(root['environment']), id: stringOf(root['instance_id']) });
}

function callsOf(message: WireRecord): readonly ChatCall[] {
  return recordsOf(message['tool_calls']).map((call) => {
    const body = fieldsOf(call['function']);
    return {
      id: stringOf(call['id']) ?? '',
      name: stringOf(body['name']) ?? 'unknown',
      arguments: argumentsText(body['arguments']),
    };
  });
}

function reasoningOf(message: WireRecord): string {
  return recordsOf(message['thinking_blocks'])
    .flatMap((block) => stringOf(block['thinking']) ?? [])
    .join('\n\n');
}
