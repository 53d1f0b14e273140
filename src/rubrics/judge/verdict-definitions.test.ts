import { expect, it } from 'vitest';
import { VERDICTS } from '../verdict.ts';
import { VERDICT_DEFINITIONS } from './judge-text.ts';

it('has a sentence for every verdict, from the judge prompt', () => {
  expect(Object.keys(VERDICT_DEFINITIONS)).toEqual([...VERDICTS]);
  for (const text of Object.values(VERDICT_DEFINITIONS)) expect(text).toMatch(/^The .{10,}\.$/);
});
