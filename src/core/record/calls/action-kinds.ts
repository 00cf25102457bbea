import type { Action } from './action.ts';

/** True when the call's command is for a shell, and not a program in another language. */
export function runsShell(action: Action): boolean {
  return action.command !== null && action.verb === 'shell' && !/code|python|repl|sql|eval|script/i.test(action.tool);
}

/** Shell commands that only show what is already there. */
const LOOKUP_COMMAND =
  /^(?:sudo )?(?:cat|head|tail|less|nl|ls|tree|find|fd|grep|rg|ag|awk|sed -n|wc|pwd|which|echo|git (?:show|diff|grep|blame|ls-files))\b/;

/** True when the call only looks something up: its output is content that stays where it is, not news. */
export function isLookup(action: Action): boolean {
  if (action.verb === 'read' || action.verb === 'search') return true;
  return action.command !== null && LOOKUP_COMMAND.test(action.command.trimStart());
}

/** Files that tell an agent or its people how to work: guides, skills with their references, and guidelines. */
const RULES_FILE =
  /(?:^|[/\\\s:'"])(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|SKILL|RULES|CONVENTIONS)(?:[.-]\w+)?\.(?:md|mdx|rst|txt)\b|[/\\]skills?[/\\][^\s'"]*[/\\]references[/\\]|\.(?:cursor|windsurf|cline)[/\\]?rules|copilot-instructions|\.instructions\.md\b|(?:^|[/\\\s:'"._-])(?:guide|guidelines?|style-?guide|style|conventions|standards)(?:[._-]\w+)*\.(?:md|mdx|rst|adoc)\b/i;

/** Shell commands that print what is in a file. */
const SHOWS_FILE = /^(?:sudo )?(?:cat|bat|head|tail|less|more|nl|type|awk|sed -n|grep|rg|git show|Get-Content)\b/i;

/** True when the call reads a text that tells an agent how to work. */
export function readsRules({ tool, verb, target, command }: Action): boolean {
  if (/^(?:use_?|load_?|invoke_?|activate_?)?skill$/i.test(tool)) return true;
  const shows =
    verb === 'read' ||
    (verb === 'search' && /grep|search/i.test(tool)) ||
    (command !== null && SHOWS_FILE.test(command.trimStart()));
  return shows && target !== null && RULES_FILE.test(target);
}
