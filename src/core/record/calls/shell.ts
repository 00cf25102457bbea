import { type FileEffect, normalizePath, within } from './file-effect.ts';
import { CMDLET, commandEffects, isOption, type SimpleCommand } from './shell-programs.ts';
import { type ShellToken, type ShellWord, shellTokens } from './shell-words.ts';

/**
 * The effects in the order of the commands. Paths are relative to where the command starts; a `cd` to a folder below it is followed, one to
 * an absolute folder is taken for the folder that all work is done in.
 *
 * @param folder where the command runs, when it was told to run somewhere else
 */
export function shellEffects(command: string, folder = ''): readonly FileEffect[] {
  return effectsOf(command, folder.startsWith('/') ? '' : folder, 0);
}

/** Shells called by shells are followed this deep. */
const MOST_SHELLS = 3;

function effectsOf(command: string, start: string, depth: number): readonly FileEffect[] {
  const effects: FileEffect[] = [];
  const outer: string[] = [];
  let folder = start;
  let tokens: ShellToken[] = [];
  let opened = false;
  let arithmetic = false;
  const finish = (): void => {
    const simple = readCommand(tokens);
    tokens = [];
    if (simple === null || arithmetic) return;
    if (simple.program === 'cd' || simple.program === 'pushd') {
      folder = changedFolder(folder, simple.operands[0]);
      return;
    }
    const inner = depth < MOST_SHELLS ? innerCommand(simple) : null;
    const found = inner === null ? commandEffects(simple) : effectsOf(inner, folder, depth + 1);
    for (const effect of found) effects.push(inner === null ? within(folder, effect) : effect);
  };
  for (const token of shellTokens(command, CMDLET.test(command) ? 'is-plain' : 'escapes')) {
    if (token.type === 'word' || token.type === 'redirect') {
      tokens.push(token);
      opened = false;
      continue;
    }
    finish();
    if (token.type === 'open') {
      // `((a > b))` compares numbers.
      if (opened) arithmetic = true;
      outer.push(folder);
      opened = true;
    } else if (token.type === 'close') {
      folder = outer.pop() ?? start;
      arithmetic = false;
    }
  }
  finish();
  return effects;
}

/** Words that stand before a command without changing what it does to files. */
const PREFIXES: ReadonlySet<string> = new Set(
  'sudo time nohup env command builtin exec if then else elif while until do ! { &'.split(' '),
);

function readCommand(tokens: readonly ShellToken[]): SimpleCommand | null {
  const words: ShellWord[] = [];
  const redirects: { operator: string; target: ShellWord }[] = [];
  // `[[ a > b ]]` compares strings.
  const compares = tokens.some((token) => token.type === 'word' && token.text === '[[');
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type === 'word') words.push(token);
    else if (token?.type === 'redirect') {
      const target = tokens[++at];
      if (target?.type === 'word' && !compares) redirects.push({ operator: token.operator, target });
    }
  }
  while (words[0] !== undefined && (PREFIXES.has(words[0].text) || /^\w+=/.test(words[0].text))) words.shift();
  if (words.length === 0 && redirects.length === 0) return null;
  const [program, ...rest] = words;
  const name = program?.text ?? '';
  return {
    program: name.slice(name.lastIndexOf('/') + 1),
    words: rest,
    operands: rest.filter((word) => !isOption(word)),
    redirects,
  };
}

function changedFolder(folder: string, target: ShellWord | undefined): string {
  if (target === undefined || !target.literal || /^[/~-]/.test(target.text)) return '';
  return normalizePath(folder === '' ? target.text : `${folder}/${target.text}`);
}

/** The command that a shell is given: `bash -lc '…'`. */
function innerCommand({ program, words }: SimpleCommand): string | null {
  if (!/^(?:ba|z|da)?sh$/.test(program)) return null;
  const option = words.findIndex((word) => /^-\w*c$/.test(word.text));
  return option < 0 ? null : (words[option + 1]?.text ?? null);
}
