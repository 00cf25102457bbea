/** Something people have that is not read as it is: who writes it, and what to do instead when that is one step. */
export interface ForeignLog {
  readonly title: string;
  readonly remedy?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Lines looked at: logs open with a few lines that only name the session. */
const LOOKED_AT = 50;

/**
 * Recognises logs of agents and other APIs by their structure, so that a person reads what the file is instead of which field the first
 * line lacks. Null for what is none of them, and for anything that holds messages with a role.
 */
export function foreignLogOf(root: unknown): ForeignLog | null {
  if (Array.isArray(root)) return foreignListOf(root.slice(0, LOOKED_AT).filter(isFields));
  return isFields(root) ? foreignObjectOf(root) : null;
}

function foreignListOf(items: readonly Fields[]): ForeignLog | null {
  const [first] = items;
  if (first === undefined || 'role' in first) return null;
  if (isPiHeader(first)) return { title: 'a log of pi' };
  if (first['type'] === 'session.start' && isFields(first['data'])) return { title: 'a log of Copilot CLI' };
  if (items.some(isClaudeCodeLine)) return { title: 'a log of Claude Code' };
  if (items.every(isCodexLine)) return { title: 'a log of Codex' };
  if (Array.isArray(first['traj']))
    return { title: 'a list of runs of tau-bench', remedy: "take one run out of it, e.g. with `jq '.[0].traj'`" };
  return null;
}

function foreignObjectOf(root: Fields): ForeignLog | null {
  const { messages } = root as { readonly messages?: unknown };
  if (isListOf(messages, (item) => isFields(item['info']) && Array.isArray(item['parts'])))
    return { title: 'an export of OpenCode' };
  if (typeof root['sessionId'] === 'string' && isListOf(messages, (item) => 'type' in item && !('role' in item)))
    return { title: 'a session of Gemini CLI' };
  if (Array.isArray(messages)) return null;
  if (Array.isArray(root['trajectory']) || (Array.isArray(root['history']) && 'info' in root))
    return { title: 'a trajectory of SWE-agent', remedy: 'take its messages out of it, e.g. with `jq .history`' };
  if (Array.isArray(root['traj']))
    return { title: 'a run of tau-bench', remedy: 'take its messages out of it, e.g. with `jq .traj`' };
  return [isClaudeCodeLine, isCodexLine, isPiHeader].some((is) => is(root)) ? foreignListOf([root]) : null;
}

function isClaudeCodeLine(line: Fields): boolean {
  return isFields(line['message']) && typeof line['type'] === 'string' && ('uuid' in line || 'sessionId' in line);
}

function isCodexLine(line: Fields): boolean {
  return 'timestamp' in line && typeof line['type'] === 'string' && isFields(line['payload']);
}

function isPiHeader(line: Fields): boolean {
  return line['type'] === 'session' && !('role' in line);
}

function isListOf(value: unknown, test: (item: Fields) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && isFields(value[0]) && test(value[0]);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
