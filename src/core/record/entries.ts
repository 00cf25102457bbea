import {
  type Message,
  resultTextOf,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from '../conversation/message.ts';
import { isRulesText, isUserTurn } from '../conversation/turns.ts';
import { type Span, splitLines, splitProse } from '../language/passages.ts';
import type { Voice } from '../language/voice.ts';
import { type Action, describeCall } from './calls/action.ts';
import { isLookup, readsRules, runsShell } from './calls/action-kinds.ts';
import { exitCodeOf, outputLines } from './calls/output.ts';
import type { DidEntry, Entry, Passage, SaidEntry } from './entry.ts';

/** A message with its number in the history. */
export interface NumberedMessage {
  readonly number: number;
  readonly message: Message;
}

/** The entries of a stretch of history, oldest first. Paths below `root` are shown without it. */
export function entriesOf(history: readonly NumberedMessage[], root = ''): readonly Entry[] {
  const entries: Entry[] = [];
  for (const [index, { number, message }] of history.entries()) {
    if (message.role !== 'system' && (textOf(message).trim() !== '' || hasMedia(message)))
      entries.push(saidEntry(number, message, isClosing(history, index)));
    const calls = toolCallsOf(message);
    const results = calls.length === 0 ? NO_RESULTS : resultsAfter(history, index);
    for (const call of calls) entries.push(didEntry({ number, call, result: results.get(call.callId) ?? null, root }));
  }
  return entries;
}

function hasMedia(message: Message): boolean {
  return message.parts.some((part) => part.type === 'image' || part.type === 'file');
}

/** Marks each failed call with the later call that succeeded: same tool, same target. */
export function markFixed(entries: readonly Entry[]): readonly Entry[] {
  const succeeded = new Map<string, number>();
  const marked: Entry[] = [];
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'did') marked.push(entry);
    else if (entry.failed) marked.push({ ...entry, fixedBy: succeeded.get(entry.heading) ?? entry.fixedBy });
    else {
      succeeded.set(entry.heading, entry.number);
      marked.push(entry);
    }
  }
  return marked.reverse();
}

const NO_RESULTS: ReadonlyMap<string, ToolResultPart> = new Map();

/** The results of one message's calls. Later steps may reuse ids, so only the messages right behind it count. */
function resultsAfter(history: readonly NumberedMessage[], index: number): ReadonlyMap<string, ToolResultPart> {
  const found = new Map<string, ToolResultPart>();
  for (let at = index + 1; at < history.length; at++) {
    const parts = toolResultsOf((history[at] as NumberedMessage).message);
    if (parts.length === 0) break;
    for (const part of parts) found.set(part.callId, part);
  }
  return found;
}

function isClosing(history: readonly NumberedMessage[], index: number): boolean {
  const next = history[index + 1]?.message;
  return next === undefined || next.role === 'user' || next.role === 'system';
}

function saidEntry(number: number, message: Message, closing: boolean): SaidEntry {
  const said = textOf(message);
  const voice: Voice =
    message.role === 'assistant' ? 'assistant' : isUserTurn(message) ? 'user' : isRulesText(said) ? 'rules' : 'host';
  const media = message.parts.filter((part) => part.type === 'image' || part.type === 'file');
  const passages = [
    ...splitProse(said).map((span) => passage(voice, span)),
    ...media.map((part) =>
      passage(voice, { text: `[${part.type}${part.mediaType === null ? '' : ` ${part.mediaType}`}]`, joined: false }),
    ),
  ];
  return { type: 'said', number, heading: voice, passages, closing, carried: false };
}

interface Did {
  readonly number: number;
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | null;
  readonly root: string;
}

function didEntry({ number, call, result, root }: Did): DidEntry {
  const action = describeCall(root === '' ? call : { ...call, arguments: belowRoot(call.arguments, root) });
  const output = result === null ? '' : belowRoot(resultTextOf(result), root);
  const voice = outputVoice(action);
  const lines = outputLines(output);
  const spoken = (text: string): readonly Passage[] => splitProse(text).map((span) => passage('argument', span));
  // Joined with `concat`: an output may have more lines than a function can take arguments.
  const passages = commandLines(action).concat(
    action.texts.flatMap(spoken),
    splitLines(action.added).map((span) => passage('argument', span)),
    splitLines(action.removed).map((span) => passage('removed', span)),
    (PRINTED.has(voice) ? splitLines(lines) : splitProse(lines.join('\n'))).map((span) => passage(voice, span)),
  );
  const heading = action.target === null ? action.tool : `${action.tool} ${action.target}`;
  const failed =
    result?.isError === true ||
    FAILED.test(output.slice(0, 400)) ||
    (runsShell(action) && (exitCodeOf(lines) ?? 0) > 0);
  return { type: 'did', number, heading, passages, action, failed, fixedBy: null };
}

/** Voices that print lines instead of writing sentences. */
const PRINTED: ReadonlySet<Voice> = new Set(['output', 'content']);

/** The heading shows the first line of a command only; the rest (a commit message, a script) is worth quoting too. */
function commandLines({ command }: Action): readonly Passage[] {
  if (command === null) return [];
  return splitLines(command.split('\n'))
    .slice(1)
    .map((span) => passage('argument', span));
}

function belowRoot(text: string, root: string): string {
  return root === '' ? text : text.replaceAll(`${root}/`, '');
}

/** Who speaks in the output of a call. */
export function outputVoice(action: Action): Voice {
  if (action.verb === 'ask') return 'user';
  if (action.verb === 'delegate') return 'report';
  if (readsRules(action)) return 'rules';
  return isLookup(action) ? 'content' : 'output';
}

/** How tools say that they failed when the wire has no flag for it. */
const FAILED = /^(?:error\b|<tool_use_error>|exit code:? [1-9]|command failed|traceback \(most)|"exit_code":\s*[1-9]/i;

function passage(voice: Voice, span: Span): Passage {
  return { voice, text: span.text, joined: span.joined };
}
