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

/** Files that tell an agent how to behave. What they say holds like a message of the host. */
const RULES_FILE =
  /(?:^|[/\\\s])(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|SKILL|RULES|CONVENTIONS)(?:\.local)?\.md\b|\.(?:cursor|windsurf|cline)rules|copilot-instructions/i;

/** True when the call reads a file that tells an agent how to behave. */
export function readsRules(action: Action): boolean {
  return isLookup(action) && action.target !== null && RULES_FILE.test(action.target);
}
