/** `precis/testing`: laws that any implementation of a port can run in its own test runner. */
export { formatLaws, type Law } from './format-laws.ts';
