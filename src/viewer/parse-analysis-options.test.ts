import { expect, it } from 'vitest';
import { parseAnalysisOptions } from './parse-analysis-options.ts';

const parse = (query: string) => parseAnalysisOptions(new URLSearchParams(query));

it('reads options of analyses by their ids and names', () => {
  expect(parse('threshold.risk=0.1&threshold.seed=7&decisionsAtPrevalence.prevalence=0.2')).toEqual({
    analyses: { threshold: { risk: 0.1, seed: 7 }, decisionsAtPrevalence: { prevalence: 0.2 } },
  });
  expect(parse('verdicts.judge=12')).toEqual({ analyses: { verdicts: { judge: '12' } } });
  expect(parse('')).toEqual({});
});

it.each([
  ['threshold.risk=2', 'threshold.risk: "2"; expected a number between 0 and 1'],
  ['threshold.risk=', 'threshold.risk: ""; expected a number'],
  ['threshold.risks=0.1', 'threshold.risks: there is no such option; available: '],
  ['review.review=x', 'review.review: there is no such option'],
  ['constructor.name=x', 'constructor.name: there is no such option'],
])('refuses %s', (query, message) => {
  expect(() => parse(query)).toThrow(message);
});
