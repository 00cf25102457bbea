import { lawsOf } from './laws.ts';

lawsOf('langchain');
