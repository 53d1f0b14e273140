import { describe, expect, it } from 'vitest';
import { descriptionObject } from './description-json.ts';
import type { SuiteDescription } from './suite.ts';

const description: SuiteDescription = {
  name: 'demo/yes-no',
  task: 'demo/yes-no',
  domain: 'demo',
  sensitivity: 'public',
  hash: 'abc',
  nRecords: 3,
  nTraining: 7,
  excluded: [{ reason: 'course_between_definitions', n: 4 }],
  labels: [
    { name: 'yes', n: 2 },
    { name: 'no', n: 1 },
  ],
  origins: [{ name: 'file', n: 3 }],
  deferral: { mustDefer: 1, mustAnswer: 1, unlabelled: 1, reasons: [{ name: 'child', n: 1 }] },
  mustAct: {
    emergencies: 1,
    none: 1,
    open: 1,
    reasons: [{ name: 'potassium', n: 1 }],
    openReasons: [{ name: 'egfr', n: 1 }],
  },
  missing: [{ name: 'Age (years)', n: 2 }],
  strata: [{ name: 'stage 3', n: 3 }],
  arms: ['natural'],
  primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
  settings: { missing: 'keep', test_size: 0.2 },
  provenance: { licence: 'CC0' },
  warnings: ['beware'],
};

describe('descriptionObject', () => {
  it('is the whole description in snake_case', () => {
    expect(descriptionObject(description)).toEqual({
      name: 'demo/yes-no',
      task: 'demo/yes-no',
      domain: 'demo',
      sensitivity: 'public',
      suite_hash: 'abc',
      n_total_eval_records: 3,
      n_training_records: 7,
      excluded: { course_between_definitions: 4 },
      labels: { yes: 2, no: 1 },
      origins: { file: 3 },
      strata: { 'stage 3': 3 },
      deferral: { must_defer: 1, must_answer: 1, unlabelled: 1, reasons: { child: 1 } },
      must_act: {
        emergencies: 1,
        none: 1,
        open: 1,
        reasons: { potassium: 1 },
        open_reasons: { egfr: 1 },
      },
      not_measured: { 'Age (years)': 2 },
      arms: ['natural'],
      primary_endpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
      provenance: { licence: 'CC0' },
      warnings: ['beware'],
      missing: 'keep',
      test_size: 0.2,
    });
  });

  it('lets no setting take the place of a count', () => {
    const settings = { suite_hash: 'forged', labels: 'mine', mine: 1 };
    const object = descriptionObject({ ...description, settings });
    expect(object).toMatchObject({ suite_hash: 'abc', labels: { yes: 2, no: 1 }, mine: 1 });
  });
});
