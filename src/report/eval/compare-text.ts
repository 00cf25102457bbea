import type { Breakdown } from '../../eval/compare/breakdown.ts';
import type { Comparison, GateResult } from '../../eval/compare/compare.ts';
import type { MetricComparison } from '../../eval/compare/compare-metric.ts';
import { markdown, plain } from '../escape.ts';
import { counted, pValue, score, signed, usd, whole } from '../figures.ts';
import { markdownTable, textTable, wrapped } from '../text-table.ts';

const COLUMNS = 80;

/** Writes a comparison for people, in at most 80 columns. */
export function compareText(comparison: Comparison, gate: GateResult | null = null): string {
  const { labelA, labelB, armA, armB, primary, metrics } = comparison;
  const sentences = [headline(comparison), ...details(comparison), ...(gate === null ? [] : [gateLine(gate)])];
  return [
    ...wrapped(`A: ${plain(labelA)} (${plain(armA)})`, COLUMNS, '   '),
    ...wrapped(`B: ${plain(labelB)} (${plain(armB)})`, COLUMNS, '   '),
    '',
    ...textTable(
      ['metric', 'A', 'B', 'B−A', '95 %', 'p', '0.3?', 'verdict'],
      [primary, ...metrics].map((metric) => [shortTitle(metric), ...rowOf(metric).slice(1).map(shortRule)]),
      COLUMNS,
    ),
    '',
    ...sentences.flatMap((sentence) => wrapped(sentence, COLUMNS, '  ')),
    '',
  ].join('\n');
}

/** Writes a comparison as Markdown, to paste into a pull request. */
export function compareMarkdown(comparison: Comparison, gate: GateResult | null = null): string {
  const { labelA, labelB, primary, metrics } = comparison;
  const [first = '', ...others] = [
    headline(comparison),
    ...details(comparison),
    ...(gate === null ? [] : [gateLine(gate)]),
  ];
  return [
    `## ${markdown(labelA)} → ${markdown(labelB)}: ${primary.verdict}`,
    '',
    markdown(first),
    '',
    ...markdownTable(
      ['Metric', 'A', 'B', 'B − A', '95 % interval', 'p', '0.3 rule', 'Verdict'],
      [primary, ...metrics].map((metric) => rowOf(metric).map(markdown)),
    ),
    '',
    ...others.map((sentence) => `- ${markdown(sentence)}`),
    '',
  ].join('\n');
}

/** Shortens a title to fit its column. */
function shortTitle({ id, title }: MetricComparison): string {
  if (id.startsWith('type:')) return id.slice('type:'.length);
  return SHORT[id] ?? title;
}

const SHORT: Readonly<Record<string, string>> = {
  visible: 'visible',
  survival: 'with recall',
  silent: 'silent',
  answers: 'answers',
  overall: 'overall',
  'dimension:context_awareness': 'context',
  'dimension:artifact_trail': 'artifact trail',
  'dimension:instruction_following': 'instruction',
};

function shortRule(cell: string): string {
  return cell === 'better' ? '+' : cell === 'worse' ? '−' : cell;
}

function rowOf(metric: MetricComparison): readonly string[] {
  const { title, a, b, difference, interval, pAdjusted, ruleOfThumb, verdict, scale } = metric;
  const end = (value: number): string => signed(value, scale);
  return [
    title,
    score(a, scale),
    score(b, scale),
    end(difference),
    `${end(interval.low)}…${end(interval.high)}`,
    pValue(pAdjusted),
    ruleOfThumb === 'none' ? '·' : ruleOfThumb,
    verdict,
  ];
}

