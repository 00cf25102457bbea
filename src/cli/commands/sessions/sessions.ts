import { Command } from 'commander';
import { wholeNumber } from '../../flags/parsers.ts';
import { jsonText } from '../../screen/json-text.ts';
import type { World } from '../../world.ts';
import { listSessions, type SessionsFlags } from './list.ts';
import { listText } from './list-text.ts';

/** Lists sessions that the other commands accept. */
export function sessionsCommand(world: World): Command {
  return new Command('sessions')
    .summary('list agent sessions on this machine or in a folder')
    .description('List agent sessions on this machine or in a folder, newest first.')
    .argument('[folder]', 'folder to search (default: the usual place of each agent)')
    .option('--limit <n>', 'list at most this many; precis opens no others', wholeNumber(1), 20)
    .option('--agent <name>', 'list only sessions of this agent, e.g. claude-code or codex')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string | undefined, flags: SessionsFlags) => {
      const listed = await listSessions(world, folder, flags);
      const { rows, more, unread } = listed;
      world.out(
        flags.json === true ? jsonText({ sessions: rows, more, unread }) : listText(listed, folder, world.outScreen),
      );
    });
}

const EXAMPLES = `
Examples:
  List the newest sessions:
    precis sessions
  List the ten newest sessions of one agent, as JSON:
    precis sessions --agent claude-code --limit 10 --json
  List everything in a folder:
    precis sessions ./runs --limit 1000

precis searches ~/.claude, ~/.codex, ~/.hermes, ~/.pi, ~/.gemini, ~/.copilot and
OpenCode's database. CLAUDE_CONFIG_DIR, CODEX_HOME, HERMES_HOME, OPENCODE_DB and
XDG_DATA_HOME move these places. Nothing is written or sent anywhere.`;
