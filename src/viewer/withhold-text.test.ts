import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { runWeighted } from '../../test/weighted-run-fixture.ts';
import { answerObject } from '../runs/formats/question-json.ts';
import { readRun } from '../runs/read-run.ts';
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
  const payload = JSON.parse(
    JSON.stringify({
      run: { notes: {} },
      causes: [],
      labels: ['yes'],
      facets: { label: [], prediction: [], reason: ['works for the mayor'] },
      figures: null,
      subgroups: {},
      decisions: { byReason: [{ group: 'works for the mayor' }], byClass: [] },
      flow: { mustDefer: { n: 1 }, reasons: [{ name: 'works for the mayor', n: 1 }] },
    }),
  );
  const left = withoutText(payload).run(payload);
  expect(JSON.stringify(left)).not.toContain('mayor');
  expect(left.flow).toEqual({ mustDefer: { n: 1 }, reasons: [] });
});
