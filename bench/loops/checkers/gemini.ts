import type { Wire } from '../said.ts';
import { type Checker, isBlank, isRecord, listIn, records } from './checker.ts';
import { digestOf } from './thinking-binding.ts';

/** The documented value for calls that the model did not make. */
const ESCAPE = 'skip_thought_signature_validator';

export function geminiChecker(): Checker {
  const signed = new Map<string, string>();
  let isSigning = false;
  return {
    check(request) {
      const contents = listIn(request, 'contents');
      const faults = [...rolesOf(contents), ...contents.flatMap(partsOf), ...pairsOf(contents)];
      return isSigning ? [...faults, ...signaturesOf(contents, signed)] : faults;
    },
    /** Only the first call of an answer is signed. Models that think sign; the thought itself is never sent back. */
    sign(_request, answer) {
      return answer.map((content) => {
        const parts = records(content['parts']);
        const isThinking = parts.some((part) => part['thought'] === true);
        if (!isThinking) return content;
        isSigning = true;
        const spoken = parts.filter((part) => part['thought'] !== true);
        const at = Math.max(
          0,
          spoken.findIndex((part) => isRecord(part['functionCall'])),
        );
        return {
          ...content,
          parts: spoken.map((part, index) => {
            if (index !== at) return part;
            const thoughtSignature = digestOf(JSON.stringify([signed.size, part]));
            signed.set(thoughtSignature, JSON.stringify(part));
            return { ...part, thoughtSignature };
          }),
        };
      });
    },
  };
}

function rolesOf(contents: readonly Wire[]): string[] {
  const faults: string[] = [];
  const roles = contents.map(({ role }) => role ?? 'user');
  if (roles[0] !== 'user') faults.push('GEM-6: the first content is not of the user');
  if (roles.at(-1) === 'model') faults.push('GEM-6: the last content is of the model');
  const odd = roles.findIndex((role) => role !== 'user' && role !== 'model');
  if (odd >= 0) faults.push(`GEM-6: content ${odd}: unknown role`);
  // The API takes two contents of the user in a row, but a call must follow a content of the user.
  const repeated = roles.findIndex((role, index) => role === 'model' && roles[index - 1] === 'model');
  if (repeated >= 0) faults.push(`GEM-6: content ${repeated}: two contents of the model in a row`);
  return faults;
}

function partsOf(content: Wire, at: number): string[] {
  const parts = records(content['parts']);
  if (parts.length === 0) return [`GEM: content ${at}: no parts`];
  return parts.flatMap((part) => {
    if ('text' in part && isBlank(part['text']) && part['thoughtSignature'] === undefined)
      return [`GEM: content ${at}: empty text`];
    const response = isRecord(part['functionResponse']) ? part['functionResponse'] : null;
    if (response !== null && !isRecord(response['response']))
      return [`GEM-6: content ${at}: a response that is no object`];
    return [];
  });
}

function pairsOf(contents: readonly Wire[]): string[] {
  const of = (content: Wire | undefined, key: string): readonly Wire[] =>
    records(content?.['parts'])
      .map((part) => part[key])
      .filter(isRecord);
  return contents.flatMap((content, at) => {
    const calls = of(contents[at - 1], 'functionCall');
    const responses = of(content, 'functionResponse');
    if (calls.length !== responses.length)
      return [`GEM-1: content ${at}: ${responses.length} responses to ${calls.length} calls`];
    const wrong = responses.some((response, index) =>
      response['id'] === undefined
        ? response['name'] !== calls[index]?.['name']
        : !calls.some(({ id, name }) => id === response['id'] && name === response['name']),
    );
    return wrong ? [`GEM-2: content ${at}: a response to another call`] : [];
  });
}

/** The current turn begins after the newest words of the user. */
function signaturesOf(contents: readonly Wire[], signed: ReadonlyMap<string, string>): string[] {
  const isAsked = ({ role, parts }: Wire): boolean =>
    role !== 'model' && !records(parts).some((part) => isRecord(part['functionResponse']));
  const start = contents.findLastIndex(isAsked);
  return contents.flatMap((content, at) => {
    const parts = records(content['parts']);
    const first = parts.find((part) => isRecord(part['functionCall']));
    const faults: string[] = [];
    if (at > start && first !== undefined && typeof first['thoughtSignature'] !== 'string')
      faults.push(`GEM-3: content ${at}: a call is missing a thought_signature`);
    for (const { thoughtSignature, ...part } of parts) {
      if (typeof thoughtSignature !== 'string' || thoughtSignature === ESCAPE) continue;
      const given = signed.get(thoughtSignature);
      if (given === undefined) faults.push(`GEM-4: content ${at}: a signature that was never given`);
      else if (at > start && given !== JSON.stringify(part))
        faults.push(`GEM-4: content ${at}: a signed part was changed`);
    }
    return faults;
  });
}
