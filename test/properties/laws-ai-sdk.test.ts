import { lawsOf } from './laws.ts';

lawsOf('ai-sdk');
