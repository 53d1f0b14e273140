import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { featureText, type PatientRecord } from '../../core/patient-record.ts';
import { suiteHash } from '../../suites/suite-hash.ts';
import { CkdSuite, type CkdSuiteOptions } from './ckd-suite.ts';
import { type TrajectoryPoint, trueCourse } from './cohort/true-course.ts';
import { ckdEpi2021 } from './equations/ckd-epi.ts';
import { caseFromFeatures } from './features.ts';

const UCI = '../shared/data/ckd/ckd_full.csv';
const ARFF = '../shared/data/ckd/chronic_kidney_disease_full.arff';
const tasks = ['detection', 'staging', 'progression'] as const;
const share = (records: readonly PatientRecord[], of: (record: PatientRecord) => boolean) =>
  records.filter(of).length / records.length;

describe.each(tasks)('ckd/%s on the cohort', (task) => {
  const suite = new CkdSuite({ task });
  const all = Promise.all([suite.load(), suite.training()]).then((parts) => parts.flat());

  it('gives 1,000 records to evaluate, 4,000 to learn from, none in both', async () => {
    expect(await suite.load()).toHaveLength(1000);
    expect(await suite.training()).toHaveLength(4000);
    expect(new Set((await all).map(({ id }) => id)).size).toBe(5000);
  });

  it('has no label and no deferral that a reader of the record could not recompute', async () => {
    for (const record of await all) {
      const { label, metadata, features } = record;
      const answer = suite.task.guideline!.answer(features);
      const truth = metadata.true_trajectory as TrajectoryPoint[] | undefined;
      expect([record.id, label]).toEqual([
        record.id,
        task === 'progression' ? (answer === null ? null : trueCourse(truth!)) : answer,
      ]);
      expect([record.id, metadata.should_abstain === true && label !== null]).toEqual([
        record.id,
        suite.task.guideline!.shouldDefer(features) && label !== null,
      ]);
      const egfr = ckdEpi2021(caseFromFeatures(features));
      expect(metadata.egfr).toBe(egfr === null ? null : Math.round(egfr * 100) / 100);
    }
  });

  it('has rows without a label only where deferring is right, and in emergencies', async () => {
    for (const { label, metadata } of await all)
      if (label === null) expect(metadata.should_abstain).toBe(metadata.must_act === true ? null : true);
  });

  it('has every label, must-defer rows of several reasons, and rows where silence is unsafe', async () => {
    const { labels, deferral, mustAct } = await suite.describe();
    expect(labels.filter(({ n }) => n >= 50)).toHaveLength(suite.task.labels.length + 1);
    expect(deferral.mustDefer).toBeGreaterThan(100);
    expect(deferral.mustAnswer).toBeGreaterThan(300);
    expect(deferral.reasons.length).toBeGreaterThan(5);
    expect(mustAct.emergencies).toBeGreaterThanOrEqual(40);
    expect(mustAct.emergencies + mustAct.none + mustAct.open).toBe(1000);
    expect(mustAct.reasons.map(({ name }) => name).sort()).toEqual([
      'egfr_below_10',
      'haemoglobin_below_7',
      'potassium_6.5_or_more',
      'sodium_above_160',
      'sodium_below_120',
    ]);
    expect(mustAct.openReasons).toEqual([{ name: 'egfr_below_10', n: mustAct.open }]);
  });

  it('never demands silence where it would be unsafe', async () => {
    for (const { metadata } of await all)
      if (metadata.must_act === true) expect(metadata.should_abstain).not.toBe(true);
  });

  it('is the same every time, and another with another seed', async () => {
    const { hash } = await suite.describe();
    expect((await new CkdSuite({ task }).describe()).hash).toBe(hash);
    expect((await new CkdSuite({ task, seed: 43 }).describe()).hash).not.toBe(hash);
  });

  it('says nothing of labels or metadata in what is shown', async () => {
    const shown = (await suite.load()).map(({ features }) => featureText(features));
    for (const text of shown)
      expect(text).not.toMatch(/egfr|should_abstain|flip|must_act|trajectory|G3a|KDIGO|\bstage\b|cohort/i);
    for (const arm of Object.values(suite.task.arms))
      expect(arm.instructions).not.toMatch(/should_abstain|flip_probability/);
  });

  it('gives no rule, threshold or number away in the natural arm', () => {
    const instructions = suite.task.arms.natural!.instructions.replace('CKD-EPI 2021 creatinine', '');
    expect(instructions).not.toMatch(/CKD-EPI|threshold|margin|mL\/min|%|\b(90|60|45|30|15|25)\b/);
    expect(instructions).toContain('Abstain when the data do not support a safe answer.');
  });

  it('does not reveal the label through sex or gaps', async () => {
    const records = (await all).filter(({ label }) => label !== null);
    const female = ({ metadata }: PatientRecord) => metadata.sex === 'female';
    const gaps = ({ features }: PatientRecord) =>
      Object.values(features).filter((value) => value === null).length > 3;
    for (const label of suite.task.labels) {
      const those = records.filter((record) => record.label === label);
      expect(Math.abs(share(those, female) - 0.5), `female, ${label}`).toBeLessThan(0.08);
      expect(Math.abs(share(those, gaps) - share(records, gaps)), `gaps, ${label}`).toBeLessThan(0.08);
    }
  });
});

