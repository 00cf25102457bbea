/** What a shell command does to files. Best effort on what the words say; substitutions are not followed. */
export interface FileEffect {
  readonly path: string;
  readonly effect: 'read' | 'created' | 'modified' | 'deleted' | 'renamed';
  /** Where a renamed file was. */
  readonly from?: string;
}

const READERS: ReadonlySet<string> = new Set(['cat', 'head', 'tail', 'less', 'nl', 'wc', 'bat']);

export function shellEffects(command: string): readonly FileEffect[] {
  const effects: FileEffect[] = [];
  for (const words of splitCommands(withoutHeredocs(command))) effects.push(...commandEffects(words));
  return effects;
}

function commandEffects(words: readonly string[]): readonly FileEffect[] {
  const effects: FileEffect[] = [];
  const plain: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const redirect = /^(?:[12&])?(>{1,2})(.*)$/.exec(word);
    if (redirect !== null) {
      const path = redirect[2] !== '' && redirect[2] !== undefined ? redirect[2] : (words[++at] ?? '');
      if (isPath(path)) effects.push({ path, effect: redirect[1] === '>>' ? 'modified' : 'created' });
    } else if (!/^\d?<|^&$/.test(word)) plain.push(word);
  }
  const [program = '', ...rest] = plain.filter((word) => !/^\w+=/.test(word) && word !== 'sudo');
  const git = program === 'git';
  const verb = git ? `git ${rest[0] ?? ''}` : program;
  const operands = (git ? rest.slice(1) : rest).filter((word) => !word.startsWith('-'));
  effects.push(...programEffects(verb, rest, operands));
  return effects;
}

function programEffects(verb: string, words: readonly string[], operands: readonly string[]): readonly FileEffect[] {
  const each = (effect: FileEffect['effect'], paths: readonly string[] = operands): readonly FileEffect[] =>
    paths.filter(isPath).map((path) => ({ path, effect }));
  switch (verb) {
    case 'sed':
    case 'perl':
      return words.some((word) => /^-\w*i|^--in-place/.test(word)) ? each('modified', operands.slice(-1)) : [];
    case 'tee':
      return each(words.includes('-a') ? 'modified' : 'created');
    case 'touch':
      return each('created');
    case 'rm':
    case 'unlink':
    case 'git rm':
      return each('deleted');
    case 'mv':
    case 'git mv':
      return moved(operands);
    case 'cp':
      return each('created', operands.slice(-1));
    case 'git checkout':
    case 'git restore':
      return each(
        'modified',
        operands.filter((word) => /[./]/.test(word)),
      );
    default:
      return READERS.has(verb) ? each('read') : [];
  }
}

function moved(operands: readonly string[]): readonly FileEffect[] {
  const to = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (to === undefined || sources.length === 0) return [];
  const intoFolder = sources.length > 1 || to.endsWith('/');
  return sources.filter(isPath).map((from) => ({
    path: intoFolder ? `${to.replace(/\/$/, '')}/${from.slice(from.lastIndexOf('/') + 1)}` : to,
    effect: 'renamed' as const,
    from,
  }));
}

function isPath(word: string): boolean {
  return (
    word !== '' &&
    /^[\w./~@%+-]+$/.test(word) &&
    !word.startsWith('/dev/') &&
    /[A-Za-z]/.test(word) &&
    (/[./]/.test(word) || /^[A-Z]/.test(word))
  );
}

/** A heredoc's body is data: it goes, the line that opens it stays. */
function withoutHeredocs(command: string): string {
  return command.replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n\s*\2(?=\n|$)|$)/g, '$3');
}

/** Words of each simple command, quotes removed. Linear in the length of the text. */
function splitCommands(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word = '';
  let quote = '';
  const endWord = (): void => {
    if (word !== '') words.push(word);
    word = '';
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '\\') word += text[++at] ?? '';
    else if (
      char === '\n' ||
      char === ';' ||
      char === '|' ||
      (char === '&' && text[at + 1] !== '>' && text[at - 1] !== '>')
    )
      endCommand();
    else if (char === ' ' || char === '\t' || char === '(' || char === ')') endWord();
    else if (char === '>' && !/^[12&]?>?$/.test(word)) {
      endWord();
      word = char;
    } else word += char;
  }
  endCommand();
  return commands;
}
