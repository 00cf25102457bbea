import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFinder, replaceFound } from './finder.ts';
import { createScrubber, type ScrubberOptions } from './scrub-text.ts';
import { scrubValue } from './scrub-value.ts';
import { stripThinking } from './session/strip-thinking.ts';
import { parseNames, parseRules } from './user/user-files.ts';

function scrub(text: string, options: ScrubberOptions = {}): string {
  const scrubber = createScrubber(options);
  scrubber.learn(text);
  return scrubber.scrub(text);
}

const at = '@';

describe('paths', () => {
  it.each([
    ['/home/teknium/x', '/home/user/x'],
    ['file:///home/teknium/x', 'file:///home/user/x'],
    ['/Users/teknium', '/Users/user'],
    ['C:\\Users\\teknium\\x', 'C:\\Users\\user\\x'],
    ['"C:\\\\Users\\\\teknium\\\\x"', '"C:\\\\Users\\\\user\\\\x"'],
    ['C:\\Users\\Tek Nium\\x', 'C:\\Users\\user\\x'],
    ['C:/Users/teknium/x', 'C:/Users/user/x'],
    ['/mnt/c/Users/teknium/x', '/mnt/c/Users/user/x'],
    ['projects/-home-teknium-code', 'projects/-home-user-code'],
    ['"a\\n/home/teknium"', '"a\\n/home/user"'],
    ['/home/teknium and /home/other9', '/home/user and /home/user2'],
    ['/home/teknium.', '/home/user.'],
    ['cc -I/home/teknium/include', 'cc -I/home/user/include'],
    ['+/home/teknium/x', '+/home/user/x'],
    ["sed 's/\\/home\\/teknium\\/x//'", "sed 's/\\/home\\/user\\/x//'"],
    ['/home/jürgen9/x', '/home/user/x'],
  ])('%s', (text, expected) => expect(scrub(text)).toBe(expected));

  it.each([
    '/home/user/x',
    '/home/runner/work/x',
    '/home/node/app',
    '/home/ubuntu',
    'https://site.io/home/products/1',
    'src/home/header.ts',
    '/Users/{id}',
    '/home/$USER/x',
    '/home/<name>/x',
    '/Users/12345',
    'GET /Users/Shared',
  ])('leaves %s', (text) => expect(scrub(text)).toBe(text));
});

describe('handles', () => {
  it('are replaced in every case variant, in the case they have', () => {
    expect(scrub('/home/teknium: Teknium, TEKNIUM, @teknium, tekniumBot, theTeknium, TEKNIUM_KEY, teknium1')).toBe(
      '/home/user: User, USER, @user, userBot, theUser, USER_KEY, user1',
    );
  });
  it('are replaced behind an escape of JSON in JSON', () => {
    expect(scrub('/home/teknium "a\\nteknium\\tteknium"')).toBe('/home/user "a\\nuser\\tuser"');
  });
  it('are words: parts of other words stay', () => {
    expect(scrub('/home/anna4 anna4x savannah4 anna4')).toContain('savannah4 user');
    expect(scrub('/home/robert/x roberta-base')).toBe('/home/user/x roberta-base');
  });
  it('that are words or short stay elsewhere', () => {
    expect(scrub('/home/mark/x mark this; /home/jo/y jo')).toBe('/home/user/x mark this; /home/user2/y jo');
  });
  it('that are to be kept are kept', () => {
    const names = parseNames('{"keep": ["teknium"]}', 'names.json');
    expect(scrub('/home/teknium teknium', { names })).toBe('/home/teknium teknium');
  });
  it('are learned from authors, shells and GitHub', () => {
    expect(scrub(`Author: tekk <a.b${at}c.io>\nby tekk`)).toBe(
      'Author: Contributor <contributor@example.com>\nby user',
    );
    expect(scrub('uid=1000(tekk) gid=0(root) tekk')).toBe('uid=1000(user) gid=0(root) user');
    expect(scrub('Logged in to github.com account tekk (keyring)')).toBe(
      'Logged in to github.com account user (keyring)',
    );
    expect(scrub('-rw-r--r-- 1 tekk staff 12 Nov 1 a')).toBe('-rw-r--r-- 1 user staff 12 Nov 1 a');
    expect(scrub('ssh tekk@10.0.0.5')).toBe('ssh user@10.0.0.5');
    expect(scrub('on DESKTOP-4QX7ABC')).toBe('on DESKTOP-host');
    expect(scrub('tekk@buildbox-3:~/x$ hostname\nbuildbox-3')).toBe('user@host:~/x$ hostname\nhost');
    expect(scrub(`1234+tekk${at}users.noreply.github.com tekk`)).toBe('contributor@example.com user');
  });
});

