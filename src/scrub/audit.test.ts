import { expect, it } from 'vitest';
import { auditText } from './audit.ts';
import { createScrubber } from './scrub-text.ts';

const secret = `Zq7kW2${'xLp9mN4v'}`;

it.each([
  ['a rule of names', { a: '/home/teknium/x' }, 'user name in a path'],
  ['a rule of secrets', { a: `password=${secret}` }, 'password'],
  ['a name that was learned', { a: 'by Qarvenol' }, 'personal handle'],
  ['a secret that was learned', { a: `bare ${secret}` }, 'password'],
  ['a key', { '/home/teknium': 1 }, 'user name in a path'],
  ['JSON in a text', { a: JSON.stringify({ b: 'x\nqarvenol' }) }, 'personal handle'],
])('finds %s', (_what, value, rule) => {
  const scrubber = createScrubber();
  scrubber.learn(`/home/qarvenol PASSWORD=${secret}`);
  expect(auditText(JSON.stringify(value), scrubber).map((row) => row.rule)).toContain(rule);
});

it('finds nothing where nothing is', () => {
  const scrubber = createScrubber();
  scrubber.learn(`/home/qarvenol PASSWORD=${secret}`);
  expect(auditText(JSON.stringify({ a: '/home/user/x PASSWORD=[redacted: password] User' }), scrubber)).toEqual([]);
});
