import type { ToolCallPart } from '../../conversation/message.ts';
import { shorten } from '../../language/cut.ts';
import { type Leaf, parseArguments, stringLeaves } from './call-arguments.ts';
import type { FileEffect } from './file-effect.ts';
import { PATCH_START, readPatch } from './patch.ts';
import { EDITOR_COMMANDS, type Verb, verbOf } from './tool-verbs.ts';

/** A call in the words of a person: what it does, and to what. */
export interface Action {
  readonly callId: string;
  readonly tool: string;
  readonly verb: Verb;
  /** The file, command, pattern or address it works on, in one line; null when there is none. */
  readonly target: string | null;
  /** Files it names, as written. */
  readonly paths: readonly string[];
  /** The shell command, whole. */
  readonly command: string | null;
  /** Folder the command runs in, when it says so; empty otherwise. */
  readonly folder: string;
  /** What a patch does to files. */
  readonly patched: readonly FileEffect[];
  /** Lines it adds to a file, and lines it takes away. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Other text arguments: prompts, messages, questions. */
  readonly texts: readonly string[];
  /** The arguments as they are on the wire. */
  readonly raw: string;
}

const PATH_KEY =
  /^(paths?|files?|filename|file_?paths?|absolute_?path|target_?file|notebook_?path|relative_?path|(?:old|new|source|src|destination|dest|from|to|target)_?(?:path|file)|source|destination|dir(ectory)?|uri)$/i;
/** Keys that name files only where files are moved. */
const MOVE_KEY = /^(?:from|to|src|dest|old_?name|new_?name)$/i;
const COMMAND_KEY = /^(command|cmd|script|code)$/i;
const FOLDER_KEY = /^(?:cwd|work_?dir|working_?dir(?:ectory)?)$/i;
const QUERY_KEY = /^(pattern|query|q|regex|url|search|keyword|name|subject|title|id)$/i;
const OLD_KEY = /^(old|search_text|before|find)/i;
const NEW_KEY = /^(new|replace|content|file_?text|after|insert|body)/i;
/** Keys that say nothing a reader needs. */
const NOISE_KEY =
  /^(description|timeout\w*|offset|limit|replace_?all|run_in_background|justification|sandbox_permissions|yield_time_ms|max_output_tokens|output_mode|-\w)$/i;
/** What ends a line: a heading must be one. */
const LINE_END = /[\n\r\u2028\u2029]/;

const TARGET_CHARS = 160;

/** Reads a call's arguments into what a person would say about it. Never throws: unknown shapes give an action without detail. */
export function describeCall(call: ToolCallPart): Action {
  const leaves = stringLeaves(parseArguments(call.arguments), (key) => QUERY_KEY.test(key));
  let verb = verbOf(call.name);
  const paths: string[] = [];
  const queries: string[] = [];
  const patched: FileEffect[] = [];
  const added: string[] = [];
  const removed: string[] = [];
  const texts: string[] = [];
  let command: string | null = null;
  let folder = '';
  for (const { key, value } of leaves) {
    if (NOISE_KEY.test(key) || value === '') continue;
    if ((PATH_KEY.test(key) || (verb === 'move' && MOVE_KEY.test(key))) && !LINE_END.test(value)) paths.push(value);
    else if (FOLDER_KEY.test(key) && !LINE_END.test(value)) folder = value;
    else if (COMMAND_KEY.test(key) || (verb === 'shell' && key === 'input'))
      command = command === null ? value : `${command} ${value}`;
    else if (value.startsWith(PATCH_START)) readPatch(value, { paths, patched, added, removed });
    else if (OLD_KEY.test(key)) addLines(removed, value);
    else if (NEW_KEY.test(key)) addLines(added, value);
    else if (QUERY_KEY.test(key) && value.length <= TARGET_CHARS && !LINE_END.test(value)) queries.push(value);
    else if (value.length > 2) texts.push(value);
  }
  const editing = command === null || paths.length === 0 ? undefined : EDITOR_COMMANDS.get(command);
  if (editing !== undefined) {
    verb = editing;
    command = null;
  }
  if (command !== null) {
    const unwrapped = withoutShellWrapper(command);
    command = unwrapped.command;
    folder = unwrapped.folder || folder;
  }
  if (command?.includes(PATCH_START)) readPatch(command, { paths, patched, added, removed });
  const form = command === null && added.length + removed.length + patched.length === 0 ? formOf(leaves, paths) : null;
  const target =
    command !== null ? oneLine(command) : (form?.target ?? ([...queries, ...unique(paths)].join(' in ') || null));
  const gone = new Set(removed.map((line) => line.trim()));
  const fresh = new Set(added.map((line) => line.trim()));
  return {
    callId: call.callId,
    tool: call.name,
    verb,
    target: target === null ? null : shorten(target, TARGET_CHARS),
    paths: unique(paths),
    command,
    folder,
    patched,
    added: added.filter((line) => line.trim() !== '' && !gone.has(line.trim())),
    removed: removed.filter((line) => line.trim() !== '' && !fresh.has(line.trim())),
    texts: form?.texts ?? texts,
    raw: call.arguments,
  };
}