describe('CkdSuite options', () => {
  it('counts the people left out, in memory and while streaming alike, and none where nobody is', async () => {
    const options = { task: 'progression', nRecords: 400 } as const;
    const streaming = new CkdSuite({ ...options, testSize: 1 });
    expect(streaming.canStream()).toBe(true);
    const { excluded, nRecords } = await streaming.describe();
    const reasons = excluded!.map(({ reason }) => reason).sort();
    expect(reasons).toEqual(['course_between_definitions', 'under_18_at_first_visit']);
    expect(nRecords).toBe(400);
    const { excluded: all } = await new CkdSuite({ ...options, nRecords: 320, testSize: 0.8 }).describe();
    expect(all!.toSorted((a, b) => a.n - b.n)).toEqual(excluded!.toSorted((a, b) => a.n - b.n));
    expect((await new CkdSuite({ task: 'staging', nRecords: 20 }).describe()).excluded).toEqual([]);
  });

  it('says its version', async () => {
    const { settings } = await new CkdSuite({ task: 'staging', nRecords: 5 }).describe();
    expect(settings).toMatchObject({ version: 3 });
  });

  it('shows eGFR only in the arm that is for it, and the same as the label rests on', async () => {
    const suite = new CkdSuite({ task: 'staging', nRecords: 50 });
    const { show } = suite.task.arms.egfr_shown!;
    const [record] = (await suite.load()).filter(({ label }) => label !== null);
    const added = Object.entries(show!(record!.features)).filter(([name]) => !(name in record!.features));
    expect(added).toEqual([
      ['Estimated GFR (CKD-EPI 2021, mL/min/1.73 m2)', Math.round(record!.metadata.egfr as number)],
    ]);
  });

  it('splits stage 3 when asked', async () => {
    const suite = new CkdSuite({ task: 'staging', splitStage3: true });
    expect(suite.task.labels).toEqual([1, 2, '3a', '3b', 4, 5]);
    const records = await suite.load();
    expect(records.filter(({ label }) => label === '3a').length).toBeGreaterThan(30);
  });

  it('shows the reduced set, with age and sex', async () => {
    const [record] = await new CkdSuite({ task: 'detection', features: 'reduced', nRecords: 5 }).load();
    expect(Object.keys(record!.features)).toHaveLength(12 + 4);
    expect(Object.keys(record!.features).slice(0, 2)).toEqual(['Age (years)', 'Sex']);
  });

  it('imputes only what was not measured, marks it, and moves no label', async () => {
    const options = { task: 'detection', nRecords: 60 } as const;
    const kept = await new CkdSuite(options).load();
    const filled = await new CkdSuite({ ...options, missing: 'impute' }).load();
    filled.forEach((record, i) => {
      expect([record.label, record.metadata.should_abstain]).toEqual([
        kept[i]!.label,
        kept[i]!.metadata.should_abstain,
      ]);
      for (const [name, value] of Object.entries(record.features)) {
        const before = kept[i]!.features[name];
        if (before !== null) expect(value).toBe(before);
        else if (value !== null) expect(value).toMatch(/\(imputed, not measured\)$/);
        else
          expect([
            'Serum creatinine (mg/dL)',
            'Age (years)',
            'Urine albumin-creatinine ratio (mg/g)',
          ]).toContain(name);
      }
    });
    expect(filled.some(({ metadata }) => (metadata.imputed_features as string[]).length > 0)).toBe(true);
  });

  it.each([
    [{ task: 'triage' as 'staging' }, 'task is "triage"'],
    [{ task: 'staging', source: 'uci' }, 'needs the file'],
    [{ task: 'progression', dataPath: UCI }, 'one visit per patient'],
    [{ task: 'staging', source: 'cohort', dataPath: UCI }, 'takes no data file'],
    [{ task: 'staging', nSynthetic: 5 }, 'nSynthetic is for source "uci"'],
    [{ task: 'staging', nRecords: 0 }, 'nRecords is 0'],
    [{ task: 'staging', testSize: 2 }, 'testSize is 2'],
  ] satisfies [CkdSuiteOptions, string][])('refuses %j', (options, message) => {
    expect(() => new CkdSuite(options)).toThrow(message);
  });
});

