/** The kind of work that a tool does, judged by its name. */
export const VERBS = [
  'read',
  'write',
  'edit',
  'delete',
  'move',
  'shell',
  'search',
  'fetch',
  'ask',
  'plan',
  'delegate',
  'other',
] as const;
export type Verb = (typeof VERBS)[number];

/** Matched by whole words of the tool's name, so that `credit` is not taken for an edit, nor `location` for a `cat`. */
const NAMES: readonly (readonly [Verb, RegExp])[] = [
  ['ask', named('ask|ask_?user\\w*|ask_?followup\\w*|clarify|request_?user_?input|user_input')],
  [
    'plan',
    named('todos?|todo_?(?:write|read)|plan|task_?(?:create|update|list)|memory|memories|skills?|notebook_note'),
  ],
  ['delegate', /^(?:agents?|task|sub_?agent|delegate|dispatch|send_?message|spawn)(?![a-z])/],
  ['delegate', /^(?:read|wait|wait_for|get|resume|message|follow_?up)_(?:sub_?)?agents?(?:_|$)/],
  ['delete', named('delete|remove|unlink')],
  ['move', named('move|rename')],
  ['edit', named('(?:multi|file)?edit|editor|(?:apply_?)?(?:patch|diff)|(?:str_?)?replace|update_file|insert')],
  ['write', /(?:^|_)(?:write|write_?file|create_file|save|save_?file)(?:_|$)|(?:^|_)create$/],
  [
    'shell',
    /(?:^|_)(?:bash|shell|exec|execute|terminal|powershell|pwsh|commands?|run_?command|cmd)(?:_|$)|^run(?:_|$)/,
  ],
  ['search', named('grep|rip_?grep|glob|(?:web|file)?search|find|ls|list|list_?(?:dir|files)')],
  ['fetch', named('(?:web)?fetch|browser?|browse|visit|https?|url|web|navigate')],
  ['read', named('read|read_?file|view|cat|get_file|open_?(?:file|page|url)')],
  ['read', /^open$/],
];

function named(words: string): RegExp {
  return new RegExp(`(?:^|_)(?:${words})(?:_|$)`);
}

/** The verb of a tool, by its name. */
export function verbOf(tool: string): Verb {
  const words = tool
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
  return NAMES.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}

/** Multi-purpose editors: their `command` argument says what to do, where that of a shell holds a command. */
export const EDITOR_COMMANDS: ReadonlyMap<string, Verb> = new Map([
  ['view', 'read'],
  ['create', 'write'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['undo_edit', 'edit'],
  ['delete', 'delete'],
  ['rename', 'move'],
]);
