/**
 * Secrets and personal items, made at run time from parts: nothing that looks like a secret stands in the repository. Each is planted in a
 * text as it occurs in sessions; what must not be left is `original`.
 */
export interface Planted {
  readonly kind: string;
  /** Must not be left in the result, in no case variant when it is a name. */
  readonly original: string;
  readonly isName: boolean;
  readonly text: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';

/** Letters of a fixed sequence: the same each time, different for each seed. */
export function made(length: number, seed: number, alphabet: string = LETTERS): string {
  let state = Math.imul(seed + 11, 2654435761) >>> 0;
  let out = '';
  while (out.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out += alphabet.charAt((state >>> 8) % alphabet.length);
  }
  return out;
}

type Make = (seed: number) => string;
const hex =
  (length: number): Make =>
  (seed) =>
    made(length, seed, '0123456789abcdef');
const letters =
  (length: number): Make =>
  (seed) =>
    made(length, seed);
const upper =
  (length: number): Make =>
  (seed) =>
    made(length, seed, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const digits =
  (length: number): Make =>
  (seed) =>
    made(length, seed, '123456789');
const url64 = (text: string): string => Buffer.from(text).toString('base64url');
const starting =
  (start: readonly string[], rest: Make): Make =>
  (seed) =>
    start.join('') + rest(seed);
/** Like a name of a person: no word of any list. */
export const handle: Make = (seed) =>
  `q${made(1, seed, 'aeiou')}${made(3, seed + 1, 'bdfgklmnprstvz')}${made(1, seed + 2, 'aeiou')}${made(4, seed + 3, SMALL)}x`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const fullName: Make = (seed) => `${capital(handle(seed))} ${capital(handle(seed + 50))}`;

/** Known by how they start; planted bare, since nothing else may be needed to see them. */
const TOKENS: readonly (readonly [kind: string, make: Make])[] = [
  ['Anthropic key', starting(['sk-', 'ant-', 'api03-'], letters(95))],
  ['OpenAI key', starting(['sk-', 'proj-'], letters(60))],
  ['GitHub token', starting(['gh', 'p_'], letters(36))],
  ['GitHub fine-grained token', starting(['github', '_pat_'], letters(60))],
  ['GitLab token', starting(['gl', 'pat-'], letters(20))],
  ['AWS key id', starting(['AK', 'IA'], upper(16))],
  ['Google API key', starting(['AI', 'za'], letters(35))],
  ['Slack token', (seed) => `${['xo', 'xb-'].join('')}${digits(12)(seed)}-${digits(12)(seed)}-${letters(24)(seed)}`],
  ['Stripe key', starting(['sk', '_live_'], letters(24))],
  ['SendGrid key', (seed) => `${['S', 'G.'].join('')}${letters(22)(seed)}.${letters(43)(seed)}`],
  ['npm token', starting(['np', 'm_'], letters(36))],
  ['Hugging Face token', starting(['h', 'f_'], letters(34))],
  ['DigitalOcean token', starting(['dop', '_v1_'], hex(64))],
  ['Vault token', starting(['hv', 's.'], letters(90))],
  ['Groq key', starting(['gs', 'k_'], letters(52))],
  ['Databricks token', starting(['da', 'pi'], hex(32))],
  ['Linear key', starting(['lin', '_api_'], letters(40))],
  ['Notion token', starting(['nt', 'n_'], letters(46))],
  ['Figma token', starting(['fig', 'd_'], letters(40))],
  ['Postman key', (seed) => `${['PM', 'AK-'].join('')}${hex(24)(seed)}-${hex(34)(seed)}`],
  [
    'JWT',
    (seed) => [url64('{"alg":"HS256","typ":"JWT"}'), url64(`{"sub":"${digits(10)(seed)}"}`), made(43, seed)].join('.'),
  ],
];

/** Need what stands around them; `@` is where the original goes. */
const IN_CONTEXT: readonly (readonly [kind: string, make: Make, context: string])[] = [
  ['bearer token', letters(40), 'curl -H "Authorization: Bearer @" https://api.internal/v1'],
  ['password', (seed) => `${made(9, seed)}7!k`, 'DB_PASSWORD=@'],
  ['secret after a key word', letters(32), 'client_secret: "@"'],
  ['API key after a key word', hex(40), '"apiKey": "@",'],
  ['database password', (seed) => `${made(14, seed)}9z`, 'DATABASE_URL=postgres://svc:@[AT]db.internal:5432/app'],
  ['AWS secret key', letters(40), 'aws_secret_access_key = @'],
  ['cookie', letters(32), 'Cookie: session_id=@; theme=dark'],
  ['netrc password', (seed) => `${made(12, seed)}3a`, 'machine git.internal login deploy password @'],
];

const NAMES: readonly (readonly [kind: string, make: Make, context: string])[] = [
  ['user name in a path', handle, 'opened /home/@/work/app/src/index.ts'],
  ['user name in a Mac path', handle, 'cd /Users/@/code && ls'],
  ['user name in a Windows path', handle, 'C:\\Users\\@\\AppData\\Local\\app.log was read'],
  ['user name in a URL', handle, 'vscode://file?path=%2Fhome%2F@%2Fapp'],
  ['user name in a folder of an agent', handle, 'ls "/data/projects/-Users-@-code-app"'],
  ['uid', handle, 'uid=1000(@) gid=1000(staff)'],
  ['USER', handle, 'USER=@\nSHELL=/bin/zsh'],
  ['author name', fullName, 'commit 4f2a\nAuthor: @ <someone[AT]company.io>\nDate: today'],
  ['co-author', fullName, 'Co-authored-by: @ <other[AT]company.io>'],
  ['git config', fullName, 'git config user.name "@"'],
  ['owner of a file', handle, '-rw-r--r--  1 @  staff  1204 Nov 15 11:34 a.txt'],
  ['user of ssh', handle, 'ssh @[AT]10.0.0.5 uptime'],
  ['user name in an escaped path', handle, "sed 's/\\/home\\/@\\/app/x/'"],
  ['user name behind a flag', handle, 'gcc -I/home/@/include a.c'],
  ['shell prompt', handle, '@[AT]build-box:~/app$ make'],
];

const ADDRESSES: readonly (readonly [kind: string, make: Make, context: string])[] = [
  ['e-mail address', (seed) => `${handle(seed)}@${handle(seed + 9)}.io`, 'write to #, please'],
  ['e-mail address in a link', (seed) => `${handle(seed)}.${handle(seed + 3)}@mail.company.co.uk`, '[mail](mailto:#)'],
  ['e-mail address in a URL', (seed) => `${handle(seed)}%40${handle(seed + 4)}.de`, 'https://x.io/?to=#&n=1'],
  ['Discord mention', (seed) => digits(18)(seed), 'ask <@#> about it'],
  ['Slack mention', (seed) => `U0${upper(9)(seed)}`, 'ask <@#> about it'],
  ['phone number', (seed) => `+49 17${digits(1)(seed)} ${digits(4)(seed)} ${digits(4)(seed + 1)}`, 'call # today'],
  ['card number', (seed) => card(`4${digits(14)(seed)}`), 'paid with # yesterday'],
];

/** A number with the digit that makes it one of a card. */
function card(start: string): string {
  const valid = Array.from({ length: 10 }, (_, last) => `${start}${last}`).find((number) => {
    const sum = [...number].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  });
  return valid ?? start;
}

export const PROJECT: string = `${'zor'}${'blat'}`;
export const HOST: string = `${'qux'}${'ville-9'}`;
export const PERSON: string = `${'Ingo'} ${'Wexelblatt'}`;

const LISTED: readonly (readonly [kind: string, original: string, texts: readonly string[]])[] = [
  ['listed project', PROJECT, ['the # service', 'class #Client {}', '#_TOKEN_URL', 'git clone x:#/#.git']],
  ['listed host', HOST, ['ssh #', 'http://#:8080/health', 'up on #.', 'ping -c1 #']],
  ['listed person', PERSON, ['# said so', 'cc: #', 'see # for it', '(#)']],
];

/** How often each kind is planted, each time with another value. */
const TIMES = 5;

export function plantedItems(times: number = TIMES): readonly Planted[] {
  const items: Planted[] = [];
  let seed = 1;
  for (let time = 0; time < times; time++) {
    for (const [kind, make] of TOKENS) {
      const original = make(seed++);
      items.push({ kind, original, isName: false, text: inProse(original, time) });
    }
    for (const [kind, make, context] of IN_CONTEXT) {
      const original = make(seed++);
      items.push({ kind, original, isName: false, text: filled(context.replaceAll('[AT]', '\u0000'), '@', original) });
    }
    for (const [kind, make, context] of NAMES) {
      seed += 100;
      const original = make(seed);
      const elsewhere = ` Then ${original.toUpperCase()} and "${original}" again.`;
      const text = filled(context.replaceAll('[AT]', '\u0000'), '@', original);
      items.push({ kind, original, isName: true, text: text + elsewhere });
    }
    for (const [kind, make, context] of ADDRESSES) {
      const original = make(seed++);
      items.push({ kind, original, isName: false, text: context.replaceAll('#', original) });
    }
  }
  for (const [kind, original, texts] of LISTED)
    for (const text of texts) items.push({ kind, original, isName: true, text: text.replaceAll('#', original) });
  return items;
}

function filled(context: string, sign: string, original: string): string {
  return context.replaceAll(sign, original).replaceAll('\u0000', '@');
}

function inProse(token: string, time: number): string {
  const ways = [
    `used ${token} for it`,
    `value='${token}'`,
    `{"x": "${token}"}`,
    `(${token})`,
    `  - ${token}\n  - next`,
  ];
  return ways[time % ways.length] ?? token;
}

/** A session that holds all of them: in prose, output, arguments as text and as an object, the prompt, keys and fields nobody knows. */
export function plantedSession(items: readonly Planted[]): object {
  const messages: object[] = [{ role: 'system', content: `You work for ${items[0]?.text}` }];
  messages.push({ role: 'user', content: 'Please look at the thing.' });
  items.forEach(({ text }, index) => {
    const id = `call_${index}`;
    switch (index % 5) {
      case 0:
        messages.push({ role: 'user', content: text });
        break;
      case 1:
        messages.push({ role: 'assistant', content: `<think>${text}</think>I saw: ${text}` });
        break;
      case 2:
        messages.push(callOf(id, JSON.stringify({ command: text, nested: { again: [text] } })));
        messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
        break;
      case 3:
        messages.push(callOf(id, '{"path":"x"}'));
        messages.push({ role: 'tool', tool_call_id: id, content: `line one\n${text}\nlast line` });
        break;
      default:
        messages.push({ role: 'user', content: [{ type: 'text', text }], name: 'x', extra: { note: text } });
    }
  });
  return { messages, metadata: { user_id: items[1]?.text, run: items[2]?.text } };
}

function callOf(id: string, args: string): object {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: args } }],
  };
}
