import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { confirm } from './print.ts';

it.each([
  ['y\n', true],
  ['YES\n', true],
  ['\n', false],
  ['no\n', false],
  ['yesterday\n', false],
  ['', false],
])('takes %j as %j', async (typed, expected) => {
  expect(await confirm('Sure?', Readable.from([typed]), new PassThrough())).toBe(expected);
});
