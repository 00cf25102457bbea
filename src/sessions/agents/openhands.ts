import { type ChatCall, ChatLog, type LooseRecord } from '../log/chat-log.ts';
import { argumentsText, fieldsOf, isRecord, listOf, stringOf, timeOf, type WireRecord } from '../log/fields.ts';
import type { LogCollector, ReaderOptions, SessionLog, SessionReader } from '../reader.ts';

/** A folder with `base_state.json` and one JSON file per event in `events/`. Events that share `llm_response_id` are one answer. */
export const openhands: SessionReader = {
  id: 'openhands',
  title: 'events of OpenHands',
  detect: (head) => {
    if (head.type === 'folder' || head.type === 'lines') return head.values.some(isEvent);
    return head.type === 'document' && Array.isArray(head.value) && head.value.some(isEvent);
  },
  start: (options) => startEvents(options),
};

function isEvent(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    typeof value['id'] === 'string' &&
    ('source' in value || 'timestamp' in value)
  );
}

function startEvents(options: ReaderOptions): LogCollector {
  const events: WireRecord[] = [];
  const log = new ChatLog();
  const seen = new Set<unknown>();
  let state: WireRecord = {};
  const add = (value: unknown, line: number): void => {
    // One document may hold the whole list.
    if (Array.isArray(value)) value.forEach((each, index) => add(each, index + 1));
    else if (isRecord(value) && typeof value['kind'] === 'string' && !('agent' in value)) {
      if (typeof value['id'] === 'string' && seen.has(value['id'])) {
        log.notes.push({ line, text: 'repeats the id of an earlier event, left out' });
        return;
      }
      seen.add(value['id']);
      events.push(value);
    } else if (isRecord(value) && 'agent' in value) state = value;
    else log.notes.push({ line, text: 'no event of OpenHands, left out' });
  };
  return { add, end: () => write(events, { log, state, options }) };
}

interface Context {
  readonly log: ChatLog;
  readonly state: WireRecord;
  readonly options: ReaderOptions;
}

function write(events: readonly WireRecord[], { log, state, options }: Context): SessionLog {
  const condensations = events.filter((event) => event['kind'] === 'Condensation');
  const view = options.sinceCompaction === true ? condensed(events) : events;
  const model = stringOf(fieldsOf(fieldsOf(state['agent'])['llm'])['model']);
  const answers = Map.groupBy(view.filter(isAction), (event) => event['llm_response_id'] ?? event['id']);
  for (const event of view) {
    if (!isAction(event)) {
      writeEvent(event, log);
      continue;
    }
    const answer = answers.get(event['llm_response_id'] ?? event['id']);
    if (answer?.[0] === event) writeAnswer(answer, log, { timestamp: timeOf(event['timestamp']), model });
  }
  return log.end({ id: stringOf(state['id']), compactions: condensations.length });
}

function isAction(event: WireRecord): boolean {
  return event['kind'] === 'ActionEvent';
}

/** Applies the condensations in order: removes the forgotten events, and puts the summary at its offset among the remaining ones. */
function condensed(events: readonly WireRecord[]): readonly WireRecord[] {
  let view: WireRecord[] = [];
  for (const event of events) {
    if (event['kind'] !== 'Condensation') {
      view.push(event);
      continue;
    }
    const forgotten = new Set(listOf(event['forgotten_event_ids']));
    view = view.filter((each) => !forgotten.has(each['id']));
    const offset = event['summary_offset'];
    if (stringOf(event['summary']) !== undefined && typeof offset === 'number') view.splice(offset, 0, event);
  }
  return view;
}

function writeEvent(event: WireRecord, log: ChatLog): void {
  const timestamp = timeOf(event['timestamp']);
  const writeResult = (text: string): void => {
    const callId = stringOf(event['tool_call_id']);
    if (callId !== undefined) log.result(callId, text, { timestamp });
  };
  switch (event['kind']) {
    case 'SystemPromptEvent':
      log.system(nestedText([event['system_prompt'], event['dynamic_context']]), { timestamp });
      break;
    case 'MessageEvent': {
      const message = fieldsOf(event['llm_message']);
      const text = nestedText([message['content'], event['extended_content']]);
      if (message['role'] === 'assistant' || (message['role'] === undefined && event['source'] === 'agent'))
        log.assistant({ text, reasoning: stringOf(message['reasoning_content']) }, { timestamp });
      else log.user(text, { timestamp });
      break;
    }
    case 'Condensation':
      log.user(stringOf(event['summary']) ?? '', { timestamp, isSummary: true });
      break;
    case 'ObservationEvent':
      writeResult(nestedText([event['observation'], event['extended_content']]));
      break;
    case 'UserRejectObservation':
      writeResult(`Action rejected: ${stringOf(event['rejection_reason']) ?? ''}`);
      break;
    case 'AgentErrorEvent':
      writeResult(stringOf(event['error']) ?? '');
      break;
  }
}

function writeAnswer(actions: readonly WireRecord[], log: ChatLog, record: LooseRecord): void {
  const texts = (key: string): string =>
    actions.flatMap((action) => stringOf(nestedText(action[key])) ?? []).join('\n\n');
  log.assistant({ text: texts('thought'), reasoning: texts('reasoning_content'), calls: actions.map(callOf) }, record);
}

function callOf(action: WireRecord): ChatCall {
  const call = fieldsOf(action['tool_call']);
  const body = fieldsOf(call['function']);
  return {
    id: stringOf(action['tool_call_id']) ?? stringOf(call['id']) ?? '',
    name: stringOf(action['tool_name']) ?? stringOf(call['name']) ?? stringOf(body['name']) ?? 'unknown',
    arguments: argumentsText(call['arguments'] ?? body['arguments'] ?? action['action']),
  };
}

/** The text of a string, a part, a list of parts, or an observation that holds one of them. */
function nestedText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.flatMap((part) => stringOf(nestedText(part)) ?? []).join('\n');
  if (!isRecord(value)) return '';
  const { text, content, output } = value as {
    readonly text?: unknown;
    readonly content?: unknown;
    readonly output?: unknown;
  };
  return nestedText(text ?? content ?? output ?? value['message']);
}