interface Form {
  readonly target: string;
  /** Fields that found no room in the target. */
  readonly texts: readonly string[];
}

/**
 * Arguments that fill in a form (`origin: DFW, destination: ATL`) rather than name a file or say a text: each value means something only
 * with its key. Null for everything else.
 */
function formOf(leaves: readonly Leaf[], paths: readonly string[]): Form | null {
  const fields = leaves.filter(({ key, value }) => value !== '' && !NOISE_KEY.test(key));
  const [only] = fields;
  const isNamed = fields.length > 1 || /\w(?:id|code|number|date|email|symbol)$/i.test(only?.key ?? '');
  const isForm = isNamed && fields.every(({ value }) => value.length <= FIELD_CHARS && !LINE_END.test(value));
  if (
    !isForm ||
    paths.some((path) => /[./\\]/.test(path)) ||
    fields.some(({ key }) => /^(pattern|query|q|regex|url)$/i.test(key))
  )
    return null;
  const written = fields.map(({ key, value }) => `${key}: ${value}`);
  const shown = Math.max(
    1,
    written.findLastIndex((_, index) => written.slice(0, index + 1).join(', ').length <= TARGET_CHARS) + 1,
  );
  return { target: written.slice(0, shown).join(', '), texts: written.slice(shown) };
}

/** A longer value is a text, not a field. */
const FIELD_CHARS = 80;

/** The action behind a heading such as `Bash make test`, as far as it tells: for calls whose arguments are not at hand. */
export function describeHeading(heading: string): Action {
  const space = heading.indexOf(' ');
  const tool = space < 0 ? heading : heading.slice(0, space);
  const target = space < 0 ? null : heading.slice(space + 1);
  const verb = verbOf(tool);
  const command = verb === 'shell' ? target : null;
  const details = { paths: [], folder: '', patched: [], added: [], removed: [], texts: [], raw: '' };
  return { callId: '', tool, verb, target, command, ...details };
}

/** Not with `push(...lines)`: a file of some hundred thousand lines is more arguments than a call may have. */
function addLines(into: string[], text: string): void {
  for (const line of text.split('\n')) into.push(line);
}

/** `bash -lc cd x && make` says `make` in `x`: the shell and the change of directory are noise. */
function withoutShellWrapper(text: string): { readonly command: string; readonly folder: string } {
  const inner = text.replace(/^(?:\/bin\/)?(?:ba|z)?sh -l?c /, '');
  const quoted = inner === text ? null : /^(['"])([\s\S]*)\1$/.exec(inner);
  const command = quoted?.[2] ?? inner;
  const moved = /^cd ([^\s;&|]+) && /.exec(command);
  return moved === null
    ? { command, folder: '' }
    : { command: command.slice(moved[0].length), folder: (moved[1] ?? '').replace(/^(['"])(.*)\1$/, '$2') };
}

function oneLine(text: string): string {
  const [first = ''] = text.trimStart().split(LINE_END, 1);
  return first.trim();
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
