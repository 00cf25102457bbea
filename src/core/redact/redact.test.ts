import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/work/cpu-time.ts';
import { redact, redactText } from './redact.ts';

// Values are made at run time: no realistic secret is in the repository, so other people's scanners stay quiet.
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
function made(length: number, alphabet: string = LETTERS, seed = 7): string {
  let state = seed * 2654435761 + length;
  let out = '';
  while (out.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out += alphabet.charAt((state >>> 8) % alphabet.length);
  }
  return out;
}
const hex = (length: number): string => made(length, '0123456789abcdef');
const upper = (length: number): string => made(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const url64 = (text: string): string => Buffer.from(text).toString('base64url');
const jwt = [url64('{"alg":"HS256","typ":"JWT"}'), url64('{"sub":"1234567890","name":"Ada"}'), made(43)].join('.');

const TOKENS: readonly (readonly [kind: string, token: string])[] = [
  ['Anthropic key', `sk-ant-${'api03-'}${made(93)}AA`],
  ['OpenRouter key', `sk-or-${'v1-'}${hex(64)}`],
  ['OpenAI key', `sk-${'proj-'}${made(48)}_${made(60)}`],
  ['OpenAI key', `sk-${made(48)}`],
  ...['ghp', 'gho', 'ghs', 'ghu', 'ghr'].map((start) => ['GitHub token', `${start}_${made(36)}`] as const),
  ['GitHub token', `github_${'pat_'}${made(22)}_${made(59)}`],
  ['GitLab token', `glpat-${made(20)}`],
  ['AWS key id', `AKIA${upper(16)}`],
  ['AWS key id', `ASIA${upper(16)}`],
  ['Google API key', `AIza${made(35)}`],
  ['Google OAuth secret', `GOCSPX-${made(28)}`],
  ['Google OAuth token', `ya29.${made(60)}`],
  ['Azure key', `${made(3)}8Q~${made(34)}`],
  ['Azure key', `${made(76)}AZDO${made(4)}`],
  ['Azure key', `${made(52)}JQQJ99${made(26)}`],
  ['Slack token', `xoxb-${made(12, '0123456789')}-${made(12, '0123456789')}-${made(24)}`],
  ['Slack token', `xapp-1-${upper(11)}-${made(13, '0123456789')}-${hex(64)}`],
  ['Stripe key', `sk_${'live_'}${made(24)}`],
  ['Stripe key', `rk_${'test_'}${made(24)}`],
  ['webhook secret', `whsec_${made(32)}`],
  ['Twilio key', `SK${hex(32)}`],
  ['SendGrid key', `SG.${made(22)}.${made(43)}`],
  ['npm token', `npm_${made(36)}`],
  ['PyPI token', `pypi-${'AgEIcHlwaS5vcmc'}${made(80)}`],
  ['Hugging Face token', `hf_${made(34)}`],
  ['DigitalOcean token', `dop_v1_${hex(64)}`],
  ['Heroku key', `HRKU-${made(58)}`],
  ['Telegram bot token', `${made(10, '123456789')}:AA${made(33)}`],
  ['Discord token', `MT${made(24)}.${made(6)}.${made(38)}`],
  ['JWT', jwt],
  ['age key', `AGE-SECRET-${'KEY-1'}${upper(58)}`],
  ['Vault token', `hvs.${made(90)}`],
  ['Kubernetes token', `k8s-aws-${'v1.'}${made(80)}`],
  ['Groq key', `gsk_${made(52)}`],
  ['xAI key', `xai-${made(80)}`],
  ['Perplexity key', `pplx-${made(48)}`],
  ['Replicate token', `r8_${made(37)}`],
  ['LangSmith key', `lsv2_pt_${hex(32)}_${hex(10)}`],
  ['Databricks token', `dapi${hex(32)}`],
  ['Docker token', `dckr_pat_${made(27)}`],
  ['Grafana token', `glsa_${made(32)}_${hex(8)}`],
  ['Shopify token', `shpat_${hex(32)}`],
  ['Linear key', `lin_api_${made(40)}`],
  ['Notion token', `ntn_${made(46)}`],
  ['Atlassian token', `ATATT3${made(180)}`],
  ['Terraform token', `${made(14)}.atlasv1.${made(67)}`],
  ['Tailscale key', `tskey-auth-${made(12)}-${made(32)}`],
  ['New Relic key', `NRAK-${upper(27)}`],
  ['Supabase key', `sbp_${hex(40)}`],
  ['Figma token', `figd_${made(40)}`],
  ['Postman key', `PMAK-${hex(24)}-${hex(34)}`],
  ['Sentry token', `sntrys_${made(90)}`],
  ['Doppler token', `dp.pt.${made(43)}`],
  ['Square token', `sq0atp-${made(22)}`],
  ['Netlify token', `nfp_${made(36)}`],
  ['Buildkite token', `bkua_${hex(40)}`],
  ['PlanetScale token', `pscale_tkn_${made(43)}`],
  ['Pulumi token', `pul-${hex(40)}`],
  ['Mailgun key', `key-${hex(32)}`],
  ['Airtable token', `pat${made(14)}.${hex(64)}`],
  ['Langfuse key', `sk-lf-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['NVIDIA key', `nvapi-${made(64)}`],
  ['Tavily key', `tvly-dev-${made(32)}`],
  ['Firecrawl key', `fc-${hex(32)}`],
  ['PostHog key', `phx_${made(43)}`],
  ['E2B key', `e2b_${hex(40)}`],
  ['RubyGems key', `rubygems_${hex(48)}`],
];

const CONTEXTS: readonly (readonly [name: string, wrap: (token: string) => string])[] = [
  ['prose', (token) => `I used ${token}, and it worked. Then (${token}).`],
  ['JSON', (token) => JSON.stringify({ value: token, other: 1 })],
  ['JSON in JSON', (token) => JSON.stringify({ arguments: JSON.stringify({ text: `first\n${token}\nlast` }) })],
  ['env file', (token) => `PORT=80\nTHING=${token}\nNEXT=1`],
  ['shell', (token) => `$ tool login --with '${token}' | tee out.log`],
  ['header', (token) => `GET / HTTP/1.1\r\nX-Thing: ${token}\r\n\r\n`],
  ['code', (token) => `const thing = \`${token}\`; // set`],
  ['colours', (token) => `\u001b[32m${token}\u001b[0m`],
];

describe('tokens known by their start', () => {
  for (const [kind, token] of TOKENS)
    it(`finds ${kind} ${token.slice(0, 6)}`, () => {
      for (const [name, wrap] of CONTEXTS) {
        const { text, found } = redact(wrap(token));
        expect(text, name).toBe(wrap(`[redacted: ${kind}]`));
        expect(found.map((one) => one.kind)).toEqual([kind]);
      }
    });

  it('counts', () => {
    expect(redact(`${`ghp_${made(36)} `.repeat(3)}hf_${made(34)}`).found).toEqual([
      { kind: 'GitHub token', count: 3 },
      { kind: 'Hugging Face token', count: 1 },
    ]);
  });
});

describe('private keys', () => {
  const body = Array.from({ length: 6 }, (_, line) => made(64, `${LETTERS}+/`, line + 1)).join('\n');
  const block = (label: string): string => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
  for (const label of [
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])
    it(label, () => {
      expect(redactText(`a\n${block(label)}\nb`)).toBe('a\n[redacted: private key]\nb');
      expect(redactText(JSON.stringify({ pem: block(label) }))).toBe('{"pem":"[redacted: private key]"}');
    });
  it('names a service account, and keeps the rest of its file', () => {
    const file = JSON.stringify({
      type: 'service_account',
      private_key: block('PRIVATE KEY'),
      client_email: 'a@b.example',
    });
    expect(redactText(file)).toBe(
      '{"type":"service_account","private_key":"[redacted: GCP service-account key]","client_email":"a@b.example"}',
    );
  });
  it('takes what is there of a key that was cut off', () => {
    expect(redactText(block('PRIVATE KEY').slice(0, 250))).toBe('[redacted: private key]');
    expect(redactText(`${block('PRIVATE KEY').slice(0, 27 + 65 * 3)}\nand so on`)).toBe(
      '[redacted: private key]\nand so on',
    );
  });
  it('finds base64 of a key, and PuTTY files', () => {
    expect(redactText(`client-key-data: ${base64(block('RSA PRIVATE KEY'))}\n`)).toBe(
      'client-key-data: [redacted: private key]\n',
    );
    expect(redactText(`x: ${base64(block('PRIVATE KEY'))}`)).toBe('x: [redacted: private key]');
    expect(redactText(`Private-Lines: 6\n${body}\nPrivate-MAC: 12`)).toBe(
      'Private-Lines: 6[redacted: private key]\nPrivate-MAC: 12',
    );
  });
  it('leaves certificates, public keys and templates', () => {
    for (const text of [
      block('CERTIFICATE'),
      block('PUBLIC KEY'),
      base64(block('CERTIFICATE')),
      '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
      "if (pem.includes('-----BEGIN RSA PRIVATE KEY-----')) return 'rsa';",
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${made(48)} me@host`,
    ])
      expect(redactText(text)).toBe(text);
  });
});

describe('values known by what stands before them', () => {
  const value = `${made(10)}4${made(21)}`;
  const word = `hun${'ter'}2-Blue!9x`;
  const cases: readonly (readonly [before: string, value: string, after: string, kind: string])[] = [
    ['Authorization: Bearer ', value, '\r\n', 'bearer token'],
    ['curl -H "authorization: bearer ', value, '" https://a.example', 'bearer token'],
    ['headers: { Authorization: `Bearer ', value, '` }', 'bearer token'],
    ['Authorization: Basic ', base64(`ada:${word}`), '\n', 'basic authorization'],
    ['Authorization: token ', value, '\n', 'authorization'],
    ['Cookie: theme=dark; sessionid=', value, '; lang=en', 'cookie'],
    ['Set-Cookie: auth_token=', value, '; HttpOnly; Path=/', 'cookie'],
    ['"cookie": "connect.sid=', `s%3A${value}`, '"', 'cookie'],
    ['DATABASE_URL=postgres://app:', word, '@db.example:5432/shop', 'database password'],
    ['mongodb+srv://app:', word, '@cluster.example/x', 'database password'],
    ['"redis://:', word, '@cache:6379"', 'database password'],
    ['git clone https://ada:', word, '@git.example/x.git', 'URL password'],
    ['curl -u ada:', word, ' https://a.example', 'password'],
    ['machine a.example login ada password ', word, '\n', '.netrc password'],
    ['machine a.example\n  login ada\n  password ', word, '\n', '.netrc password'],
    ['aws_secret_access_key = ', `${made(30)}/1${made(9)}`, '\n', 'AWS secret key'],
    ['"SecretAccessKey": "', `${made(30)}+1${made(8)}`, '",', 'AWS secret key'],
    ['export AWS_SECRET_ACCESS_KEY=', `${made(38)}/1`, '\n', 'AWS secret key'],
    ['HEROKU_API_KEY=', `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`, '\n', 'Heroku key'],
    ['TWILIO_AUTH_TOKEN=', hex(32), '\n', 'Twilio token'],
    ['DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', `${made(86)}==`, ';EndpointSuffix=x', 'Azure key'],
    ['https://a.example/c?sv=1&sig=', `${made(43)}%3D`, '&se=2', 'Azure signature'],
    ['https://hooks.slack.com/services/', `T${upper(8)}/B${upper(8)}/${made(24)}`, '', 'Slack webhook'],
    ['https://discord.com/api/webhooks/', `${made(18, '123456789')}/${made(68)}`, '', 'Discord webhook'],
    ['  user:\n    token: ', value, '\n', 'kubeconfig token'],
    ['{"auths":{"r.example":{"auth":"', base64(`ada:${word}`), '"}}}', 'registry login'],
    ['DB_PASSWORD=', word, '\n', 'password'],
    ['password: ', word, '\n', 'password'],
    ['{"password":"', word, '","user":"ada"}', 'password'],
    ['{\\"password\\":\\"', word, '\\",\\"user\\":\\"ada\\"}', 'password'],
    ["const dbPassword: string = '", word, "';", 'password'],
    ['mysql --password=', word, ' -h db', 'password'],
    ['tool --password ', word, ' -h db', 'password'],
    ['SMTP_PASS="', word, '"', 'password'],
    ['DB_PASSWORD=', `${word}&x)y`, '\n', 'password'],
    ['Server=x;User Id=a;Password=', word, ';Encrypt=true', 'password'],
    ['- name: DB_PASSWORD\n  value: ', word, '\n', 'password'],
    ['{"name":"DB_PASSWORD","value":"', word, '"}', 'password'],
    ['client_secret=', value, '&grant_type=x', 'secret'],
    ['SECRET_KEY_BASE: "', value, '"', 'secret'],
    ["'api_key' => '", value, "',", 'API key'],
    ['apiKey: "', value, '",', 'API key'],
    ['X-Api-Key: ', value, '\r\n', 'API key'],
    ['GET /v1?api_key=', value, '&page=2', 'API key'],
    ['tool --token ', value, ' run', 'token'],
    ['//registry.example/:_authToken=', value, '\n', 'token'],
    ['access_token := "', value, '"', 'token'],
    ['{"text":"a\\nTOKEN=', value, '\\nb"}', 'token'],
    ['token="', value.repeat(20), '"', 'token'],
  ];
  for (const [start, secret, end, kind] of cases)
    it(`${kind}: ${JSON.stringify(start)}`, () => {
      expect(redactText(start + secret + end)).toBe(`${start}[redacted: ${kind}]${end}`);
    });
});

describe('what is no secret', () => {
  const uuid = '3f2b8c1e-9a4d-4e7b-8c55-0d1e2f3a4b5c';
  for (const text of [
    `commit ${hex(40)}`,
    `sha256:${hex(64)}`,
    `"integrity": "sha512-${made(86)}=="`,
    `id ${uuid}, token: ${uuid}`,
    `data:image/png;base64,iVBORw0KGgo${made(5_000, `${LETTERS}+/`)}==`,
    `//# sourceMappingURL=data:application/json;base64,${base64('{"version":3,"sources":["a.ts"],"names":[]}')}`,
    'The token is a word, and so is the secret: a password that nobody knows.',
    'max_tokens: 4096, tokens=12000, token_count = 99999999, tokenizer: "o200k_base_v2x"',
    'nextPageToken: "CAUQAA1234567890abcdef"',
    'API_KEY=YOUR_API_KEY',
    'api_key: "your-api-key-here-123"',
    'token=xxxxxxxxxxxxxxxx1',
    'password=<password1>',
    'TOKEN=${TOKEN_123456789012}',
    'token: $GITHUB_TOKEN_12345',
    'token: process.env.TOKEN',
    'apiKey = process.env["API_KEY_V2"]',
    'token: ${{ secrets.DEPLOY_TOKEN_2 }}',
    'password = os.environ["DB_PASSWORD1"]',
    'secret: {{ .Values.secret1 }}',
    'sk-...',
    'sk-ant-...',
    'sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'ghp_****',
    'sk-ant-your-key-goes-here-please',
    `AKIA${'IOSFODNN7'}EXAMPLE`,
    'sk-learn-contrib-package-name-that-is-long',
    'the task-aBcDeFgHiJkLmNoPqRsTuVwXyZ12',
    'password: string',
    'password: str = None',
    'password=password',
    'password: req.body.password2',
    'const token = makeToken256(input1)',
    'token = await auth.getToken2()',
    'password: z.string().min(8)',
    '"password": "required|min:8"',
    '"password": "Passwort"',
    'postgres://postgres:postgres@localhost/db',
    'postgres://user:password@host/db',
    'postgres://u:${DB_PASS}@h/db',
    'http://localhost:8080/a@b',
    'Bearer authentication',
    'Authorization: Bearer <token>',
    'Authorization: Bearer $TOKEN',
    'Basic authentication',
    'basic understanding of things',
    'docker run -u 1000:1000 image',
    'PASS: testFoo2Bar',
    'type AnyToken = NoSubstitutionTemplateLiteral;',
    'lastToken = "?InterpolationInTemplate"',
    'toolSecret: experimental_toolApprovalSecret,',
    'bypass: abc123def',
    'secretName: my-app-tls-1',
    'x-api-key: partner-a-1',
    'Cookie: theme=dark; session=<id>',
    'session_id=abc123def456',
    'secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:x1',
    'password: /run/secrets/db_password1',
    'password: "Use at least 8 characters"',
    'eyJhbGciOiJIUzI1NiJ9 alone',
    '4111 1111 1111 1111',
    'DE89 3704 0044 0532 0130 00',
  ])
    it(text.slice(0, 60), () => {
      expect(redact(text)).toEqual({ text, found: [] });
    });

  for (const name of [
    'flight-change/session.json',
    'incident/session.jsonl',
    'rate-limiter/session.json',
    'triage-pr/session.json',
    'weekly-jobs/session.json',
    'chained-merge/session.json',
    'patch-and-merge/session.json',
    'long-haul/parts.json',
  ])
    it(`fixture ${name}`, () => {
      const text = readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url), 'utf8');
      expect(redact(text).found).toEqual([]);
    });
});

