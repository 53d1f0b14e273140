import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { SuiteDescription } from '../suites/suite.ts';
import type { Task } from '../suites/task.ts';
import { baselinesObject, descriptionText } from './describe-suite.ts';

const task: Task = {
  id: 'demo/yes-no',
  labels: ['yes', 'no'],
  positiveLabel: 'yes',
  ordered: false,
  defaultArm: 'natural',
  arms: { told: { instructions: 'Say yes.' }, natural: { instructions: 'Answer yes or no.' } },
  primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
};
const description: SuiteDescription = {
  name: 'demo/yes-no',
  task: 'demo/yes-no',
  domain: 'Demonstration',
  sensitivity: 'public',
  hash: 'abc123',
  nRecords: 40,
  nTraining: 7,
  labels: [
    { name: 'yes', n: 27 },
    { name: 'no', n: 9 },
    { name: 'none (no answer follows)', n: 4 },
  ],
  origins: [{ name: 'file', n: 40 }],
  deferral: { mustDefer: 5, mustAnswer: 30, unlabelled: 5, reasons: [{ name: 'missing_age', n: 5 }] },
  mustAct: {
    emergencies: 1,
    none: 37,
    open: 2,
    reasons: [{ name: 'potassium_6.5_or_more', n: 1 }],
    openReasons: [{ name: 'egfr_below_10', n: 2 }],
  },
  missing: [{ name: 'Age (years)', n: 5 }],
  strata: [{ name: 'stage 3', n: 40 }],
  arms: ['told', 'natural'],
  primaryEndpoint: task.primaryEndpoint,
  settings: { test_size: 0.2 },
  provenance: { reference_standard: 'two readers' },
  warnings: ['Small numbers.'],
};
const textOf = (change: Partial<SuiteDescription> = {}, of: Task = task) =>
  stripVTControlCharacters(descriptionText({ ...description, ...change }, of, [], 1000));

describe('descriptionText', () => {
  it('says everything a reader checks', () => {
    expect(textOf()).toBe(`demo/yes-no: 40 cases to evaluate, 7 to learn from
Demonstration; public data; labels yes, no (positive: yes)
suite hash abc123

Labels
  yes                       27   67.5 %
  no                         9   22.5 %
  none (no answer follows)   4   10.0 %

Stage
  stage 3  40  100.0 %

Origin
  file  40  100.0 %

Deferral
  must answer             30   75.0 %
  must defer               5   12.5 %
  unlabelled (grey zone)   5   12.5 %

Why defer (a case may have several reasons)
  missing_age  5   12.5 %

Emergencies
  needs action today           1    2.5 %
  needs none today            37   92.5 %
  left open, in neither rate   2    5.0 %

Findings in emergencies (a case may have several)
  potassium_6.5_or_more  1    2.5 %

Findings that need treatment soon, not today
  egfr_below_10  2    5.0 %

Not measured
  Age (years)  5   12.5 %

Arms
  told: Say yes.
  natural (default): Answer yes or no.

Primary endpoint: accuracy, arm natural (a demonstration)

Settings
  test size: 0.2

Provenance
  reference standard: two readers

! Small numbers.
`);
  });

  it('counts the people left out, with their share of all that were drawn', () => {
    const excluded = [{ reason: 'course_between_definitions', n: 3 }];
    expect(textOf({ excluded })).toContain(`Left out of 50 (neither evaluated nor learned from)
  course_between_definitions  3    6.0 %
`);
    expect(textOf()).not.toContain('Left out');
  });

  it('shows what baselines reach, and how far deferring without reasoning goes', () => {
    const at = (name: string, value: number) => ({
      model: `baseline/${name}`,
      n: 40,
      scores: { decision_accuracy: { value, lower: null, upper: null, n: 35 } },
    });
    const baselines = [at('majority', 0.2), at('guideline-defer', 1), at('one-look', 0.6)];
    const text = (given: typeof baselines) =>
      stripVTControlCharacters(descriptionText(description, task, given, 1000));
    expect(text(baselines)).toContain(`Baselines (decision accuracy, n = 35)
  majority          20.0 %
  guideline-defer  100.0 %
  one-look          60.0 %

Deferring without reasoning (one-look) goes 50.0 % of the way from majority to guideline-defer.
`);
    expect(text(baselines.slice(0, 2))).not.toContain('one-look');
    expect(text([])).not.toContain('Baselines');
    expect(baselinesObject(baselines)).toEqual({
      baselines: {
        majority: { decision_accuracy: 0.2, n: 35 },
        guideline_defer: { decision_accuracy: 1, n: 35 },
        one_look: { decision_accuracy: 0.6, n: 35 },
      },
      one_look_share: expect.closeTo(0.5, 12),
    });
  });

  it('leaves out what a suite does not have', () => {
    const text = textOf({
      strata: [{ name: 'stage none', n: 40 }],
      origins: [],
      deferral: { mustDefer: 0, mustAnswer: 0, unlabelled: 40, reasons: [] },
      mustAct: { emergencies: 0, none: 0, open: 40, reasons: [], openReasons: [] },
      missing: [],
      settings: {},
      provenance: {},
      warnings: [],
    });
    expect(text).not.toMatch(
      /Stage|Origin|Deferral|Why defer|Emergencies|Findings|Not measured|Settings|Provenance|!/,
    );
    expect(text).toMatch(/Labels[\s\S]*Arms[\s\S]*\(a demonstration\)\n$/);
  });

  it('does not divide by no records', () => {
    const text = textOf({ nRecords: 0, labels: [], deferral: { ...description.deferral, mustDefer: 0 } });
    expect(text).toContain('0 cases to evaluate');
    expect(text).not.toMatch(/NaN|Infinity|%/);
  });

  it('names no positive label where there is none', () => {
    const { positiveLabel: _, ...plain } = task;
    expect(textOf({}, plain)).toContain('labels yes, no\n');
  });

  it('lets nothing of a suite command the terminal', () => {
    const evil = '\u001b]0;owned\u0007\u009b2J\nforged line';
    const counted = [{ name: evil, n: 1 }];
    const text = descriptionText(
      {
        ...description,
        name: evil,
        domain: evil,
        labels: counted,
        origins: counted,
        strata: counted,
        missing: counted,
        mustAct: { emergencies: 1, none: 0, open: 0, reasons: counted, openReasons: counted },
        deferral: { ...description.deferral, reasons: counted },
        primaryEndpoint: { metric: evil, arm: evil, why: evil },
        settings: { [evil]: evil },
        provenance: { [evil]: evil },
        warnings: [evil],
      },
      {
        ...task,
        labels: [evil, 'no'],
        positiveLabel: evil,
        arms: { ...task.arms, [evil]: { instructions: evil } },
      },
    );
    // Our own colours are escape sequences too, where there are any.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour begins with
    const left = text.replace(/\u001b\[\d+m/g, '').replaceAll('\n', '');
    expect(left).not.toMatch(/\p{Cc}/u);
    expect(left).not.toContain('owned');
    expect(text).not.toMatch(/^forged line/m);
  });
});
