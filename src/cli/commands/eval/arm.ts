import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrecisError } from '../../../core/errors.ts';
import { ARMS } from '../../../eval/run/arms/arms.ts';
import { type PlainMessages, plainMessages, type UserArm, type UserArmInfo } from '../../../eval/run/arms/user-arm.ts';
import { convert } from '../../../formats/convert/convert.ts';
import { openaiChat } from '../../../formats/openai-chat/index.ts';

/** Converts messages for compactors of others. They get OpenAI chat messages, whatever the format of the session. */
export const chatMessages: PlainMessages = plainMessages(openaiChat, convert);

/** Reads an arm: `NAME=module.js` or `NAME=command …`. */
export async function userArmFrom(spec: string): Promise<UserArm> {
  const at = spec.indexOf('=');
  const name = spec.slice(0, Math.max(0, at)).trim();
  const what = spec.slice(at + 1).trim();
  if (at < 0 || what === '' || !/^[\w.+-]{1,40}$/.test(name))
    throw new PrecisError('bad-option', `expected \`--arm\` to be NAME=module.js or 'NAME=command …', got \`${spec}\``);
  if ((ARMS as readonly string[]).includes(name))
    throw new PrecisError('bad-option', `expected \`--arm\` to have its own name, got \`${name}\`, which is built in`);
  const isModule = /\.[cm]?[jt]s$/.test(what) && !/\s/.test(what);
  return isModule ? moduleArm(name, what) : commandArm(name, what);
}

type Compactor = (messages: readonly unknown[], info: UserArmInfo) => unknown;

async function moduleArm(name: string, file: string): Promise<UserArm> {
  const place = resolve(file);
  if ((await stat(place).catch(() => null)) === null)
    throw new PrecisError('bad-option', `expected \`--arm ${name}\` to name a module, but there is none at ${file}`);
  const loaded = (await import(pathToFileURL(place).href).catch((error: unknown) => {
    throw new PrecisError('bad-option', `${file}: the module cannot be loaded: ${String(error)}`);
  })) as { readonly default?: unknown };
  const compactor = loaded.default;
  if (typeof compactor !== 'function')
    throw new PrecisError(
      'bad-option',
      `${file}: expected a default export that is a function from messages to messages`,
    );
  return {
    name,
    // It gets its own copies of the messages, so that its changes do not reach another arm.
    compact: async (messages, info) => (compactor as Compactor)(structuredClone(messages), info),
  };
}

/** Longest time a command may take for one compaction, in milliseconds. */
const MOST_COMMAND_MS = 600_000;
const MOST_ERROR_CHARS = 200;

function commandArm(name: string, command: string): UserArm {
  return {
    name,
    compact: async (messages, { fixture, target, pass, passes, run }) => {
      const env = {
        ...process.env,
        PRECIS_FIXTURE: fixture,
        PRECIS_TARGET: String(target),
        PRECIS_PASS: String(pass),
        PRECIS_PASSES: String(passes),
        PRECIS_RUN: String(run),
      };
      const text = await output(command, `${JSON.stringify(messages)}\n`, env);
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new Error('the command printed something that is not JSON');
      }
    },
  };
}

function output(command: string, input: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, { shell: true, env, stdio: ['pipe', 'pipe', 'pipe'], timeout: MOST_COMMAND_MS });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) => fail(new Error(`the command did not start: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return done(Buffer.concat(out).toString('utf8'));
      const said = Buffer.concat(err).toString('utf8').trim().slice(-MOST_ERROR_CHARS);
      fail(
        new Error(`the command ended with ${code === null ? signal : `code ${code}`}${said === '' ? '' : `: ${said}`}`),
      );
    });
    // A command may close its input without reading it.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
