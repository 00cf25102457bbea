import { endOf, NOTHING, type Rule, startsToken } from './scan.ts';

// Personal data, only when asked for

/** In one piece, or in groups as on a card: the digits of a UUID are neither. */
const CARD = /(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})(?![\w-])/y;

export const cardRule: Rule = {
  // Payment cards start with 2 to 6.
  anchors: ['2', '3', '4', '5', '6'],
  find: (place) => {
    const { text, at, floor } = place;
    if (!startsToken(place) || (at > floor && /[.-]/.test(text.charAt(at - 1)))) return NOTHING;
    const end = endOf(CARD, text, at);
    return end >= 0 && passesLuhn(text.slice(at, end)) ? [{ kind: 'card number', start: at, end }] : NOTHING;
  },
};

function passesLuhn(written: string): boolean {
  const digits = written.replaceAll(/\D/g, '');
  if (new Set(digits).size < 2) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const IBAN_COUNTRIES =
  'AD AE AL AT BA BE BG BR CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IL IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM TR UA'.split(
    ' ',
  );
const IBAN = /\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])/y;

export const ibanRule: Rule = {
  anchors: IBAN_COUNTRIES,
  find: (place) => {
    if (!startsToken(place)) return NOTHING;
    const end = endOf(IBAN, place.text, place.after);
    if (end < 0 || !passesMod97(place.text.slice(place.at, end))) return NOTHING;
    return [{ kind: 'IBAN', start: place.at, end }];
  },
};

function passesMod97(written: string): boolean {
  const iban = written.replaceAll(' ', '');
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
