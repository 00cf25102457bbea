import { Command } from 'commander';
import { PrecisError } from '../../core/errors.ts';
import type { Format } from '../../core/format.ts';
import { convert, formatById, formats, type Loss } from '../../formats/index.ts';
import { noteText, sessionName } from '../../sessions/index.ts';
import { checkOutput, type OverwriteFlags, writeOutput } from '../disk/output-file.ts';
import { openOptions, SESSION_HELP, type SessionFlags, withSessionFlags } from '../flags/session-flags.ts';
import { jsonText } from '../screen/json-text.ts';
import type { World } from '../world.ts';

interface ConvertFlags extends SessionFlags, OverwriteFlags {
  readonly to: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Writes a session in another format, and lists everything that format cannot hold. */
export function convertCommand(world: World): Command {
  const command = new Command('convert')
    .summary('write a session in another format and list what is lost')
    .description('Write a session in another format and list what is lost.')
    .argument('<session>', SESSION_HELP)
    .requiredOption('--to <format>', `format of the result: ${known()}`)
    .option('-o, --out <file>', 'write the result here; `-` is standard output')
    .option('--force', 'overwrite the output file')
    .option('--json', 'print what is lost as JSON and nothing else');
  return withSessionFlags(command)
    .addHelpText('after', EXAMPLES)
    .action((path: string, flags: ConvertFlags) => runConvert(world, path, flags));
}

const EXAMPLES = `
Examples:
  Convert to Anthropic messages:
    precis convert session.json --to anthropic --out other.json
  Only list what would be lost:
    precis convert session.json --to ai-sdk
  Convert standard input to standard output:
    cat session.json | precis convert - --to langchain --out -

Exit codes: 0 success, even if something is lost; 2 invalid usage or input.`;

async function runConvert(world: World, path: string, flags: ConvertFlags): Promise<void> {
  const to = formatNamed(flags.to);
  const { out } = flags;
  if (flags.json === true && out === '-')
    throw new PrecisError(
      'bad-option',
      '`--json` and `--out -` both want standard output; write the result to a file, or leave out `--json`',
    );
  if (out !== undefined && out !== '-') await checkOutput(world, out, flags);
  const name = sessionName(path);
  const document = await world.open(path, openOptions(flags));
  const { wire, losses, conversation } = convert(document.conversation, to);
  const text = jsonText(wire);
  if (out !== undefined && out !== '-') await writeOutput(world, { path: out, text }, flags);
  const { notes, format } = document;
  if (flags.json === true) {
    world.out(jsonText({ from: format.id, to: to.id, notes, losses }));
    return;
  }
  for (const line of [...notes.map(noteText), ...losses.map(lossText)]) world.err(`${line}\n`);
  if (out === '-') world.out(text);
  else {
    const count =
      losses.length === 0
        ? 'nothing is lost'
        : `${losses.length} ${losses.length === 1 ? 'thing is' : 'things are'} lost`;
    const place =
      out === undefined ? 'Nothing was written; add `--out FILE` to keep the result.' : `Written to ${out}.`;
    world.out(`${name}: ${format.id} to ${to.id}, ${conversation.messages.length} messages, ${count}\n${place}\n`);
  }
}

function formatNamed(id: string): Format {
  const format = formatById(id);
  if (format !== null) return format;
  throw new PrecisError('unknown-format', `Expected \`to\` to be one of ${known()}, got \`${id}\` (string)`, {
    format: id,
  });
}

function known(): string {
  return formats.map((format) => format.id).join(', ');
}

/** Messages are counted from 1 where people read. */
function lossText({ message, text }: Loss): string {
  return message < 0 ? text : `message ${message + 1}: ${text}`;
}
