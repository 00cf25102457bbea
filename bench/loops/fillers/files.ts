import { pdfOf } from '../pictures.ts';
import { text } from '../said.ts';
import type { Filler } from './filler.ts';
import { session, typed } from './session.ts';

/** Bytes of a PDF per token, as the server counts them. */
const BYTES = 5;

export const files: Filler = session({
  name: 'files',
  about: 'PDF files in user messages.',
  large: ['gemini'],
  every: 2,
  request: (scene, marker) => [
    text(typed(scene, marker, 'Please check this delivery note.')),
    { type: 'file', name: `${scene.id('note')}.pdf`, base64: pdfOf(2 * scene.budget * BYTES, scene.random) },
  ],
});
