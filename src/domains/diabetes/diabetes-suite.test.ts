import { describe, expect, it } from 'vitest';
import { oneLookShare, suiteBaselines } from '../../analyses/baselines/suite-baselines.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import { controlTask } from './control/task.ts';
import { diabetesSuite } from './diabetes-suite.ts';
import { diagnosisTask } from './diagnosis/task.ts';
import { trendTask } from './trend/task.ts';

const DIABETES_TASKS = ['diagnosis', 'control', 'trend'] as const;
type DiabetesTaskName = (typeof DIABETES_TASKS)[number];
const N = 5_000;
const CONTEXT = 'Clinical context';
const NOTHING = 'nothing special recorded';
const cache = new Map<string, PatientRecord[]>();

function records(task: DiabetesTaskName, units: 'us' | 'si' | 'mixed' = 'mixed'): PatientRecord[] {
  const key = `${task} ${units}`;
  if (!cache.has(key))
    cache.set(key, [...diabetesSuite({ task, units, nRecords: N, testSize: 1 }).stream!()]);
  return cache.get(key)!;
}
/** The whole verdict on a record, must-act with it. */
const ASSESS = { diagnosis: diagnosisTask(0.2), control: controlTask(0.2), trend: trendTask(0.2) };
/** Sums in another order differ in the last digits. */
const sameNumber = (value: number | null) => (value === null ? null : expect.closeTo(value, 9));
const findTask = (name: DiabetesTaskName) => diabetesSuite({ task: name }).task;
const mustDefer = ({ metadata }: PatientRecord) => metadata.should_abstain === true;
const mustAnswer = ({ metadata }: PatientRecord) => metadata.should_abstain === false;
const share = (of: readonly PatientRecord[], holds: (record: PatientRecord) => boolean) =>
  of.filter(holds).length / of.length;
const describeLabel = ({ label, metadata }: PatientRecord) => [
  label,
  metadata.should_abstain,
  metadata.should_abstain_reasons,
  metadata.must_act_reasons,
];

/** The chance that a must-defer row has the larger number. */
function auc(of: readonly PatientRecord[], number: (record: PatientRecord) => number): number {
  const [yes, no] = [of.filter(mustDefer).map(number), of.filter((one) => !mustDefer(one)).map(number)];
  const counts = new Map<number, number>();
  for (const value of no) counts.set(value, (counts.get(value) ?? 0) + 1);
  const values = [...counts.keys()].sort((a, b) => a - b);
  let wins = 0;
  for (const value of yes)
    for (const other of values)
      wins += other < value ? counts.get(other)! : other === value ? counts.get(other)! / 2 : 0;
  return wins / (yes.length * no.length);
}

function mcc(of: readonly PatientRecord[], rule: (record: PatientRecord) => boolean): number {
  let [tp, tn, fp, fn] = [0, 0, 0, 0];
  for (const record of of) {
    const [says, is] = [rule(record), mustDefer(record)];
    if (says && is) tp++;
    else if (says) fp++;
    else if (is) fn++;
    else tn++;
  }
  return (tp * tn - fp * fn) / (Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) || 1);
}

const missing = ({ features }: PatientRecord) =>
  Object.values(features).filter((value) => value === null).length;
const lines = ({ features }: PatientRecord) =>
  ((features.Results ?? features.Visits ?? []) as unknown[]).length;
const kind = (value: unknown) => (typeof value === 'object' && value !== null ? 'object' : value);

