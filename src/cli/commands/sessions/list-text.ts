import { counted, cut, paintFor, whole } from '../../screen/paint.ts';
import type { Screen } from '../../world.ts';
import type { Listed } from './list.ts';

type Columns = readonly [agent: string, written: string, tokens: string, messages: string, title: string];

const HEAD: Columns = ['agent', 'last written', 'tokens', 'messages', 'title'];
const LEAST_TITLE = 20;

export function listText({ rows, more, unread }: Listed, folder: string | undefined, screen: Screen): string {
  if (rows.length === 0)
    return folder === undefined
      ? 'No session found in the usual places.\nTo search elsewhere: precis sessions FOLDER\n'
      : `No session found in ${folder}.\n`;
  const paint = paintFor(screen);
  const agents = Math.max(HEAD[0].length, ...rows.map(({ agent }) => agent.length));
  const titles = Math.max(LEAST_TITLE, screen.columns - agents - 41);
  const line = ([agent, written, tokens, messages, title]: Columns): string =>
    `${agent.padEnd(agents)}  ${written.padEnd(16)}  ${tokens.padStart(9)}  ${messages.padStart(8)}  ${cut(title, titles)}`.trimEnd();
  return [
    paint('dim', line(HEAD)),
    ...rows.flatMap(({ agent, modifiedAt, tokens, messages, title, path }) => [
      line([agent, minuteOf(modifiedAt), whole(tokens), whole(messages), printable(title ?? '')]).replace(
        agent,
        paint('bold', agent),
      ),
      `  ${paint('dim', printable(path))}`,
    ]),
    ...(more > 0 ? [`${counted(more, 'older file')} not opened; \`--limit\` lists more.`] : []),
    ...(unread > 0 ? [`${counted(unread, 'file')} held no readable session.`] : []),
    '',
  ].join('\n');
}

function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** Removes control characters, because a title or a path may hold anything. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
}
