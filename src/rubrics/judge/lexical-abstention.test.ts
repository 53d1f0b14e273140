import { expect, it } from 'vitest';
import { lexicalAbstention } from './lexical.ts';

it.each([
  'I cannot answer this without more details.',
  'I can’t recommend a dose.',
  "I'm not able to interpret a photograph.",
  'This cannot be answered from what is given.',
  'There is not enough\ninformation to say.',
  "I don't have access to your results.",
])('abstains: %s', (answer) => {
  expect(lexicalAbstention(answer)).toBe(true);
});

it.each([
  'Stop ibuprofen. Ask your doctor if you are unsure.',
  'The kidneys cannot excrete potassium well.',
  'Metformin cannot be used below an eGFR of 30.',
  'Please see a professional.',
])('answers: %s', (answer) => {
  expect(lexicalAbstention(answer)).toBe(false);
});
