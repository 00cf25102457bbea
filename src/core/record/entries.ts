import { hostedIn } from '../conversation/hosted.ts';
import {
  type Message,
  type Part,
  resultTextOf,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from '../conversation/message.ts';
import { withoutAnswer } from '../conversation/speakers/refusals.ts';
import { withoutReminders } from '../conversation/speakers/reminders.ts';
import type { Speaker, Stretch } from '../conversation/speakers/speaker.ts';
import { stretchesIn } from '../conversation/speakers/stretches.ts';
import { withoutLineNumbers } from '../language/line-numbers.ts';
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
  const stretches = stretchesIn(history.map(({ message }) => message));
  const firstSaid = history.findIndex(({ message }) => message.role !== 'system');
  for (const [index, { number, message }] of history.entries()) {
    const said = { number, message, stretches: stretches[index] ?? [], closing: isClosing(history, index) };
    // The system prompt is always sent; a system message that comes later may be folded.
    if (message.role !== 'system' || (firstSaid >= 0 && index > firstSaid))
      for (const entry of saidEntries(said)) entries.push(entry);
    for (const { call, result } of hostedIn(message)) entries.push(didEntry({ number, call, result, root }));
    const calls = toolCallsOf(message);
    const results = calls.length === 0 ? NO_RESULTS : resultsAfter(history, index);
    for (const call of calls) entries.push(didEntry({ number, call, result: results.get(call.callId) ?? null, root }));
  }
  return entries;
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

interface Said {
  readonly number: number;
  readonly message: Message;
  readonly stretches: readonly Stretch[];
  readonly closing: boolean;
}

/** One entry for each voice in a message, in the order in which they begin to speak. */
function saidEntries({ number, message, stretches, closing }: Said): readonly SaidEntry[] {
  const spoken = new Map<Voice, Passage[]>();
  const passagesOf = (voice: Voice): Passage[] => {
    const passages = spoken.get(voice) ?? [];
    spoken.set(voice, passages);
    return passages;
  };
  const said: readonly { readonly voice: Voice; readonly text: string }[] =
    message.role === 'user'
      ? stretches.map(({ speaker, text }) => ({ voice: VOICE_OF[speaker], text }))
      : [{ voice: message.role === 'assistant' ? 'assistant' : 'host', text: textOf(message) }];
  for (const { voice, text } of said)
    for (const span of voice === 'content' ? splitLines(withoutLineNumbers(text.split('\n'))) : splitProse(text))
      passagesOf(voice).push(passage(voice, span));
  for (const part of message.parts) {
    const text = nameOfPart(part);
    if (text === null) continue;
    // A person attaches pictures, unless nobody but the host speaks here.
    const voice = message.role !== 'user' || spoken.size === 0 || spoken.has('user') ? mediaVoice(message) : 'host';
    passagesOf(voice).push(passage(voice, { text, joined: false }));
  }
  let first = 0;
  return [...spoken].map(([voice, passages]) => {
    const entry: SaidEntry = {
      type: 'said',
      number,
      heading: headingOf(voice),
      passages,
      closing,
      carried: false,
      first,
    };
    first += passages.length;
    return entry;
  });
}

const VOICE_OF: Readonly<Record<Speaker, Voice>> = {
  human: 'user',
  host: 'host',
  rules: 'rules',
  report: 'report',
  file: 'content',
};

/** The name of a part without words, as a quote shows it; null for all others. */
function nameOfPart(part: Part): string | null {
  switch (part.type) {
    case 'image':
    case 'file':
      return `[${part.type}${part.mediaType === null ? '' : ` ${part.mediaType}`}]`;
    case 'opaque':
      return part.hosted === undefined ? `[${part.kind}]` : null;
    default:
      return null;
  }
}

function mediaVoice({ role }: Message): Voice {
  return role === 'user' ? 'user' : role === 'assistant' ? 'assistant' : 'host';
}

/** Who speaks, as a handoff says it. */
export function headingOf(voice: Voice): string {
  return voice === 'content' ? 'file' : voice;
}

interface Did {
  readonly number: number;
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | null;
  readonly root: string;
}

function didEntry({ number, call, result, root }: Did): DidEntry {
  const action = describeCall(root === '' ? call : { ...call, arguments: belowRoot(call.arguments, root) });
  const { output: whole, reminders } = withoutReminders(result === null ? '' : belowRoot(resultTextOf(result), root));
  const { output, said } = withoutAnswer(whole);
  const voice = outputVoice(action);
  const lines = withoutLineNumbers(outputLines(output));
  const spoken = (text: string): readonly Passage[] => splitProse(text).map((span) => passage('argument', span));
  // Joined with `concat`: an output may have more lines than a function can take arguments.
  const passages = commandLines(action).concat(
    action.texts.flatMap(spoken),
    splitLines(action.added).map((span) => passage('argument', span)),
    splitLines(action.removed).map((span) => passage('removed', span)),
    (PRINTED.has(voice) ? splitLines(lines) : splitProse(lines.join('\n'))).map((span) => passage(voice, span)),
    splitProse(said).map((span) => passage('user', span)),
    reminders.flatMap(splitProse).map((span) => passage('host', span)),
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
