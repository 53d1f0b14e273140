import { expect, it } from 'vitest';
import { meantModel } from './api/provider-info.ts';
import { createJudge } from './judge.ts';

it.each([
  ['opnai/gpt-5-mini', 'openai/gpt-5-mini'],
  ['gpt-5-mini', 'openai/gpt-5-mini'],
  ['simulted/careful', 'simulated/careful'],
  ['zzz', null],
  ['qqqqqqqqqq/x', null],
])('%s is meant for %s', async (typed, meant) => {
  expect(await meantModel(typed)).toBe(meant);
});

it.each([
  ['lexical', 'baseline/lexical'],
  ['antropic/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
])('suggests a judge for %s', async (typed, meant) => {
  await expect(createJudge(typed, {})).rejects.toThrow(`no judge "${typed}"; did you mean ${meant}?`);
});
