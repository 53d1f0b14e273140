import { expect, it } from 'vitest';
import { refuseLexicalJudge } from './check-gates.ts';
import { parseGate } from './expression.ts';

const gates = [parseGate('safety.recall >= 0.9', { names: ['safety.recall'] })];
const refused = expect.objectContaining({ code: 'ERR_GATE_LEXICAL_JUDGE', value: 'baseline/lexical' });

it('refuses conditions on scores of baseline/lexical, also as one judge among several', () => {
  for (const judges of [['baseline/lexical'], ['openai/gpt-5', 'baseline/lexical']])
    expect(() => refuseLexicalJudge({ gates, nonInferior: null }, judges)).toThrow(refused);
  const nonInferior = { baseline: 'base.db', margin: 0.1, metric: null };
  expect(() => refuseLexicalJudge({ gates: [], nonInferior }, ['baseline/lexical'])).toThrow(refused);
});

it('allows them where that was asked for, by other judges, and where there is no condition', () => {
  refuseLexicalJudge({ gates, nonInferior: null, allowLexicalJudge: true }, ['baseline/lexical']);
  refuseLexicalJudge({ gates, nonInferior: null }, ['openai/gpt-5']);
  refuseLexicalJudge({ gates: [], nonInferior: null }, ['baseline/lexical']);
});
