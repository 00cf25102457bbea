import type { ProbeFactKind } from '../../types.ts';

const SHAPES: readonly (readonly [ProbeFactKind, RegExp])[] = [
  ['url', /^[a-z][a-z\d+.-]*:\/\/\S+$/i],
  ['hash', /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/],
  ['hash', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['path', /^(?:~|\.{1,2})?\/[^\s:]+$/],
  ['path', /^[\w.@~+-]+(?:\/[\w.@+-]+)+\.\w{1,8}$/],
  [
    'path',
    /^\.?[\w-]+(?:\.[\w-]+)*\.(?:md|ts|js|py|json|ya?ml|toml|txt|sh|go|rs|java|c|h|cpp|html|css|sql|lock|cfg|ini)$/,
  ],
  [
    'error',
    /\b(?:\w*(?:Error|Exception)|ERR_\w+|E[A-Z]{5,})\b.*\s|\b(?:failed|failure|cannot|denied|exceeded|timed out)\b.*:\s/,
  ],
  [
    'command',
    /^(?:\$ )?(?:npm|npx|git|kubectl|helm|docker|make|pytest|python3?|node|cargo|go|curl|pip|yarn|pnpm|gh) [\w-]/,
  ],
  ['number', /^[$€£¥]?\d[\d.,_]*\s?%?(?:\s?[A-Za-z€]{1,12}){0,3}$/],
  ['identifier', /^[\w$.:#@/-]*(?:[_$.:#@/-]|\d|[a-z][A-Z])[\w$.:#@/-]*$/],
];

/** Guesses the kind of a fact from its shape. */
export function guessKind(value: string): ProbeFactKind {
  return SHAPES.find(([, shape]) => shape.test(value.trim()))?.[0] ?? 'prose';
}
