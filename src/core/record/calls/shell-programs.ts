import { type FileEffect, within } from './file-effect.ts';
import type { ShellWord } from './shell-words.ts';

/** One command of a shell text: a program with its words. */
export interface SimpleCommand {
  readonly program: string;
  /** All words behind the program. */
  readonly words: readonly ShellWord[];
  /** Words that are not options. */
  readonly operands: readonly ShellWord[];
  readonly redirects: readonly { readonly operator: string; readonly target: ShellWord }[];
}

/** What a command does to files: its redirections, then the program. Best effort on what the words say; substitutions are not followed. */
export function commandEffects(command: SimpleCommand): readonly FileEffect[] {
  const effects = command.redirects.flatMap(({ operator, target }): readonly FileEffect[] => {
    const output = /^(?:\d|&)?(>>?)\|?$/.exec(operator);
    if (output === null || !isPath(target)) return [];
    return [{ path: target.text, effect: output[1] === '>>' ? 'modified' : 'created' }];
  });
  return [...effects, ...programEffects(command)];
}

const READERS: ReadonlySet<string> = new Set(['cat', 'head', 'tail', 'less', 'nl', 'wc', 'bat', 'type']);

function programEffects(command: SimpleCommand): readonly FileEffect[] {
  const { program, words, operands } = command;
  switch (program) {
    case 'sed':
    case 'perl':
      return has(words, /^-\w*i|^--in-place/) ? each('modified', filesBehindScript(words)) : [];
    case 'tee':
      return each(has(words, /^-\w*a|^--append/) ? 'modified' : 'created', operands);
    case 'touch':
      return each('created', operands);
    case 'truncate':
      return each('modified', operands.slice(-1));
    case 'patch':
      return each('modified', operands.slice(0, 1));
    case 'rm':
    case 'unlink':
    case 'rmdir':
      return each('deleted', operands);
    case 'mv':
      return placed('renamed', words);
    case 'cp':
    case 'ln':
      return placed('created', words);
    case 'curl':
      return each('created', valuesOf(words, /^(?:-\w*o|--output)$/));
    case 'wget':
      return each('created', valuesOf(words, /^(?:-\w*O|--output-document)$/));
    case 'git':
      return gitEffects(words);
    default:
      if (READERS.has(program)) return each('read', operands.filter(looksLikeFile));
      return CMDLET.test(program) ? cmdletEffects(program.toLowerCase(), words) : [];
  }
}

function each(effect: FileEffect['effect'], words: readonly ShellWord[]): readonly FileEffect[] {
  return words.filter(isPath).map(({ text }) => ({ path: text, effect }));
}

function has(words: readonly ShellWord[], option: RegExp): boolean {
  return words.some((word) => option.test(word.text));
}

/** The words that follow an option. */
function valuesOf(words: readonly ShellWord[], option: RegExp): readonly ShellWord[] {
  return words.filter((_, at) => option.test(words[at - 1]?.text ?? ''));
}

/** Operands of `sed` and `perl`: the first one is the script unless an option gave it. */
function filesBehindScript(words: readonly ShellWord[]): readonly ShellWord[] {
  const scripts = valuesOf(words, /^-\w*[ef]$|^--expression$|^--file$/);
  const given = scripts.length > 0 || has(words, /^--expression=|^--file=/);
  const operands = words.filter((word) => !isOption(word) && !scripts.includes(word) && word.text !== '');
  return given ? operands : operands.slice(1);
}

/** `mv` and `cp`: the last operand is the new name, or the folder that the others go to. */
function placed(effect: 'renamed' | 'created', words: readonly ShellWord[]): readonly FileEffect[] {
  const [folder] = valuesOf(words, /^-t$|^--target-directory$/);
  const operands = words.filter((word) => !isOption(word) && word !== folder);
  const to = folder ?? operands.at(-1);
  const sources = folder === undefined ? operands.slice(0, -1) : operands;
  if (to === undefined || !isPath(to)) return [];
  const into = folder !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(to.text);
  return sources.filter(isPath).map(({ text: from }) => {
    const name = from.replace(/\/+$/, '');
    const path = into ? `${to.text.replace(/\/+$/, '')}/${name.slice(name.lastIndexOf('/') + 1)}` : to.text;
    return effect === 'renamed' ? { path, effect, from } : { path, effect };
  });
}

