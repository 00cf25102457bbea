import { counted, cut, paintFor, whole } from '../../screen/paint.ts';
import type { Screen } from '../../world.ts';
import type { Listed, SessionRow } from './list.ts';

export function listText({ rows, more, unread }: Listed, folder: string | undefined, screen: Screen): string {
  if (rows.length === 0)
    return `No session found ${folder === undefined ? 'in the usual places; `precis sessions FOLDER` looks elsewhere' : `under ${folder}`}.\n`;
  const paint = paintFor(screen);
  const agentWidth = Math.max(...rows.map((row) => row.agent.length));
  const lines = rows.flatMap((row) => {
    const head = `${paint('bold', row.agent.padEnd(agentWidth))}  ${size(row)}  ${row.modifiedAt.slice(0, 16).replace('T', ' ')}`;
    const width = Math.max(20, screen.columns - agentWidth - 47);
    return [`${head}  ${cut(printable(row.title ?? ''), width)}`, `  ${paint('dim', printable(row.path))}`];
  });
  const rest = [
    ...(more > 0 ? [`${counted(more, 'older file')} not opened; \`--limit\` lists more.`] : []),
    ...(unread > 0 ? [`${counted(unread, 'file')} held no session that can be read.`] : []),
  ];
  return `${[...lines, ...rest].join('\n')}\n`;
}

function size({ tokens, messages }: SessionRow): string {
  return `${whole(tokens).padStart(9)} tokens ${whole(messages).padStart(6)} messages`;
}

/** A title or a path may hold anything; a terminal must not obey it. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
}
