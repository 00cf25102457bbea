import { lawsOf } from './laws.ts';

lawsOf('openai-responses');