function gitEffects(all: readonly ShellWord[]): readonly FileEffect[] {
  const [folder] = valuesOf(all, /^-C$/);
  const options = folder === undefined ? 0 : all.indexOf(folder) + 1;
  const [verb, ...words] = all.slice(options);
  const behindDashes = words.findIndex((word) => word.text === '--');
  const operands = words.filter((word) => !isOption(word));
  const effects = ((): readonly FileEffect[] => {
    switch (verb?.text) {
      case 'rm':
        return has(words, /^--cached$/) ? [] : each('deleted', operands);
      case 'mv':
        return placed('renamed', words);
      case 'restore': {
        if (has(words, /^(?:--staged|-\w*S)$/) && !has(words, /^(?:--worktree|-\w*W)$/)) return [];
        const sources = valuesOf(words, /^(?:--source|-s)$/);
        return each(
          'modified',
          operands.filter((word) => !sources.includes(word)),
        );
      }
      case 'checkout':
        // Without the dashes only a name with an ending is surely a file and not a branch.
        if (behindDashes >= 0) return each('modified', words.slice(behindDashes + 1));
        return has(words, /^-[bB]$/) ? [] : each('modified', operands.filter(hasEnding));
      default:
        return [];
    }
  })();
  return folder?.literal === true && !folder.text.startsWith('/')
    ? effects.map((effect) => within(folder.text, effect))
    : effects;
}

function hasEnding(word: ShellWord): boolean {
  return /[\w-]\.[A-Za-z]\w{0,9}$/.test(word.text);
}

/** File commands of PowerShell. */
export const CMDLET: RegExp = /\b(?:(?:Remove|Move|Copy|Rename|New)-Item|(?:Get|Set|Add)-Content|Out-File)\b/i;
const CMDLET_SWITCH = /^-(?:recurse|force|append|confirm|verbose|nonewline|raw|whatif|passthru)$/i;

function cmdletEffects(program: string, words: readonly ShellWord[]): readonly FileEffect[] {
  const named = new Map<string, ShellWord>();
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const value = words[at + 1];
    if (!isOption(word)) operands.push(word);
    else if (!CMDLET_SWITCH.test(word.text) && value !== undefined) {
      named.set(word.text.slice(1).toLowerCase(), value);
      at++;
    }
  }
  const path = named.get('path') ?? named.get('literalpath') ?? named.get('filepath') ?? operands.shift();
  const to = named.get('destination') ?? named.get('newname') ?? operands.shift();
  if (path === undefined) return [];
  switch (program) {
    case 'remove-item':
      return each('deleted', [path]);
    case 'move-item':
    case 'rename-item':
      return to !== undefined && isPath(to) && isPath(path)
        ? [{ path: to.text, effect: 'renamed', from: path.text }]
        : [];
    case 'copy-item':
      return to === undefined ? [] : each('created', [to]);
    case 'get-content':
      return each('read', [path]);
    case 'add-content':
      return each('modified', [path]);
    case 'new-item':
      return named.get('itemtype')?.text.toLowerCase() === 'directory' ? [] : each('created', [path]);
    default:
      return each(has(words, /^-append$/i) ? 'modified' : 'created', [path]);
  }
}

/** A name that can be looked up: nothing left to expand, no device, no bare number. */
function isPath({ text, literal }: ShellWord): boolean {
  return (
    literal &&
    text.length <= PATH_CHARS &&
    !/[\n\r\u2028\u2029]/.test(text) &&
    !/^(?:\/dev\/|\$|-$)/.test(text) &&
    /\p{L}/u.test(text)
  );
}

const PATH_CHARS = 300;

/** Readers are also given counts and names of other things: `head -n 20k`. */
function looksLikeFile({ text }: ShellWord): boolean {
  return /[./\\]/.test(text) || /^[A-Z]/.test(text);
}

export function isOption(word: ShellWord): boolean {
  return word.text.startsWith('-');
}
