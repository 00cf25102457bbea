import { pdfOf } from '../pictures.ts';
import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session } from './session.ts';

/** Bytes of a PDF per token, as the server counts them. */
const BYTES = 5;

export const files: Filler = session({
  name: 'files',
  about: 'PDF files in user messages.',
  every: 2,
  request: ({ budget, random, id }, marker) => [
    text(`Please check this delivery note; the case is ${marker}.`),
    { type: 'file', name: `${id('note')}.pdf`, base64: pdfOf(2 * budget * BYTES, random) },
  ],
});