describe('personal data', () => {
  it('is replaced only when asked for', () => {
    const text = 'Card 4111 1111 1111 1111, not 4111 1111 1111 1112; IBAN DE89 3704 0044 0532 0130 00.';
    expect(redactText(text)).toBe(text);
    expect(redactText(text, { personal: true })).toBe(
      'Card [redacted: card number], not 4111 1111 1111 1112; IBAN [redacted: IBAN].',
    );
  });
});

describe('time', () => {
  const pieces = [
    ...TOKENS.map(([, token]) => token.slice(0, Math.max(4, Math.floor(token.length / 2)))),
    ...[
      'eyJ',
      '-eyJ',
      'eyJabcdefgh.',
      'eyJabcdefgh.eyJ',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----\n',
    ],
    ...[
      'token=',
      'token="',
      "token='",
      'token=\\"',
      'password: ',
      'password=pass1',
      'token=1atat',
      'api_key',
      'secret_',
      '--token ',
      'pass',
    ],
    ...[
      '://',
      '://a:',
      '://a:bcd',
      'Cookie: ',
      'cookie=a=',
      'a=b;',
      'Bearer ',
      'Bearer',
      'Basic QUJD',
      ' -u a:',
      'login a password ',
    ],
    ...[
      '[',
      '\\',
      '\\n',
      '%3D',
      '"',
      "'",
      '=',
      '-',
      '_',
      '.',
      'a',
      '0',
      ' ',
      '\n',
      'A1-',
      '\ud800',
      'LS0tLS1CRUdJTi',
      'AccountKey=',
      '&sig=',
    ],
    ...['machine a login b password ', 'Private-Lines: 1\n', '"auth":"', 'AAAA1AAAA.', '4 4-', 'DE89 '],
  ];
  // Generous: a quadratic rule would take minutes.
  it('is linear at 100 KB of every piece that could make an expression go back', { timeout: 60_000 }, async () => {
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      expect(await cpuMsOf(() => redact(text, { personal: true })), JSON.stringify(piece)).toBeLessThan(2_000);
    }
  });
  it('is linear at 1 MB of all of them, in and out of order', { timeout: 60_000 }, async () => {
    const once = pieces.join('') + pieces.toReversed().join(' ');
    const texts = [once.repeat(Math.ceil(1_000_000 / once.length))];
    for (const piece of ['token=', '-----BEGIN PRIVATE KEY-----', '-eyJabcdefgh', '://a:bcd', 'password=pass1'])
      texts.push(piece.repeat(Math.ceil(1_000_000 / piece.length)), `${piece.repeat(40_000)}-----END PRIVATE KEY-----`);
    for (const text of texts) expect(await cpuMsOf(() => redact(text)), text.slice(0, 30)).toBeLessThan(10_000);
  });
});

