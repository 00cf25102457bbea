import type { Wire } from '../said.ts';
import { type Checker, hasBlankText, isJson, listIn, unpaired } from './checker.ts';

interface Group {
  readonly encrypted: unknown;
  /** Keys of the items that came after this reasoning in the same response. */
  readonly followers: readonly string[];
}

export function openaiResponsesChecker(): Checker {
  const groups = new Map<string, Group>();
  const reasoningOf = new Map<string, string>();
  let count = 0;
  return {
    check(request) {
      const items = listIn(request, 'input');
      return [...items.flatMap(contentOf), ...pairsOf(items), ...reasoningIn(items, groups, reasoningOf)];
    },
    sign(_request, answer) {
      const at = answer.findIndex(({ type }) => type === 'reasoning');
      if (at < 0) return answer;
      const id = `rs_${++count}`;
      const followers = answer
        .slice(at + 1)
        .filter(({ type }) => !String(type).endsWith('_output'))
        .map(keyOf);
      groups.set(id, { encrypted: answer[at]?.['encrypted_content'], followers });
      for (const follower of followers) reasoningOf.set(follower, id);
      return answer.map((item, index) => (index === at ? { ...item, id } : item));
    },
  };
}

/** A call is the same call as long as its `call_id` is, whatever else was shortened; other items are known by id or text. */
function keyOf(item: Wire): string {
  const own = item['call_id'] ?? item['id'];
  return typeof own === 'string' ? own : JSON.stringify(item['content']);
}

function contentOf(item: Wire, at: number): string[] {
  const { type, role } = item;
  if (type === 'message' || (type === undefined && role !== undefined))
    return hasBlankText(item['content']) ? [`RESP: item ${at}: empty content`] : [];
  if (type === 'function_call' && !isJson(item['arguments'])) return [`RESP: item ${at}: arguments that are not JSON`];
  return type === undefined ? [`RESP: item ${at}: no type`] : [];
}

function pairsOf(items: readonly Wire[]): string[] {
  const calls = items.filter(({ type, call_id }) => String(type).endsWith('_call') && typeof call_id === 'string');
  const outputs = items.filter(({ type }) => String(type).endsWith('_call_output'));
  const fault = unpaired(
    calls.map((item) => item['call_id']),
    outputs.map((item) => item['call_id']),
  );
  const faults = fault === null ? [] : [`RESP-1: ${fault}`];
  const early = outputs.find(
    (output) =>
      items.indexOf(output) < items.findIndex((item) => item['call_id'] === output['call_id'] && item !== output),
  );
  if (early !== undefined) faults.push('RESP-1: an output before its call');
  const last = items.at(-1);
  if (last?.['role'] === 'assistant' || last?.['type'] === 'reasoning')
    faults.push('RESP: the last item is of the assistant');
  return faults;
}

function reasoningIn(
  items: readonly Wire[],
  groups: ReadonlyMap<string, Group>,
  reasoningOf: ReadonlyMap<string, string>,
): string[] {
  const faults: string[] = [];
  const present = new Set(items.flatMap(({ type, id }) => (type === 'reasoning' ? [String(id)] : [])));
  const keys = new Set(items.map(keyOf));
  for (const [at, item] of items.entries()) {
    if (item['type'] === 'reasoning') {
      const group = groups.get(String(item['id']));
      const next = items[at + 1];
      if (group === undefined) faults.push(`RESP-4: item ${at}: reasoning that was never given`);
      else if (group.encrypted !== item['encrypted_content'])
        faults.push(`RESP-4: item ${at}: encrypted reasoning was changed`);
      else if (next === undefined || keyOf(next) !== group.followers[0])
        faults.push(`RESP-2: item ${at}: reasoning was provided without its required following item`);
      else if (group.followers.some((follower) => !keys.has(follower)))
        faults.push(`RESP-3: item ${at}: a call that shares this reasoning is gone`);
      continue;
    }
    const isOutput = String(item['type']).endsWith('_output');
    const reasoning = isOutput ? undefined : reasoningOf.get(keyOf(item));
    if (reasoning !== undefined && !present.has(reasoning) && item['id'] !== undefined)
      faults.push(`RESP-2: item ${at}: ${String(item['type'])} was provided without its required reasoning item`);
  }
  return faults;
}
