import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readHumanLabels } from '../../rubrics/calibration/human-labels.ts';
import { lexicalVerdicts } from '../../rubrics/judge/lexical.ts';
import { lintQuestions } from './check-file.ts';
import { readQuestionFile } from './find-question-suite.ts';

const folder = 'examples/questions';
const suite = await readQuestionFile(`${folder}/questions.yaml`);
const { questions } = suite;

it('examples/questions: model answers assert what is required and nothing that is forbidden', () => {
  for (const { reference, aliases, rubric } of questions) {
    for (const { tpInstructions, tnInstructions } of rubric.metricTraits) {
      const verdicts = (instructions: readonly string[]) =>
        lexicalVerdicts(
          reference!,
          instructions.map((instruction) => ({ id: instruction, instruction })),
          aliases,
        ).map(({ verdict }) => verdict);
      expect(new Set(verdicts(tpInstructions))).toEqual(new Set(['present']));
      expect(verdicts(tnInstructions).filter((verdict) => verdict !== 'absent')).toEqual([]);
    }
  }
});

it('examples/questions: passes the lint', () => expect(lintQuestions(suite)).toEqual([]));

it('examples/questions: there is an answer to every question and a label for every item', async () => {
  const answers = readFileSync(`${folder}/answers.jsonl`, 'utf8').trim().split('\n');
  expect(answers.map((line) => JSON.parse(line).question_id)).toEqual(questions.map(({ id }) => id));
  const items = questions.flatMap(({ id, rubric }) =>
    rubric.metricTraits.flatMap(({ name, tpInstructions, tnInstructions }) =>
      [...tpInstructions, ...tnInstructions].map((instruction) => [id, { trait: name, instruction }]),
    ),
  );
  const labels = await readHumanLabels(`${folder}/human-labels.jsonl`);
  expect(labels.map(({ questionId, item }) => [questionId, item])).toEqual(items);
});