describe('addresses', () => {
  it('are distinct, and the same each time', () => {
    expect(scrub(`a${at}b.io, c${at}b.io, A${at}b.io`)).toBe(
      'contributor@example.com, contributor+2@example.com, contributor@example.com',
    );
  });
  it.each([
    ['Co-authored-by: Ann Oni <', '>', 'Co-authored-by: Contributor <contributor@example.com>'],
    ['author Ann Oni <', '> 1700000000 +0200', 'author Contributor <contributor@example.com> 1700000000 +0200'],
    ['"author": "Ann Oni <', '>"', '"author": "Contributor <contributor@example.com>"'],
    ['first\\n', '\\nlast', 'first\\ncontributor@example.com\\nlast'],
    ['(', ')', '(contributor@example.com)'],
  ])('%s…%s', (head, tail, expected) => expect(scrub(`${head}ann.oni${at}mail.io${tail}`)).toBe(expected));
  it.each([
    'git@github.com:a/b.git',
    'noreply@anthropic.com',
    'Co-Authored-By: Claude <noreply@anthropic.com>',
    'someone@example.com',
    'a@b.example',
    'lodash@4.17.21',
    'image@2x.png',
    'this@MainActivity.finish()',
    'getty@tty1.service',
    'postgres://svc@localhost/db',
    'x = a@b',
    'the author returned <someone@example.com> and left',
  ])('leaves %s', (text) => expect(scrub(text)).toBe(text));
});

describe('mentions and numbers', () => {
  it('of platforms', () => {
    expect(scrub('<@123456> <@!98765432> <@U02ABCDEF> <@U02ABCDEF|ann> <@***> <@user>')).toBe(
      '<@user> <@user2> <@user3> <@user3> <@user4> <@user>',
    );
    expect(scrub('<at user_id="ou_12ab">Ann</at>')).toBe('<at user_id="user">user2</at>');
  });
  it('of cards, and not of ids', () => {
    const number = ['4111', '1111', '1111', '1111'];
    for (const sign of ['', ' ', '-'])
      expect(scrub(`paid ${number.join(sign)}.`)).toBe('paid [redacted: card number].');
    for (const text of ['39928108-2273-4612-9f00-1a2b3c4d5e6f', '36232343-0508-4124-86ab-000000000000'])
      expect(scrub(text)).toBe(text);
  });
  it('of phones, and not of diffs', () => {
    expect(scrub('call +1 (415) 555-2671 now')).toBe('call +1-555-0100 now');
    for (const text of ['+1 -1', '+12 lines', 'a+1 234 567 8901 2', 'UTC+02:00', '+1.2.3.4'])
      expect(scrub(text)).toBe(text);
  });
});

describe('secrets', () => {
  const secret = `${'Zq7kW2xLp9'}${'mN4v'}`;
  it('are replaced wherever they stand once they are known, and are told apart', () => {
    expect(scrub(`DB_PASSWORD=${secret}\npsql with ${secret}; API_SECRET=${secret}aa11`)).toBe(
      'DB_PASSWORD=[redacted: password]\npsql with [redacted: password]; API_SECRET=[redacted: secret]',
    );
    expect(scrub(`PASSWORD=${secret} PASSWORD=${secret}x`)).toBe(
      'PASSWORD=[redacted: password] PASSWORD=[redacted: password 2]',
    );
  });
  it('under a key that says so', () => {
    const scrubber = createScrubber();
    const value = { password: secret, env: [{ name: 'API_TOKEN', value: `${secret}${secret}` }], note: 'x' };
    const next = JSON.stringify(scrubValue(value, scrubber.scrub));
    expect(next).toBe(
      '{"password":"[redacted: password]","env":[{"name":"API_TOKEN","value":"[redacted: token]"}],"note":"x"}',
    );
  });
});