describe.each(DIABETES_TASKS)('diabetes/%s', (name) => {
  const all = () => records(name);

  it('defers 15 to 30 % of rows, leaves less than a quarter unlabelled, and no reason is above half', () => {
    expect(share(all(), mustDefer)).toBeGreaterThan(0.15);
    expect(share(all(), mustDefer)).toBeLessThan(0.3);
    expect(share(all(), ({ metadata }) => metadata.should_abstain === null)).toBeLessThan(0.25);
    const reasons = new Map<string, number>();
    const deferred = all().filter(mustDefer);
    for (const { metadata } of deferred)
      for (const reason of metadata.should_abstain_reasons as string[])
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    expect(Math.max(...reasons.values())).toBeLessThan(deferred.length / 2);
    expect(Object.keys(findTask(name).deferralReasons!)).toEqual(expect.arrayContaining([...reasons.keys()]));
  });

  it('defers 15 to 30 % of the default records whatever the seed', () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 42]) {
      const deferred = share([...diabetesSuite({ task: name, seed }).stream!()], mustDefer);
      expect([seed, deferred > 0.155 && deferred < 0.295]).toEqual([seed, true]);
    }
  });

  it('gives must-defer away by no count and by no one field', () => {
    expect(Math.abs(auc(all(), missing) - 0.5)).toBeLessThan(0.1);
    expect(Math.abs(auc(all(), lines) - 0.5)).toBeLessThan(0.15);
    expect(Math.abs(auc(all(), ({ metadata }) => Number(metadata.age)) - 0.5)).toBeLessThan(0.15);
    expect(mcc(all(), ({ features }) => features[CONTEXT] !== NOTHING)).toBeLessThan(0.4);
    const fields = new Set(all().flatMap(({ features }) => Object.keys(features)));
    for (const field of fields) {
      const values = new Set(all().map(({ features }) => kind(features[field])));
      for (const value of values.size <= 30 ? values : [null])
        expect(
          Math.abs(mcc(all(), ({ features }) => kind(features[field]) === value)),
          `${field} ${value}`,
        ).toBeLessThan(0.4);
    }
    for (let n = 0; n <= 8; n++)
      expect(Math.abs(mcc(all(), (record) => lines(record) === n))).toBeLessThan(0.4);
  });

  it('lets every context that can be decided be decided in part', () => {
    const contexts = Map.groupBy(all(), ({ features }) => features[CONTEXT]);
    // With HbA1c alone, a lasting obstacle to it decides: such records are few.
    const isLasting = (of: PatientRecord[]) => name === 'trend' && of.every(({ label }) => label === null);
    expect(share(all(), ({ features }) => isLasting(contexts.get(features[CONTEXT])!))).toBeLessThan(0.06);
    expect(share(all(), ({ features }) => String(features[CONTEXT]).startsWith('pregnant'))).toBeLessThan(
      0.02,
    );
    for (const [context, of] of contexts) {
      if (of.length < 40 || isLasting(of) || String(context).startsWith('pregnant')) continue;
      expect(share(of, mustDefer), String(context)).toBeGreaterThan(0.14);
      expect(share(of, mustDefer), String(context)).toBeLessThan(0.75);
    }
  });

  it('never defers where waiting is unsafe, and has such rows', () => {
    const acting = all().filter(({ metadata }) => metadata.must_act === true);
    expect(acting.length / N).toBeGreaterThan(0.04);
    expect(acting.some(mustDefer)).toBe(false);
    for (const { label, metadata } of all())
      if (label === null) expect(metadata.should_abstain).toBe(metadata.must_act === true ? null : true);
  });

  it('follows from what is shown: guideline-defer is right on every labelled row', () => {
    const { guideline } = findTask(name);
    for (const { features, label, metadata } of all()) {
      expect(guideline!.shouldDefer(features)).toBe(metadata.should_abstain === true);
      if (label !== null) expect(guideline!.answer(features)).toBe(label);
    }
  });

  describe.each([1, 2, 3, 4, 5, 42])('seed %s', (seed) => {
    it('has the same answer in other units on every must-answer row, and the same verdict in 97 % of rows', () => {
      const made = (units: 'us' | 'si') => [
        ...diabetesSuite({ task: name, units, seed, nRecords: N }).stream!(),
      ];
      const [us, si] = [made('us'), made('si')];
      let same = 0;
      for (const [i, one] of us.entries()) {
        const other = si[i]!;
        if (mustAnswer(one) || mustAnswer(other)) expect(other.label).toBe(one.label);
        same += Number(JSON.stringify(describeLabel(one)) === JSON.stringify(describeLabel(other)));
      }
      expect(same / N).toBeGreaterThan(0.97);
    });
  });

  it('prints 35 % of the records in SI units, and a record in one system throughout', () => {
    expect(share(all(), ({ metadata }) => metadata.units === 'si')).toBeCloseTo(0.35, 1);
    expect(JSON.stringify(records(name, 'us'))).not.toMatch(/mmol\/mol|\(mmol\/L\)": [^}]*cholesterol/);
  });

  it('does not depend on sex, ethnicity, age, the order of lines or fields that decide nothing', () => {
    const assess = (features: PatientRecord['features']) => ASSESS[name].decide(features).verdict;
    let nActing = 0;
    for (const { features } of all().slice(0, 2_000)) {
      const { 'Body mass index (kg/m2)': _bmi, 'Waist (cm)': _waist, ...fewer } = features;
      const reversed = Object.fromEntries(
        Object.entries({ ...fewer, Handedness: 'left', Sex: features.Sex === 'female' ? 'male' : 'female' })
          .map(([key, value]) => [key, Array.isArray(value) ? value.toReversed() : value])
          .toReversed(),
      );
      const changed = { ...reversed, 'Age (years)': 60, 'Self-described ethnicity': 'other Hispanic' };
      const verdict = assess(features);
      nActing += verdict.mustAct.length;
      expect(assess(changed)).toEqual({ ...verdict, flipProbability: sameNumber(verdict.flipProbability) });
    }
    expect(nActing).toBeGreaterThan(0);
  });

  it('leaves a gap that deferring without reasoning does not close', async () => {
    const baselines = await suiteBaselines(diabetesSuite({ task: name, nRecords: 2_000, testSize: 0.5 }));
    expect(oneLookShare(baselines)).toBeLessThan(0.7);
    const best = baselines.find(({ model }) => model === 'baseline/guideline-defer');
    expect(best!.scores.decision_accuracy!.value).toBe(1);
  });

  it('shares no person between the parts, and is the same for a seed', async () => {
    const suite = diabetesSuite({ task: name, nRecords: 100 });
    const [test, train] = [await suite.load(), await suite.training!()];
    expect([test.length, train.length]).toEqual([100, 400]);
    expect(new Set([...test, ...train].map(({ id }) => id)).size).toBe(500);
    const { hash } = await suite.describe();
    expect((await diabetesSuite({ task: name, nRecords: 100 }).describe()).hash).toBe(hash);
    const hashes = [{ seed: 43 }, { units: 'si' }, { deferAbove: 0.1 }] as const;
    for (const change of hashes)
      expect((await diabetesSuite({ task: name, nRecords: 100, ...change }).describe()).hash).not.toBe(hash);
  });

  it('names the guideline in every record', () => {
    for (const { id, metadata } of all().slice(0, 100)) {
      expect(id).toMatch(/^diabetes-[0-9a-f]{16}$/);
      expect(metadata.guideline).toMatch(/^ADA Standards of Care 20/);
    }
  });
});

