import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { reportOf } from '../../test/run-report-fixture.ts';
import { runWeighted } from '../../test/weighted-run-fixture.ts';
import { evaluationResult } from '../core/evaluation-result.ts';
import { answerObject } from '../runs/formats/question-json.ts';
import { readRun } from '../runs/read-run.ts';
import { runSections } from '../runs/run-document.ts';
import { resultWithoutText } from './run-payload.ts';
import { questionsWithoutText, withoutText } from './withhold-text.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

it('leaves neither reasons of the judge, nor values and quotes from the answer, in an export', async () => {
  const { judging } = readRun(await runWeighted(folder.file('run.db')));
  const payload = JSON.parse(
    JSON.stringify({ run: { notes: {} }, evaluation_results: judging!.answers.map(answerObject) }),
  );
  for (const secret of ['850 mg', 'It says how much to take', 'metformin'])
    expect(JSON.stringify(payload)).toContain(secret);
  const left = JSON.stringify(questionsWithoutText(payload));
  for (const secret of ['850 mg', 'It says how much to take', 'metformin', 'States the dose', '500'])
    expect(left).not.toContain(secret);
  expect(left).toContain('"axis":"accuracy"');
});

it('leaves no reason to defer in an export, neither among the decisions nor in the flow of records', () => {
  const secret = 'works for the mayor';
  const rows = Array.from({ length: 20 }, (_, i) =>
    evaluationResult({
      id: String(i),
      groundTruth: 'G1',
      prediction: null,
      abstained: true,
      metadata: { should_abstain: true, should_abstain_reasons: [secret] },
    }),
  );
  const result = reportOf({}, rows);
  expect(JSON.stringify(runSections(result))).toContain(secret);
  const bare = runSections(resultWithoutText(result));
  expect(JSON.stringify(bare)).not.toContain(secret);
  const payload = JSON.parse(
    JSON.stringify({
      run: { notes: {} },
      labels: ['yes'],
      scored_by: [],
      facets: { label: [], prediction: [], reason: [secret] },
      subgroups: {},
      sections: runSections(result),
      sections_without_text: bare,
    }),
  );
  const left = withoutText(payload).run(payload);
  expect(JSON.stringify(left)).not.toContain(secret);
  expect(left.sections.map(({ id }) => id)).toContain('flow');
});

it('leaves no answer that is not a label in an export, not even in a link to its records', () => {
  const secret = 'the mayor has G9';
  const rows = Array.from({ length: 20 }, (_, i) =>
    evaluationResult({ id: String(i), groundTruth: 'G1', prediction: i < 10 ? 'G1' : secret }),
  );
  const result = reportOf({}, rows);
  expect(JSON.stringify(runSections(result))).toContain(secret);
  const bare = runSections(resultWithoutText(result));
  expect(JSON.stringify(bare)).not.toContain(secret);
  const matrix = bare.find(({ id }) => id === 'confusion')!.blocks.find(({ kind }) => kind === 'matrix');
  expect(matrix).toMatchObject({
    rows: expect.arrayContaining([
      expect.objectContaining({
        links: expect.arrayContaining([expect.objectContaining({ label: ['G1'] }), null]),
      }),
    ]),
  });
});
