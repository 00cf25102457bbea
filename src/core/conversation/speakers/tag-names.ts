import type { Speaker } from './speaker.ts';

/**
 * What a tag around a stretch says about its speaker. A `sure` one is a wrapper that agents are known to write. Any other may also be XML that
 * a person typed or pasted, so the words around it have to decide.
 */
export interface TagMeaning {
  readonly speaker: Speaker;
  readonly isSure: boolean;
}

/** The meaning of a tag by its name; null for names that no agent uses, such as those of HTML. */
export function meaningOf(name: string): TagMeaning | null {
  const words = wordsOf(name);
  for (const [speaker, pattern] of SURE) if (pattern.test(words)) return { speaker, isSure: true };
  for (const [speaker, pattern] of LIKELY) if (pattern.test(words)) return { speaker, isSure: false };
  return null;
}

/** True for names that only a program would choose. HTML and people have no tags with several words. */
export function isHarnessStyle(name: string): boolean {
  return /[A-Za-z][_-][A-Za-z]/.test(name);
}

/** `userQuery`, `user-query` and `user_query` are one name. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.:]/g, '_')
    .toLowerCase();
}

type Names = readonly (readonly [Speaker, RegExp])[];

/** The first match counts. */
const SURE: Names = [
  ['human', /^(?:command_args|bash_input|user_(?:query|message|input|prompt|request|feedback|memory_input))$/],
  [
    'report',
    /(?:^|_)(?:snapshot|compaction|handoff)$|_(?:summary|checkpoint)$|^(?:teammate_message|(?:sub_?)?agent_result|task_result)$/,
  ],
  ['host', /^(?:permissions|(?:apps|plugins|skills|permissions)_instructions|reminder_instructions)$/],
  [
    'rules',
    /_(?:rules?|guidelines|conventions|skills?)$|^(?:user|project|repo(?:sitory)?|workspace|custom|agent|team)_instructions$/,
  ],
  ['rules', /^(?:skill_(?:context|content)|cursor_rules_context)$/],
  ['file', /^(?:attached|referenced|opened|open|current|selected|linked|mentioned)_(?:files?|documents?|code)$/],
  ['file', /^(?:file_(?:contents?|attachments?)|(?:code|ide)_selection|document_contents?)$/],
  [
    'host',
    /^(?:system|local_command|bash|command|environment|env|ide|editor|workspace|session|turn|model|tools?|hook|current|additional|available)_\w|_(?:reminder|notifications?|notice|caveat|context|hook|diagnostics|aborted|interrupted|datetime|info|mode|state|status|layout|spec)$/,
  ],
];

/** Single words that agents use as wrappers, and people in the prompts they write. */
const LIKELY: Names = [
  ['human', /^(?:task|feedback|answer|question|query|prompt|request)$/],
  ['report', /^(?:overview|summary)$/],
  ['rules', /^(?:instructions?|rules|skill|guidelines)$/],
  ['file', /^(?:file|document|documents|attachments?)$/],
  ['host', /^(?:context|system|role|reminder|tools|notification|image)$/],
];