it('asks the same people in all tasks: age, sex and ethnicity', () => {
  const people = (name: DiabetesTaskName) =>
    records(name).map(({ features }) => [
      features['Age (years)'],
      features.Sex,
      features['Self-described ethnicity'],
    ]);
  expect(people('control')).toEqual(people('diagnosis'));
  expect(people('trend')).toEqual(people('diagnosis'));
});

describe('changes that must move the answer of diagnosis', () => {
  const { guideline, labels } = findTask('diagnosis');
  type Line = {
    readonly test: string;
    readonly value: number;
    readonly unit: string;
    readonly measured: string;
  };
  const readResults = (record: PatientRecord) => record.features.Results as unknown as readonly Line[];
  const withResults = (record: PatientRecord, results: readonly object[]) =>
    ({ ...record.features, Results: results }) as PatientRecord['features'];

  it('is not milder with every result 10 % higher', () => {
    for (const record of records('diagnosis', 'us').filter(mustAnswer)) {
      const raised = withResults(
        record,
        readResults(record).map((line) => ({ ...line, value: line.value * 1.1 })),
      );
      expect(labels.indexOf(guideline!.answer(raised)!)).toBeGreaterThanOrEqual(
        labels.indexOf(record.label!),
      );
    }
  });

  it('is diabetes once a single high result is confirmed', () => {
    const lone = records('diagnosis', 'us').filter(
      ({ metadata }) => String(metadata.should_abstain_reasons) === 'unconfirmed_single_result',
    );
    expect(lone.length).toBeGreaterThan(50);
    for (const record of lone) {
      // All results a second time: the high one is then confirmed.
      const confirmed = withResults(record, [...readResults(record), ...readResults(record)]);
      expect(guideline!.answer(confirmed)).toBe('diabetes');
      expect(guideline!.shouldDefer(confirmed)).toBe(false);
    }
  });

  it('must be deferred when red cells were transfused and HbA1c is all there is', () => {
    const only = records('diagnosis', 'us').filter(
      (record) =>
        mustAnswer(record) &&
        record.metadata.must_act === false &&
        readResults(record).every(({ test }) => test === 'HbA1c'),
    );
    expect(only.length).toBeGreaterThan(100);
    for (const { features } of only)
      expect(guideline!.shouldDefer({ ...features, [CONTEXT]: 'red cells transfused three weeks ago' })).toBe(
        true,
      );
  });
});

it('has flip probabilities of the size of the errors that it makes', () => {
  const of = records('diagnosis', 'us').filter(
    ({ label, metadata }) => label !== null && label !== 'diabetes' && metadata.flip_probability !== null,
  );
  for (const zone of [true, null, false]) {
    const rows = of.filter(({ metadata }) => metadata.should_abstain === zone);
    const mean = rows.reduce((sum, { metadata }) => sum + Number(metadata.flip_probability), 0) / rows.length;
    const wrong = share(rows, ({ label, metadata }) => metadata.true_category !== label);
    expect(Math.abs(mean - wrong), `zone ${zone}: ${mean} and ${wrong}`).toBeLessThan(0.2);
  }
});
