import { lawsOf } from './laws.ts';

lawsOf('openai-chat');
