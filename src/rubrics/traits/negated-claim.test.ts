import { expect, it } from 'vitest';
import { isNegated } from './metric-trait-rules.ts';

it.each([
  'Does not mention dialysis',
  "Doesn't advise an ECG",
  'The answer does not advise an ECG',
  'It never says when to return',
  'No mention of potassium',
  'Without a warning',
  'Fails to ask about pregnancy',
  'Omits the dose',
  'Avoids naming the drug',
  'Lacks a follow-up',
  'Must not recommend ibuprofen',
  'not recommending ibuprofen',
])('%s: negated', (line) => {
  expect(isNegated(line)).toBe(true);
});

it.each([
  'States that NSAIDs do not harm the kidney',
  'Claims that no dose change is needed',
  'Recommends ibuprofen',
  'Notes a rise',
  'Nonsteroidal drugs are called safe',
  'Advises to avoid protein altogether',
  'Itching is called harmless',
  'Says metformin never needs a lower dose',
])('%s: not negated', (line) => {
  expect(isNegated(line)).toBe(false);
});
