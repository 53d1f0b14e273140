import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { runInto } from '../../../test/question-run-fixture.ts';
import { checkGate } from '../../runs/gates/check-gate.ts';
import { parseGate } from '../../runs/gates/parse-gate.ts';
import { readRun } from '../../runs/read-run.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { traitScores } from './trait-scores.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let result: RunResult;
beforeAll(async () => {
  result = readRun(await runInto(folder.file('run.db')));
});

const names = () => result.metricScores.map(({ name }) => name);
const check = (text: string) => checkGate(parseGate(text, { names: names() }), result.card);

describe('traitScores', () => {
  it('knows traits by their metrics, and the abstention metrics', () => {
    expect(names()).toEqual(
      expect.arrayContaining([
        'advice.recall',
        'advice.recall.mean',
        'safe.specificity',
        'kind',
        'answer_rate',
      ]),
    );
    expect(names()).not.toContain('tone');
  });

  it.each([
    ['safe.specificity >= 0.5', 'pass'],
    ['safe.specificity.mean > 0.5', 'fail'],
    ['no_latin >= 60%', 'pass'],
    ['abstention_rate <= 0.2', 'fail'],
    // One item of four is unscored: 2 of 4 to 3 of 4.
    ['advice.recall >= 0.5', 'pass'],
    ['advice.recall >= 0.7', 'undecided'],
    ['advice.recall >= 0.8', 'fail'],
    ['lower(advice.recall) >= 0.1', 'undecided'],
  ])('%s: %s', (text, status) => {
    expect([text, check(text).status]).toEqual([text, status]);
  });

  it('says what is unscored', () => {
    expect(check('advice.recall >= 0.7').message).toBe(
      'advice.recall is 0.667 (n 3), but 1 of 4 items are unscored; had they been answered: 0.500 to 0.750',
    );
  });

  it('writes names so that a condition can hold them', () => {
    const [first, ...rest] = result.judging!.metricTraits;
    const renamed = { ...result.judging!, metricTraits: [{ ...first!, name: 'BCL2 cover (new)' }, ...rest] };
    expect(traitScores(renamed, result.ledger)[0]).toMatchObject({
      name: 'BCL2_cover__new_.precision',
      label: 'BCL2 cover (new): precision',
    });
  });
});
