import { PrecisError } from '../../core/errors.ts';
import { ChatLog } from '../log/chat-log.ts';
import { collectDocument } from '../log/document-log.ts';
import { fieldsOf, isRecord, listOf, recordsOf, stringOf, timeOf, type WireRecord } from '../log/fields.ts';
import { codeCall, taggedCalls, taggedResults } from '../log/text-actions.ts';
import type { ReaderOptions, SessionLog, SessionReader } from '../reader.ts';

/** Benchmark files: a run, or a list of runs, with the messages in a field of their own. */

/** A tau-bench result: chat messages in `traj`. */
export const tauBench: SessionReader = {
  id: 'tau-bench',
  title: 'a run of tau-bench',
  detect: (head) => head.type === 'document' && runsOf(head.value) !== null,
  start: (options) => collectDocument((value) => readTauBench(value, options)),
};

function runsOf(value: unknown): readonly WireRecord[] | null {
  const runs = Array.isArray(value) ? value : [value];
  return runs.length > 0 && runs.every((run) => isRecord(run) && Array.isArray(run['traj']))
    ? runs.filter(isRecord)
    : null;
}

function readTauBench(value: unknown, { run: number }: ReaderOptions): SessionLog {
  const runs = runsOf(value) ?? [];
  const chosen = number ?? 1;
  const run = runs[chosen - 1];
  if (run === undefined)
    throw new PrecisError(
      'bad-input',
      `Expected \`run\` to be an integer from 1 to ${runs.length}, got \`${chosen}\` (number)`,
    );
  const log = new ChatLog();
  if (runs.length > 1 && number === undefined)
    log.notes.push({ text: `the file holds ${runs.length} runs; this is the first, \`run\` takes another` });
  for (const message of recordsOf(run['traj'])) log.add(message, {});
  const { task_id: task, trial } = run as { readonly task_id?: unknown; readonly trial?: unknown };
  return log.end({
    ...(task === undefined
      ? {}
      : { title: `task ${String(task)}${trial === undefined ? '' : `, trial ${String(trial)}`}` }),
  });
}

/** Messages with calls and results between tags in the text: WebDancer, and trajectories in the ShareGPT form. */
export const taggedText: SessionReader = {
  id: 'tagged-text',
  title: 'a trajectory with calls in its text',
  detect: (head) => head.type === 'document' && taggedMessages(head.value) !== null,
  start: () => collectDocument(readTagged),
};

const SHAREGPT_ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  gpt: 'assistant',
  tool: 'user',
  system: 'system',
};

function taggedMessages(value: unknown): readonly WireRecord[] | null {
  const { conversations, messages, type } = fieldsOf(value) as {
    readonly conversations?: unknown;
    readonly messages?: unknown;
    readonly type?: unknown;
  };
  const [first] = recordsOf(conversations);
  if (first !== undefined && 'from' in first && 'value' in first)
    return recordsOf(conversations).map((each) => ({
      role: SHAREGPT_ROLES[String(each['from'])] ?? 'user',
      content: each['value'],
    }));
  if (type !== 'chatml') return null;
  const list = recordsOf(messages);
  return list.some((each) => typeof each['content'] === 'string' && each['content'].includes('<tool_call>'))
    ? list
    : null;
}

function readTagged(value: unknown): SessionLog {
  const log = new ChatLog();
  let made = 0;
  let waiting: string[] = [];
  for (const { role, content } of taggedMessages(value) ?? []) {
    const text = typeof content === 'string' ? content : '';
    if (role === 'assistant') {
      const { text: rest, calls } = taggedCalls(text, () => `call_${++made}`);
      log.assistant({ text: rest, calls });
      waiting = calls.map((call) => call.id);
      continue;
    }
    const results = role === 'user' && waiting.length > 0 ? taggedResults(text) : null;
    if (results !== null && results.length === waiting.length) {
      results.forEach((result, index) => log.result(waiting[index] ?? '', result));
      waiting = [];
    } else if (role === 'system') log.system(text);
    else log.user(text);
  }
  return log.end();
}

/** An AIOpsLab trace: answers that end in a call written as code, and the replies of the environment. */
export const aiOpsLab: SessionReader = {
  id: 'aiopslab',
  title: 'a trace of AIOpsLab',
  detect: (head) => head.type === 'document' && isTrace(head.value),
  start: () => collectDocument(readTrace),
};

function isTrace(value: unknown): boolean {
  const trace = listOf(fieldsOf(value)['trace']);
  return (
    trace.length > 0 &&
    trace.every((message) => isRecord(message) && 'role' in message) &&
    trace.some((message) => fieldsOf(message)['role'] === 'env')
  );
}

function readTrace(value: unknown): SessionLog {
  const log = new ChatLog();
  const root = fieldsOf(value);
  const problem = stringOf(root['problem_id']);
  let waiting: string | null = null;
  let made = 0;
  for (const message of recordsOf(root['trace'])) {
    const content = stringOf(message['content']) ?? '';
    if (message['role'] === 'env' && waiting !== null) {
      log.result(waiting, content);
      waiting = null;
    } else if (message['role'] === 'assistant') {
      const [whole = '', code = ''] =
        /```[ \t]*\w*[ \t]*\n([\s\S]*?)```/.exec(content) ?? /Action:\s*([\s\S]+)$/.exec(content) ?? [];
      waiting = `action_${++made}`;
      // An answer without an action gets a reply too: that the action could not be read.
      log.assistant({ text: content.replace(whole, '').trim(), calls: [codeCall(waiting, code)] });
    } else if (message['role'] === 'system') log.system(content);
    else log.user(content);
  }
  return log.end({
    id: stringOf(root['session_id']),
    title: problem,
    startedAt: timeOf(root['start_time']),
    endedAt: timeOf(root['end_time']),
  });
}
