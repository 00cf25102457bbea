import type { NameLabel } from './names/names.ts';

/** How each kind is replaced. A kind that is not listed is a secret, and becomes `[redacted: KIND]`. */
export const PERSONAL_KINDS: Readonly<Record<string, NameLabel>> = {
  'user name in a path': 'user',
  'user name': 'user',
  'personal handle': 'user',
  'author name': 'contributor',
  'e-mail address': 'e-mail',
  'user mention': 'mention',
  'host name': 'host',
  'phone number': 'phone',
};

/** A rule for a name, as data: a literal anchor, the text that must come before it, and the shape of the name and of the text after it. */
export interface NameShape {
  readonly kind: string;
  readonly anchors: readonly string[];
  /** Must match the text before the anchor, of which it gets the last 24 characters; ends in `$`. */
  readonly before?: RegExp;
  /** Matches after the anchor. Sticky and bounded; its groups are the names. */
  readonly name: RegExp;
}

/** The start of a path: not inside a longer path, a URL or a word, except before a known parent of home folders. */
const PATH_START =
  /(?:^|[^\p{L}\p{N}_.~)\]}%*-]|file:\/\/|\\[nrt]|\[[0-9;]{0,12}m|[\s"'`]-[ILRFBo]|(?:^|[\s"'`=])[+-]|\/var|\/mnt\/[a-z]|\/export|\/net|\/private|\/System\/Volumes\/Data)$/u;
const ACCOUNT = '([\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,39})';

export const NAME_SHAPES: readonly NameShape[] = [
  {
    kind: 'user name in a path',
    // Also with escaped slashes, as in a sed expression.
    anchors: ['/home/', '/Users/', '/home\\/', '/Users\\/'],
    before: PATH_START,
    name: new RegExp(`${ACCOUNT}(?![\\p{L}\\p{N}_*{}$<(%])`, 'uy'),
  },
  {
    // Also with doubled backslashes, as in JSON, and with spaces, which Windows allows.
    kind: 'user name in a path',
    anchors: ['\\Users\\', '\\\\Users\\\\', '\\Documents and Settings\\'],
    before: /[A-Za-z]:\\{0,7}$|\\{1,7}$/,
    name: /\\{0,7}([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,39}(?: [\p{L}\p{N}_.-]{1,30}){1,2}(?=\\)|[\p{L}\p{N}_.-]{0,39}))(?![\p{L}\p{N}_*{}$<(%])/uy,
  },
  {
    kind: 'user name in a path',
    anchors: ['/Users/'],
    before: /(?:^|[\s"'`=(])[A-Za-z]:$/,
    name: new RegExp(`${ACCOUNT}(?![\\p{L}\\p{N}_*{}$<(%])`, 'uy'),
  },
  {
    kind: 'user name in a path',
    anchors: ['%2Fhome%2F', '%2FUsers%2F', '%2fhome%2f', '%2fUsers%2f'],
    name: new RegExp(`${ACCOUNT}(?=%2F|%2f|[\\s"'&]|$)`, 'uy'),
  },
  {
    // Agents name folders after a path with its slashes turned into dashes.
    kind: 'user name in a path',
    anchors: ['-home-', '-Users-'],
    before: /(?:^|[\s"'`=(/\\])$/,
    name: /([\p{L}\p{N}_]{2,39})(?=-)/uy,
  },
  {
    // The owner and the group that `ls -l` prints.
    kind: 'user name',
    anchors: ['-rw', 'drwx', 'lrwx', '-r-'],
    before: /(?:^|[\s"'`]|\\[nrt])$/,
    name: new RegExp(
      `[rwxsStT-]{6,8}[@+.]?[ \\t]{1,6}\\d{1,6}[ \\t]{1,6}${ACCOUNT}[ \\t]{1,12}${ACCOUNT}[ \\t]{1,12}\\d`,
      'uy',
    ),
  },
  // Default names of Windows machines.
  {
    kind: 'host name',
    anchors: ['DESKTOP-', 'LAPTOP-'],
    before: /(?:^|[^\p{L}\p{N}_-])$/u,
    name: /([A-Z0-9]{7,8})(?![A-Za-z0-9-])/y,
  },
  { kind: 'user name', anchors: ['uid='], name: /\d{1,7}\(([\p{L}_][\p{L}\p{N}_.-]{0,39})\)/uy },
  {
    kind: 'user name',
    anchors: ['USER=', 'LOGNAME=', 'USERNAME=', 'SUDO_USER='],
    before: /(?:^|[\s"'`;(]|\\[nrt])$/,
    name: new RegExp(`["']?${ACCOUNT}(?![\\p{L}\\p{N}_@/(:$])`, 'uy'),
  },
  {
    kind: 'user name',
    anchors: ['Logged in to github.com account ', 'Logged in to github.com as ', 'Hi '],
    name: /([A-Za-z0-9][A-Za-z0-9-]{1,38})(?= \(|! You've successfully authenticated)/y,
  },
  {
    kind: 'author name',
    anchors: ['user.name', 'GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME'],
    name: /(?:=|[ \t]{1,4}=?[ \t]{0,4})(?:\\{0,3}["']([^"'\\\n<>$]{2,60})\\{0,3}["']|([\p{L}][\p{L}\p{N}_.-]{1,39})(?![\p{L}\p{N}_($.]))/uy,
  },
  // Discord (<@123>, <@!123>), Slack (<@U02AB|name>), and redacted mentions (<@***>).
  { kind: 'user mention', anchors: ['<@'], name: /(!?\d{5,25}|[UW][A-Z0-9]{6,14}(?:\|[^>\n]{0,60})?|\*{1,9})>/y },
  // Lark and Feishu.
  {
    kind: 'user mention',
    anchors: ['<at '],
    name: /(?:user_id|open_id|id)=\\{0,3}["']([^"'\\\n]{2,60})\\{0,3}["']>([^<>\n]{0,60})<\/at>/y,
  },
  {
    kind: 'phone number',
    anchors: ['+'],
    before: /(?:^|[^\p{L}\p{N}+)\]_.])$/u,
    name: /(\d{1,3}(?:[ -]\d{1,4}|[ .-]?\(\d{1,4}\))(?:[ .-]?\d{2,4}){2,4})(?![\p{L}\p{N}_]|[.:-]\d)/uy,
  },
];

/** Addresses that reach no person: of machines, and of this program. */
export const NOBODYS_LOCAL: RegExp =
  /^(?:git|hg|svn|noreply|no-reply|donotreply|do-not-reply|this|super|return|it|contributor(?:\+\d+)?|root|postmaster|mailer-daemon)$/i;
export const NOBODYS_DOMAIN: RegExp =
  /(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|local\.host)$/i;
/** Endings of file names, units and members that look like domains. */
export const NO_DOMAIN: RegExp =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|s[ac]ss|less|m?jsx?|cjs|m?tsx?|cts|json[5lc]?|html?|map|tgz|gz|zip|tar|bz2|xz|whl|jar|war|wasm|lock|ya?ml|toml|xml|txt|log|csv|pdf|vue|svelte|php|java|kt|class|dll|exe|service|socket|timer|target|slice|mount|git|prototype|length|value|default|props|state|current|name|type|key|id)$/i;
