import { lawsOf } from './laws.ts';

lawsOf('anthropic');