describe('lists of the user', () => {
  const names = parseNames('{"projects": {"Acme Rocket": "gizmo"}, "hosts": ["db-7"], "people": ["Ann Oni"]}', 'n');
  it('replace names of projects, hosts and people', () => {
    expect(scrub('acme-rocket AcmeRocket ACME_ROCKET db-7.internal Ann Oni ann.oni', { names })).toBe(
      'gizmo Gizmo GIZMO host.internal Contributor user',
    );
  });
  it('and rules', () => {
    const rules = parseRules(
      '{"rules":[{"name":"ticket","starts":["RKT-"],"body":"\\\\d{2,6}","replacement":"TICKET"}]}',
      'r',
    );
    expect(scrub('RKT-1234, RKT-x', { rules })).toBe('TICKET, RKT-x');
  });
  it.each([
    ['{', 'r.json: expected JSON'],
    ['{}', 'r.json: expected `rules` to be a list of rules'],
    [
      '{"rules":[{"name":"x"}]}',
      'r.json: expected `rules[0].starts` to be a list of texts of 2 to 100 characters, got nothing',
    ],
    ['{"rules":[{"name":"x","starts":["a"]}]}', 'r.json: expected `rules[0].starts[0]` to be a list of texts'],
    [
      '{"rules":[{"name":"x","starts":["ab"],"regex":"a"}]}',
      'r.json: unknown field `regex` at `rules[0]`; known are name, starts',
    ],
    [
      '{"rules":[{"name":"x","starts":["ab"],"body":"("}]}',
      'r.json: `rules[0].body` of x: expected a regular expression',
    ],
    ['{"rules":[{"name":"x","starts":["ab"],"body":"(a+)+"}]}', 'expected an expression without a repeated group'],
    ['{"rules":[{"name":"x","starts":["ab"],"body":"((a+)b)*"}]}', 'expected an expression without a repeated group'],
    ['{"rules":[{"name":"x","starts":["ab"],"body":"(a|aa){2,}"}]}', 'expected an expression without a repeated group'],
    ['{"rules":[{"name":"x","starts":["ab"],"body":"a*b*c*d*e"}]}', 'expected an expression without a repeated group'],
    ['{"rules":[{"name":"x","starts":["ab"],"replacement":"xab"}]}', 'expected a text without a start of the rule'],
  ])('%s is wrong', (text, sentence) => expect(() => parseRules(text, 'r.json')).toThrow(sentence));
  it('say where a list of names is wrong, and not what stood there', () => {
    expect(() => parseNames('{"hosts": ["ab"]}', 'n.json')).toThrow(
      'n.json: expected `hosts[0]` to be a list of names',
    );
    expect(() => parseNames('{"people": {"Ann": "Anna"}}', 'n.json')).toThrow(
      'n.json: expected a replacement that does not hold',
    );
    expect(() => parseNames('{"persons": []}', 'n.json')).toThrow(
      'unknown field `persons`; known are projects, hosts, people, keep',
    );
  });
});

describe('thinking', () => {
  it.each([
    ['<think>a</think>b', 'b'],
    ['a <THINK>b</think> c', 'a  c'],
    ['<REASONING_SCRATCHPAD>a\nb</REASONING_SCRATCHPAD>\n\nc', 'c'],
    ['a<think>b', 'a'],
    ['<th<think>x</think>ink>y', ''],
    ['no tags < think >', 'no tags < think >'],
  ])('%j becomes %j', (text, expected) => expect(stripThinking(text)).toBe(expected));
});

describe('always', () => {
  const pieces = fc.constantFrom(
    '/home/teknium/',
    'teknium',
    'TEKNIUM',
    ' ',
    '\n',
    '\\n',
    '"',
    `ann.oni${at}x.io`,
    'Author: Ann Oni <',
    '>',
    '<@12345>',
    'password=',
    'Zq7kW2xLp9',
    'token: ',
    '@',
    '.io',
    '/Users/',
    'C:\\Users\\',
    '{"a":',
    '}',
    '+1 415 555 2671',
    'user',
    'USER=',
    'user.name "',
    'https://',
    'b:',
    '-Users-',
    '%40',
    '=',
    '[redacted: token]',
    'Contributor 2',
    '\ud83d',
    'é',
    '<at id="',
    '</at>',
  );
  const texts = fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 30 })
    .map((parts) => parts.join(''));

  it('is the same the second time', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = scrub(text);
        expect(scrub(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves no planted handle in any case, and JSON stays JSON', () => {
    const cases = fc.constantFrom('qarvenolx', 'QARVENOLX', 'Qarvenolx', 'qArVeNoLx');
    fc.assert(
      fc.property(texts, cases, texts, (before, name, after) => {
        const value = {
          a: `${before} ${name} ${after}`,
          b: [`/home/qarvenolx/${after}`],
          c: JSON.stringify({ d: `x\n${name}` }),
        };
        const scrubber = createScrubber();
        scrubber.learn('/home/qarvenolx/');
        const next = JSON.stringify(scrubValue(value, scrubber.scrub));
        expect(next.toLowerCase()).not.toContain('qarvenolx');
        expect(() => JSON.parse((JSON.parse(next) as { c: string }).c)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it('finds what a plain search finds', () => {
    const words = fc.array(fc.string({ minLength: 3, maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 60 }), (literals, text) => {
        const longest = [...new Set(literals)].sort((left, right) => right.length - left.length);
        const expected = text.replaceAll(new RegExp(longest.join('|'), 'g'), '#');
        expect(replaceFound(text, createFinder(literals, { words: false }), () => '#')).toBe(expected);
      }),
    );
  });
});
