import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { verdictsText } from './verdicts-text.ts';

it('has a line for each condition', () => {
  const text = verdictsText([
    { text: 'accuracy > 0.5', status: 'pass', message: 'accuracy is 0.6' },
    { text: 'a\u001b[2J', status: 'undecided', message: 'x\ny' },
  ]);
  expect(stripVTControlCharacters(text)).toBe('PASS  accuracy > 0.5: accuracy is 0.6\nUNDECIDED  a: x?y\n');
  expect(verdictsText([])).toBe('');
});