describe.skipIf(!existsSync(UCI))('on the UCI file (skipped where ../shared/data/ckd is absent)', () => {
  it('gives the file its own class as detection label, and sets contradictions apart: 32 of 400', async () => {
    const records = await new CkdSuite({ task: 'detection', dataPath: UCI }).load();
    expect(records).toHaveLength(80);
    for (const { label, metadata } of records)
      expect(label).toBe(metadata.uci_class === 'ckd' ? 'present' : 'absent');
    const all = [...records, ...(await new CkdSuite({ task: 'detection', dataPath: UCI }).training())];
    const contradicting = all.filter(({ metadata }) => metadata.class_contradicts_values === true);
    expect([contradicting.length, all.length]).toEqual([32, 400]);
    for (const { metadata } of contradicting) expect(metadata.should_abstain).toBeNull();
  });

  it('gives records in an order that is blind to the class', async () => {
    const labels = (await new CkdSuite({ task: 'detection', dataPath: UCI }).load()).map(
      ({ label }) => label,
    );
    const changes = labels.filter((label, i) => i > 0 && label !== labels[i - 1]).length;
    expect(changes).toBeGreaterThan(20);
  });

  it('is the same from CSV and from ARFF, and from two loads', async () => {
    const hash = async (dataPath: string) => {
      const suite = new CkdSuite({ task: 'staging', dataPath });
      return suiteHash(suite.task, await suite.load());
    };
    expect(await hash(ARFF)).toBe(await hash(UCI));
  });

  it('draws sex by nothing but seed and id, and says which stages depend on it', async () => {
    const records = await new CkdSuite({ task: 'staging', dataPath: UCI, testSize: 0.9 }).load();
    expect(records.every(({ metadata }) => metadata.sex_assumed === true)).toBe(true);
    const female = share(records, ({ metadata }) => metadata.sex === 'female');
    expect(Math.abs(female - 0.5)).toBeLessThan(0.09);
    const depends = share(records, ({ metadata }) => metadata.stage_depends_on_assumed_sex === true);
    // Counted apart from this code: 133 of the 400 rows (by G category, with 3a and 3b, 162).
    expect(Math.abs(depends - 133 / 400)).toBeLessThan(0.03);
  });

  it('recomputes every staging label from what is shown', async () => {
    const suite = new CkdSuite({ task: 'staging', dataPath: UCI, nSynthetic: 100 });
    for (const { label, features } of await suite.load())
      expect(label).toBe(suite.task.guideline!.answer(features));
  });

  it('says that a trivial rule scores 400 of 400, and that real and synthetic must not be pooled', async () => {
    const { warnings, origins } = await new CkdSuite({
      task: 'detection',
      dataPath: UCI,
      nSynthetic: 30,
    }).describe();
    expect(warnings.join('\n')).toContain('right on 400 of 400 rows');
    expect(warnings.join('\n')).toContain('never pooled');
    expect(origins).toEqual([
      { name: 'uci', n: 80 },
      { name: 'uci_synthetic', n: 30 },
    ]);
  });
});
