import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findQuestionSuite, holdsQuestions, QUESTION_SUITES } from './find-question-suite.ts';

it('finds every bundled suite by its name', async () => {
  for (const { name } of QUESTION_SUITES) expect((await findQuestionSuite(name)).name).toBe(name);
});

it('takes a path for a file', async () => {
  const suite = await findQuestionSuite('examples/questions/questions.yaml');
  expect(suite.questions).toHaveLength(3);
  await expect(findQuestionSuite('none.jsonl')).rejects.toThrow('none.jsonl: no such file');
});

it('says what there is when there is no such name', async () => {
  await expect(findQuestionSuite('open/clincal')).rejects.toThrow(
    'no suite of questions "open/clincal"; did you mean open/clinical?',
  );
  await expect(findQuestionSuite('zzz')).rejects.toThrow('available: open/clinical, open/bcl2');
});

it.each([
  ['open/bcl2', true],
  ['examples/questions/questions.yaml', true],
  ['none.jsonl', true],
  ['ckd/staging', false],
  ['examples/table-suite/suite.yaml', false],
  ['none.yaml', false],
])('knows whether %s holds questions', async (name, expected) => {
  expect(await holdsQuestions(name)).toBe(expected);
});

it('knows questions that are written as JSON in a file of YAML', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-questions-'));
  const path = join(folder, 'own.yaml');
  writeFileSync(path, '{"name":"a/b","questions":[{"id":"x"}]}');
  expect(await holdsQuestions(path)).toBe(true);
  writeFileSync(path, 'name: a/b\ninstructions: Answer these, questions: all of them\n');
  expect(await holdsQuestions(path)).toBe(false);
  rmSync(folder, { recursive: true });
});