describe('laws', () => {
  const fragment = fc.oneof(
    fc.constantFrom(...TOKENS.map(([, token]) => token)),
    fc.constantFrom(
      'password=',
      'token: "',
      'api_key=',
      '"',
      ' ',
      '\n',
      '\\n',
      '://a:',
      '@b',
      'Bearer ',
      'Cookie: sid=',
      '; ',
      '-',
      '_',
    ),
    fc.constantFrom(
      '-----BEGIN PRIVATE KEY-----\n',
      '-----END PRIVATE KEY-----',
      '\ud800',
      '\udc00',
      '[redacted: token]',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ maxLength: 24 }),
  );
  const text = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));

  it('is idempotent', () => {
    fc.assert(
      fc.property(text, (input) => {
        const once = redactText(input);
        expect(redact(once)).toEqual({ text: once, found: [] });
      }),
      { numRuns: 3_000 },
    );
  });

  it('changes nothing outside the matches, and adds no more than labels', () => {
    fc.assert(
      fc.property(text, (input) => {
        const { text: output, found } = redact(input);
        const labels = found.reduce((sum, { kind, count }) => sum + count * `[redacted: ${kind}]`.length, 0);
        expect(output.length).toBeLessThanOrEqual(input.length + labels);
        if (found.length === 0) expect(output).toBe(input);
        // The text between labels is in the input, in this order.
        let at = 0;
        for (const piece of output.split(/\[redacted: [^\]]*\]/)) {
          at = input.indexOf(piece, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += piece.length;
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
