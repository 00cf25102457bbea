import { lawsOf } from './laws.ts';

lawsOf('gemini');
