import type { ToolCallPart } from '../conversation/message.ts';

/** What kind of thing a tool does. The only place that looks at tool names and argument keys. */
export type Verb =
  | 'read'
  | 'write'
  | 'edit'
  | 'delete'
  | 'move'
  | 'shell'
  | 'search'
  | 'fetch'
  | 'ask'
  | 'plan'
  | 'delegate'
  | 'other';

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
  /** Lines it adds to a file, and lines it takes away. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Other text arguments: prompts, messages, questions. */
  readonly texts: readonly string[];
  /** The arguments as they are on the wire. */
  readonly raw: string;
}

const VERBS: readonly (readonly [Verb, RegExp])[] = [
  ['ask', /^ask|_ask|clarify|question|user_input/i],
  ['plan', /todo|plan|taskcreate|taskupdate|task_list|memory|skill|notebook_note/i],
  ['delegate', /^(agent|task|subagent|delegate|dispatch|sendmessage|send_message|spawn)/i],
  ['delete', /delete|remove|unlink/i],
  ['move', /move|rename/i],
  ['edit', /edit|patch|replace|update_file|insert/i],
  ['write', /write|create_file|save|create$/i],
  ['shell', /bash|shell|exec|terminal|powershell|command|^run|^cmd$/i],
  ['search', /grep|glob|search|find|^ls$|list/i],
  ['fetch', /fetch|browse|visit|http|url|web|navigate/i],
  ['read', /read|view|cat|open|get_file/i],
];

const PATH_KEY =
  /^(path|file|filename|file_?path|absolute_?path|target_?file|notebook_?path|relative_?path|source|destination|dir(ectory)?|uri)$/i;
const COMMAND_KEY = /^(command|cmd|script|code)$/i;
const QUERY_KEY = /^(pattern|query|q|regex|url|search|keyword|name|subject|title|id)$/i;
const OLD_KEY = /^(old|search_text|before|find)/i;
const NEW_KEY = /^(new|replace|content|file_?text|after|insert|body)/i;
/** Keys that say nothing a reader needs. */
const NOISE_KEY =
  /^(description|timeout\w*|offset|limit|replace_?all|run_in_background|justification|sandbox_permissions|yield_time_ms|max_output_tokens|output_mode|-\w)$/i;

const TARGET_CHARS = 160;

/** Reads a call's arguments into what a person would say about it. Never throws: unknown shapes give an action without detail. */
export function describeCall(call: ToolCallPart): Action {
  const leaves = stringLeaves(parseArguments(call.arguments));
  const verb = verbOf(call.name);
  const paths: string[] = [];
  const queries: string[] = [];
  const added: string[] = [];
  const removed: string[] = [];
  const texts: string[] = [];
  let command: string | null = null;
  for (const { key, value } of leaves) {
    if (NOISE_KEY.test(key) || value === '') continue;
    if (PATH_KEY.test(key) && !value.includes('\n')) paths.push(value);
    else if (COMMAND_KEY.test(key) || (verb === 'shell' && key === 'input'))
      command = command === null ? value : `${command} ${value}`;
    else if (value.startsWith('*** Begin Patch')) readPatch(value, { paths, added, removed });
    else if (OLD_KEY.test(key)) removed.push(...value.split('\n'));
    else if (NEW_KEY.test(key)) added.push(...value.split('\n'));
    else if (QUERY_KEY.test(key) && value.length <= TARGET_CHARS && !value.includes('\n')) queries.push(value);
    else if (value.length > 2) texts.push(value);
  }
  if (command !== null) command = withoutShellWrapper(command);
  if (command?.includes('*** Begin Patch')) readPatch(command, { paths, added, removed });
  const target = command !== null ? oneLine(command) : [...queries, ...unique(paths)].join(' in ') || null;
  const gone = new Set(removed.map((line) => line.trim()));
  const fresh = new Set(added.map((line) => line.trim()));
  return {
    callId: call.callId,
    tool: call.name,
    verb,
    target: target === null ? null : shorten(target, TARGET_CHARS),
    paths: unique(paths),
    command,
    added: added.filter((line) => line.trim() !== '' && !gone.has(line.trim())),
    removed: removed.filter((line) => line.trim() !== '' && !fresh.has(line.trim())),
    texts,
    raw: call.arguments,
  };
}

/** The action behind a heading such as `Bash make test`, as far as it tells: for calls whose arguments are not at hand. */
export function describeHeading(heading: string): Action {
  const space = heading.indexOf(' ');
  const tool = space < 0 ? heading : heading.slice(0, space);
  const target = space < 0 ? null : heading.slice(space + 1);
  const verb = verbOf(tool);
  const command = verb === 'shell' ? target : null;
  return { callId: '', tool, verb, target, paths: [], command, added: [], removed: [], texts: [], raw: '' };
}

function verbOf(tool: string): Verb {
  return VERBS.find(([, pattern]) => pattern.test(tool))?.[0] ?? 'other';
}

/** Shell commands that only show what is already there. */
const LOOKUP_COMMAND =
  /^(?:sudo )?(?:cat|head|tail|less|nl|ls|tree|find|fd|grep|rg|ag|awk|sed -n|wc|pwd|which|echo|git (?:show|diff|grep|blame|ls-files))\b/;

/** True when the call only looks something up: its output is content that stays where it is, not news. */
export function isLookup(action: Action): boolean {
  if (action.verb === 'read' || action.verb === 'search') return true;
  return action.command !== null && LOOKUP_COMMAND.test(action.command.trimStart());
}

/** Files that tell an agent how to behave. What they say holds like a message of the host. */
const RULES_FILE =
  /(?:^|[/\\\s])(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|SKILL|RULES|CONVENTIONS)(?:\.local)?\.md\b|\.(?:cursor|windsurf|cline)rules|copilot-instructions/i;

export function readsRules(action: Action): boolean {
  return isLookup(action) && action.target !== null && RULES_FILE.test(action.target);
}

/** The arguments as a value; text that is not JSON is one string. */
export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

interface Leaf {
  readonly key: string;
  readonly value: string;
}

/** All string leaves with the nearest key above them, in order. Depth is bounded by an explicit stack, not the call stack. */
function stringLeaves(root: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const stack: { readonly key: string; readonly value: unknown }[] = [{ key: 'input', value: root }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { key, value } = item;
    if (typeof value === 'string') leaves.push({ key, value });
    else if (typeof value === 'number' && QUERY_KEY.test(key)) leaves.push({ key, value: String(value) });
    else if (Array.isArray(value)) for (const child of [...value].reverse()) stack.push({ key, value: child });
    else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value).reverse()) stack.push({ key: name, value: child });
  }
  return leaves;
}

interface PatchParts {
  readonly paths: string[];
  readonly added: string[];
  readonly removed: string[];
}

function readPatch(patch: string, into: PatchParts): void {
  for (const line of patch.split('\n')) {
    const file = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line);
    if (file?.[1] !== undefined) into.paths.push(file[1].trim());
    else if (line.startsWith('+')) into.added.push(line.slice(1));
    else if (line.startsWith('-')) into.removed.push(line.slice(1));
  }
}

/** `bash -lc cd /x && make` says `make`: the shell and the change of directory are noise. */
function withoutShellWrapper(command: string): string {
  return command.replace(/^(?:\/bin\/)?(?:ba|z)?sh -l?c /, '').replace(/^cd [^\s;&|]+ && /, '');
}

function oneLine(text: string): string {
  const [first = ''] = text.trimStart().split('\n');
  return first.trim();
}

export function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, safeCut(text, chars - 1))}…`;
}

/** The cut moved back so that it does not part a surrogate pair. */
export function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
