import { z } from 'zod';
import { choice, N_RECORDS, number, TEST_SIZE, text, toggle, whole } from '../../suites/suite-option.ts';
import { ANSWER_BELOW } from '../cohort/verdict.ts';

/** What `CkdSuite` can be given; `CkdSuiteOptions` has the types. */
export const CKD_OPTIONS = {
  dataPath: text('--data <file>', 'a CSV or ARFF copy of the UCI CKD data (default: the generated cohort)'),
  source: choice('--source <name>', 'where patients come from: cohort, uci (default: cohort)', [
    'cohort',
    'uci',
  ]),
  features: choice('--features <set>', 'which measurements are shown: full, reduced (default: full)', [
    'full',
    'reduced',
  ]),
  missing: choice(
    '--missing <what>',
    'keep: show "not measured"; impute: fill from the training part, and mark (default: keep)',
    ['keep', 'impute'],
  ),
  missingness: choice(
    '--missingness <kind>',
    'whether gaps in the cohort depend on the diagnosis: independent, informative (default: independent)',
    ['independent', 'informative'],
  ),
  nRecords: N_RECORDS,
  nSynthetic: whole(
    '--n-synthetic <n>',
    'synthetic cases learned from the training part of the file (default: 0)',
    0,
  ),
  testSize: TEST_SIZE,
  splitStage3: toggle('--split-stage-3', 'stages 3a and 3b apart'),
  deferAbove: number(
    '--defer-above <p>',
    'staging: a case must be deferred when its label would change with more than this probability (default: 0.2)',
    z.number().min(ANSWER_BELOW).lt(1),
    `a probability from ${ANSWER_BELOW} to 1`,
  ),
  seed: whole('--seed <n>', 'seed of the generated cases and of the split (default: 42)', 0),
};
