import { before, CHECKED_LENGTH, endOf, isRepetitive, isStandIn, NOTHING, type Rule, startsToken } from './scan.ts';

// Tokens that are known by how they start

interface TokenShape {
  readonly kind: string;
  readonly starts: readonly string[];
  /** The text after the start; sticky, and greedy to the end of its class so that no tail is left behind. */
  readonly body: RegExp;
  /** For tokens that begin before their anchor: matched against the 80 characters before it, so it ends in `$`. */
  readonly head?: RegExp;
  /** The start is no part of the secret and stays, e.g. `AccountKey=`. */
  readonly keepStart?: boolean;
  /** Letters and hyphens alone are words, so the token must hold a digit. */
  readonly digit?: boolean;
}

export const TOKENS: readonly TokenShape[] = [
  { kind: 'Anthropic key', starts: ['sk-ant-'], body: /[\w-]{20,}/y },
  { kind: 'OpenRouter key', starts: ['sk-or-v1-'], body: /[0-9a-f]{32,}/y },
  { kind: 'OpenAI key', starts: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], body: /[\w-]{20,}/y },
  { kind: 'OpenAI key', starts: ['sk-'], body: /[A-Za-z0-9]{20,}/y, digit: true },
  {
    kind: 'GitHub token',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    body: /[A-Za-z0-9]{30,}(?:[._-][\w-]{16,})*/y,
  },
  { kind: 'GitHub token', starts: ['github_pat_'], body: /\w{36,}/y },
  {
    kind: 'GitLab token',
    starts: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glsoat-', 'glagent-', 'gloas-'],
    body: /[\w-]{20,}(?:\.[\w-]{2,})*/y,
  },
  { kind: 'AWS key id', starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: /[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { kind: 'Google API key', starts: ['AIza'], body: /[\w-]{33,}/y, digit: true },
  { kind: 'Google OAuth secret', starts: ['GOCSPX-'], body: /[\w-]{20,}/y },
  { kind: 'Google OAuth token', starts: ['ya29.'], body: /[\w-]{20,}(?:\.[\w-]{2,})*/y },
  { kind: 'Google OAuth token', starts: ['1//0'], body: /[\w-]{30,}/y, digit: true },
  {
    kind: 'Azure key',
    starts: ['AccountKey=', 'SharedAccessKey='],
    body: /[A-Za-z0-9+/]{40,}={0,2}/y,
    keepStart: true,
  },
  { kind: 'Azure signature', starts: ['?sig=', '&sig='], body: /[A-Za-z0-9%+/]{40,}={0,2}/y, keepStart: true },
  {
    kind: 'Azure key',
    starts: ['Q~'],
    head: /[A-Za-z0-9_~.-]{3}\d$/,
    body: /[A-Za-z0-9_~.-]{31,34}/y,
  },
  {
    kind: 'Azure key',
    starts: ['AZDO'],
    head: /[A-Za-z0-9]{76}$/,
    body: /[A-Za-z0-9]{4}(?![A-Za-z0-9])/y,
  },
  { kind: 'Azure key', starts: ['JQQJ99'], head: /[A-Za-z0-9]{52}$/, body: /[A-Za-z0-9]{20,}/y },
  {
    kind: 'Slack token',
    starts: [
      'xoxa-',
      'xoxb-',
      'xoxe-',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
      'xoxc-',
      'xoxd-',
      'xoxe.xoxp-',
      'xoxe.xoxb-',
    ],
    body: /[A-Za-z0-9%-]{16,}/y,
    digit: true,
  },
  { kind: 'Slack token', starts: ['xapp-'], body: /\d-[A-Za-z0-9-]{20,}/y },
  {
    kind: 'Slack webhook',
    starts: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/'],
    body: /[A-Za-z0-9/]{20,}/y,
    keepStart: true,
  },
  { kind: 'Stripe key', starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], body: /[A-Za-z0-9]{16,}/y },
  { kind: 'webhook secret', starts: ['whsec_'], body: /[A-Za-z0-9+/]{24,}={0,2}/y },
  { kind: 'Twilio key', starts: ['SK'], body: /[0-9a-f]{32}(?![A-Za-z0-9])/y },
  { kind: 'SendGrid key', starts: ['SG.'], body: /[\w-]{16,32}\.[\w-]{16,}/y },
  { kind: 'npm token', starts: ['npm_'], body: /[A-Za-z0-9]{30,}/y },
  { kind: 'PyPI token', starts: ['pypi-Ag'], body: /[\w-]{40,}/y },
  { kind: 'Hugging Face token', starts: ['hf_', 'api_org_'], body: /[A-Za-z0-9]{30,}/y },
  { kind: 'DigitalOcean token', starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: /[0-9a-f]{40,}/y },
  { kind: 'Heroku key', starts: ['HRKU-'], body: /[\w-]{30,}/y },
  { kind: 'Telegram bot token', starts: [':AA'], head: /\d{8,10}$/, body: /[\w-]{32,}/y },
  {
    kind: 'Discord token',
    // The first part of the token is the base64 of a user's number, which starts like this.
    starts: ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'],
    body: /[A-Za-z0-9]{20,28}\.[\w-]{6}\.[\w-]{27,}/y,
  },
  { kind: 'Discord webhook', starts: ['/api/webhooks/'], body: /\d{15,22}\/[\w-]{40,}/y, keepStart: true },
  { kind: 'age key', starts: ['AGE-SECRET-KEY-1', 'age-secret-key-1'], body: /[0-9A-Za-z]{40,}/y },
  { kind: 'Vault token', starts: ['hvs.', 'hvb.', 'hvr.'], body: /[\w-]{24,}/y },
  { kind: 'Kubernetes token', starts: ['k8s-aws-v1.'], body: /[\w-]{40,}/y },
  { kind: 'Groq key', starts: ['gsk_'], body: /[A-Za-z0-9]{40,}/y },
  { kind: 'xAI key', starts: ['xai-'], body: /[A-Za-z0-9]{60,}/y },
  { kind: 'Perplexity key', starts: ['pplx-'], body: /[A-Za-z0-9]{40,}/y },
  { kind: 'Replicate token', starts: ['r8_'], body: /[A-Za-z0-9]{30,}/y },
  { kind: 'LangSmith key', starts: ['lsv2_pt_', 'lsv2_sk_'], body: /[0-9a-f]{32}_[0-9a-f]{8,}/y },
  { kind: 'Databricks token', starts: ['dapi'], body: /[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/y },
  { kind: 'Docker token', starts: ['dckr_pat_', 'dckr_oat_'], body: /[\w-]{20,}/y },
  { kind: 'Grafana token', starts: ['glsa_'], body: /[A-Za-z0-9]{32}_[0-9a-fA-F]{8}/y },
  { kind: 'Shopify token', starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: /[0-9a-fA-F]{32,}/y },
  { kind: 'Linear key', starts: ['lin_api_'], body: /[A-Za-z0-9]{32,}/y },
  { kind: 'Notion token', starts: ['ntn_'], body: /[A-Za-z0-9]{40,}/y },
  { kind: 'Atlassian token', starts: ['ATATT3'], body: /[\w=-]{50,}/y },
  { kind: 'Terraform token', starts: ['.atlasv1.'], head: /[A-Za-z0-9]{14}$/, body: /[\w-]{50,}/y },
  { kind: 'Tailscale key', starts: ['tskey-'], body: /[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16,}/y },
  { kind: 'New Relic key', starts: ['NRAK-'], body: /[A-Z0-9]{27,}/y },
  { kind: 'Supabase key', starts: ['sbp_', 'sb_secret_'], body: /[\w-]{30,}/y, digit: true },
  { kind: 'Figma token', starts: ['figd_'], body: /[\w-]{36,}/y, digit: true },
  { kind: 'Postman key', starts: ['PMAK-'], body: /[0-9a-f]{24}-[0-9a-f]{34,}/y },
  { kind: 'Sentry token', starts: ['sntrys_', 'sntryu_'], body: /[\w+/=-]{40,}/y, digit: true },
  {
    kind: 'Doppler token',
    starts: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    body: /(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,}/y,
  },
  { kind: 'Square token', starts: ['sq0atp-', 'sq0csp-', 'sq0idp-'], body: /[\w-]{22,}/y, digit: true },
  { kind: 'Netlify token', starts: ['nfp_'], body: /[A-Za-z0-9]{36,}/y },
  { kind: 'Buildkite token', starts: ['bkua_'], body: /[0-9a-f]{40}/y },
  {
    kind: 'PlanetScale token',
    starts: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    body: /[\w.-]{32,}/y,
    digit: true,
  },
  { kind: 'Pulumi token', starts: ['pul-'], body: /[0-9a-f]{40}/y },
  { kind: 'Mailgun key', starts: ['key-'], body: /[0-9a-f]{32}(?![A-Za-z0-9])/y },
  { kind: 'Airtable token', starts: ['pat'], body: /[A-Za-z0-9]{14}\.[0-9a-f]{64}/y },
  { kind: 'Langfuse key', starts: ['sk-lf-', 'pk-lf-'], body: /[0-9a-f-]{36}/y, digit: true },
  { kind: 'NVIDIA key', starts: ['nvapi-'], body: /[\w-]{60,}/y, digit: true },
  { kind: 'Tavily key', starts: ['tvly-'], body: /(?:dev-|prod-)?[A-Za-z0-9]{28,}/y, digit: true },
  { kind: 'Firecrawl key', starts: ['fc-'], body: /[0-9a-f]{32}(?![A-Za-z0-9])/y },
  { kind: 'PostHog key', starts: ['phx_', 'phs_'], body: /[A-Za-z0-9]{40,}/y },
  { kind: 'E2B key', starts: ['e2b_'], body: /[0-9a-f]{40}/y },
  { kind: 'RubyGems key', starts: ['rubygems_'], body: /[0-9a-f]{40,}/y },
];

export function tokenRule({ kind, starts, body, head, keepStart, digit }: TokenShape): Rule {
  return {
    anchors: starts,
    find: (place) => {
      const { text, at, after } = place;
      const end = endOf(body, text, after);
      if (end < 0) return NOTHING;
      const start = at - (head === undefined ? 0 : (head.exec(before(place, 80))?.[0].length ?? -1));
      if (start > at || (keepStart !== true && !startsToken({ ...place, at: start }))) return NOTHING;
      const value = text.slice(after, Math.min(end, after + CHECKED_LENGTH));
      if (isStandIn(value) || isRepetitive(text.slice(start, at) + value)) return NOTHING;
      if (digit === true && !/\d/.test(value)) return NOTHING;
      return [{ kind, start: keepStart === true ? after : start, end }];
    },
  };
}