/** Writes the verdict in a sentence, with the metrics that are worse or better. */
export function headline(comparison: Comparison): string {
  const { primary, metrics } = comparison;
  const size = `${signed(primary.difference, primary.scale)}${primary.scale === 1 ? ' points' : ''}`;
  const named = (verdict: MetricComparison['verdict']): readonly string[] =>
    metrics.filter((metric) => metric.verdict === verdict).map(({ title }) => title);
  const worse = named('regressed');
  const better = named('improved');
  const parts = [`${capital(primary.verdict)} in ${primary.title} (${size}).`];
  if (primary.verdict === 'regressed' || primary.verdict === 'improved') {
    const where = placesOf(comparison.breakdown);
    if (where.length > 0) parts.push(`Mostly in ${where.join(', ')}.`);
  }
  if (worse.length > 0) parts.push(`Regressed: ${worse.join(', ')}.`);
  if (better.length > 0) parts.push(`Improved: ${better.join(', ')}.`);
  return parts.join(' ');
}

function placesOf(breakdown: readonly Breakdown[]): readonly string[] {
  return breakdown
    .filter(({ isConcentrated }) => isConcentrated)
    .map(({ by, name, share }) => {
      const part = share === null ? '' : ` (${Math.round(100 * share)} % of it)`;
      if (by === 'pass') return `pass ${name}${part}`;
      if (by === 'fixture') return `fixture ${plain(name)}${part}`;
      return `${name} ${by === 'type' ? 'probes' : 'facts'}${part}`;
    });
}

function details(comparison: Comparison): readonly string[] {
  const { primary, caps, remarks, unpaired, costs, pareto, isConditional, fixtures } = comparison;
  const { outcomes, needs, timesFloor } = primary;
  const found: string[] = [];
  if (primary.verdict === 'equivalent' && (primary.interval90.low > 0 || primary.interval90.high < 0))
    found.push(`There is a difference (${signed(primary.difference, primary.scale)}), but it is within the margin.`);
  if (caps.length > 0) found.push(`Verdicts are held at inconclusive: ${caps.join('; ')}.`);
  else if (needs !== null)
    found.push(
      `To decide, about ${counted(needs.probes, 'more probe')} or ${counted(needs.compactions, 'more compaction')} would be needed.`,
    );
  found.push(
    `${counted(primary.pairs, 'pair')} of ${counted(fixtures, 'fixture')}: ${primary.fixturesBetter} better, ${primary.fixturesWorse} worse. Differences from ${signed(primary.detectable, primary.scale).slice(1)}${primary.scale === 1 ? ' points' : ''} can be seen here.`,
  );
  if (outcomes !== null)
    found.push(
      `Fully right in A only: ${outcomes.onlyA}, in B only: ${outcomes.onlyB} (McNemar p ${pValue(outcomes.p)}, mid-p ${pValue(outcomes.midP)}).`,
    );
  if (timesFloor !== null) found.push(`The difference is ${timesFloor.toFixed(1)} times the noise floor.`);
  const change = costs.tokensChange === null ? '' : ` (${signed(costs.tokensChange, 1)} %)`;
  found.push(
    `Size ${whole(costs.tokensA)} → ${whole(costs.tokensB)} tokens${change}, cost ${usd(costs.usdA)} → ${usd(costs.usdB)}: ${PARETO[pareto]}.`,
  );
  if (isConditional) found.push('Few fixtures: this holds for these fixtures, not for sessions in general.');
  found.push(...remarks.map((remark) => `Note: ${plain(remark)}.`));
  if (unpaired.length > 0)
    found.push(
      `Not compared, as only one side has them: ${unpaired.slice(0, 5).map(plain).join(', ')}${unpaired.length > 5 ? ` and ${unpaired.length - 5} more` : ''}.`,
    );
  return found;
}

const PARETO: Readonly<Record<Comparison['pareto'], string>> = {
  dominates: 'B dominates A',
  dominated: 'A dominates B',
  trade: 'a trade of quality against size',
  same: 'the same in both',
  unclear: 'no verdict on quality, so none on both together',
};

function gateLine({ gate, passed, reasons }: GateResult): string {
  return passed ? `Gate ${gate}: passed.` : `Gate ${gate}: failed, ${reasons.join('; ')}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
