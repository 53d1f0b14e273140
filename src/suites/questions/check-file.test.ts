import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkRubricFile } from './check-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-check-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const rubric =
  'metric_traits: [{ name: t, description: "Source: own", metrics: [f1], tp_instructions: [Names A, Names B] }]';

it('takes a file with questions for that, and any other for a rubric', async () => {
  expect(await checkRubricFile(file('r.yaml', rubric))).toMatchObject({
    kind: 'rubric',
    counts: { questions: null, traits: 1, items: 2 },
    findings: [],
  });
  const questions = `name: own/x\nrubric: { ${rubric} }\nquestions: [{ id: a, question: Why? }, { id: b, question: How? }]`;
  expect(await checkRubricFile(file('q.yaml', questions))).toMatchObject({
    kind: 'questions',
    counts: { questions: 2, traits: 1, items: 2 },
  });
  expect(await checkRubricFile('open/bcl2')).toMatchObject({ kind: 'questions', counts: { questions: 1 } });
});

it('counts the traits of each question', async () => {
  const line = (id: string) =>
    JSON.stringify({ id, question: 'Why?', rubric: { regex_traits: [{ name: 'x', pattern: 'y' }] } });
  expect((await checkRubricFile(file('q.jsonl', `${line('a')}\n${line('b')}\n`))).counts).toEqual({
    questions: 2,
    traits: 2,
    items: 0,
  });
});

it.each([
  ['bad.yaml', 'metric_traits: [{ name: t }]', 'metrics is not given'],
  ['list.yaml', '[1]', 'expected an object with metric_traits'],
  ['broken.json', '{', 'not YAML'],
])('refuses %s', async (name, text, message) => {
  await expect(checkRubricFile(file(name, text))).rejects.toThrow(message);
});

it('says that a file is not there', async () => {
  await expect(checkRubricFile(join(folder, 'none.yaml'))).rejects.toThrow(
    'no such file; expected a rubric or a file of questions',
  );
});
