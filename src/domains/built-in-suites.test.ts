import { describe, expect, it } from 'vitest';
import type { PatientRecord } from '../core/patient-record.ts';
import type { Suite } from '../suites/suite.ts';
import { BUILT_IN_SUITES } from './find-suite.ts';

/** Pinned: a change of any record needs another version of its suite. */
const HASHES: Readonly<Record<string, string>> = {
  'ckd/detection': 'b5dad46f97f53e82ab91658dc371b1bbada9385aac85cb5fd90ed6c90032a857',
  'ckd/staging': '76d6d96f6237dd2ba3a1a73d1654121a8baa5c3977e2be0b6dee009734adf5a8',
  'ckd/progression': '882f1e97a981af75b834b8ba9be68858219e615f901b4b518d161b009db9d9ca',
  'diabetes/diagnosis': '47d9f00462030975de3318c20de1a98298a76551a3323255e7c88497b6bdf752',
  'diabetes/control': '7dbe5f870f295971dc197bce909d2ab4b1e439d4b30055dbc250ed0d9f93e239',
  'diabetes/trend': 'fd6b02d1c591eae6fd491b9165b21057bce74c6e9dfd693104333fd1b4dd0120',
  'hypertension/classification': '0667d5d92837b85a395aab2e48ae20da7ccb89cfb7c41a14902d789ab595360c',
  'hypertension/phenotype': 'ce638607b5865927720cf788f9b3c9ac4d2c4512c31ac5d67df86d3d4b6e5b54',
  'hypertension/treatment': '20e2ac961b3f407b296dd3d361f930e78b485113d005149383185b03bf39d2bc',
  'hypertension/follow_up': 'fc038f6d2c82481c221296c217736341d7d04d8549be35e6fdd3b01fd503ac51',
};

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const share = (records: readonly PatientRecord[], is: (record: PatientRecord) => boolean) =>
  records.filter(is).length / records.length;
const mustDefer = ({ metadata }: PatientRecord) => metadata.should_abstain === true;
const NOT_SAME_DAY = ['egfr_below_10', 'severe_hypertension'];

async function load(name: string, options = {}): Promise<{ suite: Suite; records: PatientRecord[] }> {
  const suite = await BUILT_IN_SUITES.find((one) => one.name === name)!.create(options);
  return { suite, records: await suite.load() };
}

it('are ten', () => {
  expect(BUILT_IN_SUITES).toHaveLength(10);
});

describe.each(BUILT_IN_SUITES.map(({ name }) => name))('%s', (name) => {
  const loaded = load(name);
  const larger = load(name, { seed: 7, nRecords: 4000, testSize: 1 });

  it('is the same as ever', async () => {
    expect((await (await loaded).suite.describe()).hash).toBe(HASHES[name]);
  });

  it('has 15 to 30 % must-defer rows for more than one reason, with any seed', async () => {
    const all = [await loaded, ...(await Promise.all(SEEDS.map((seed) => load(name, { seed }))))];
    for (const [i, { records }] of all.entries()) {
      const deferred = share(records, mustDefer);
      expect([i, deferred >= 0.15 && deferred <= 0.3]).toEqual([i, true]);
    }
    const reasons = new Set(
      (await loaded).records.filter(mustDefer).map(({ metadata }) => String(metadata.should_abstain_reasons)),
    );
    expect(reasons.size).toBeGreaterThan(2);
  });

  it('has enough emergencies for a gate at 10 %: 35 without a miss are the least', async () => {
    const emergencies = (await loaded).records.filter(({ metadata }) => metadata.must_act === true);
    expect(emergencies.length).toBeGreaterThanOrEqual(40);
  });

  it('says of every row whether it must be acted upon, by findings of the same day', async () => {
    for (const { records } of [await loaded, await larger])
      for (const { id, metadata } of records) {
        const reasons = metadata.must_act_reasons as string[];
        const today = reasons.filter((reason) => !NOT_SAME_DAY.includes(reason));
        const mark = today.length > 0 ? true : reasons.length > 0 ? null : false;
        expect([id, metadata.must_act]).toEqual([id, mark]);
      }
  });

  it('never demands deferral in an emergency, and has a label wherever deferring is not right', async () => {
    for (const { label, metadata } of (await larger).records) {
      if (metadata.must_act === true) expect(metadata.should_abstain).not.toBe(true);
      else if (label === null) expect(metadata.should_abstain).toBe(true);
    }
  });

  it('marks rows near a line only where nothing else speaks for deferring', async () => {
    const { records } = await larger;
    for (const { label, metadata } of records) {
      expect(typeof metadata.near_line).toBe('boolean');
      if (metadata.near_line === true) {
        expect(label).not.toBeNull();
        expect(metadata.should_abstain).toBe(true);
        expect(metadata.should_abstain_reasons).toHaveLength(1);
      } else if (metadata.should_abstain === true) expect(label).toBeNull();
    }
    // Detection says that what is shown has lasted, so one sample that varies is no reason to defer.
    expect(records.some(({ metadata }) => metadata.near_line === true)).toBe(name !== 'ckd/detection');
  });

  it('knows its emergencies from what is shown', async () => {
    const { suite, records } = await larger;
    for (const { id, features, metadata } of records)
      expect([id, suite.task.isEmergency!(features)]).toEqual([id, metadata.must_act === true]);
  });
});

describe('what is plausible', () => {
  const shown = async (name: string) =>
    (await load(name, { seed: 7, nRecords: 10_000, testSize: 1 })).records;
  const LOWERING = /sulfonylurea|insulin/;
  type Acute = { readonly [name: string]: number | string | null };
  const readAcute = ({ features }: PatientRecord): Acute =>
    typeof features['Acute measurements'] === 'object' ? (features['Acute measurements'] as Acute) : {};
  const isLow = (acute: Acute) =>
    Number(acute['glucose (mg/dL)'] ?? 999) < 54 || Number(acute['glucose (mmol/L)'] ?? 999) < 3;

  it.each(['diabetes/control', 'diabetes/trend'])(
    'hypoglycaemia only on drugs that cause it: %s',
    async (name) => {
      const low = (await shown(name)).filter(
        (record) => record.label === 'hypoglycaemia' || isLow(readAcute(record)),
      );
      expect(low.length).toBeGreaterThan(200);
      for (const { features } of low) expect(features.Therapy).toMatch(LOWERING);
    },
  );

  it.each(['diabetes/diagnosis', 'diabetes/control', 'diabetes/trend'])(
    'nobody with a pH below 7.1 is awake and needs no help: %s',
    async (name) => {
      const acid = (await shown(name)).map(readAcute).filter(({ pH }) => Number(pH ?? 7.4) < 7.1);
      expect(acid.length).toBeGreaterThan(20);
      for (const { state } of acid) expect(state).not.toBe('awake, needs no help');
    },
  );

  it('white coat is never the answer with severe office pressure and organ damage', async () => {
    const damaged = (await shown('hypertension/phenotype')).filter(({ metadata }) =>
      (metadata.must_act_reasons as string[]).includes('hypertensive_emergency'),
    );
    expect(damaged.length).toBeGreaterThan(200);
    for (const { label } of damaged) expect([null, 'sustained']).toContain(label);
  });

  it('people on drugs have one of the four phenotypes', async () => {
    const treated = (await shown('hypertension/phenotype')).filter(
      ({ features }) => features['Drugs for blood pressure'] !== 'none',
    );
    expect(share(treated, ({ label }) => label !== null)).toBeGreaterThan(0.7);
  });

  it('no risk is shown without its inputs, and none is withheld alone', async () => {
    const inputs = [
      'Total cholesterol (mg/dL)',
      'HDL cholesterol (mg/dL)',
      'Serum creatinine (mg/dL)',
      'Smoking',
      'Takes a statin',
    ];
    for (const { features } of await shown('hypertension/treatment')) {
      const isGap = (value: unknown) => value === null || value === 'not recorded';
      const gaps = inputs.filter((name) => isGap(features[name]));
      const risk = features['10-year risk of cardiovascular disease by PREVENT (%)'];
      expect(gaps.length > 0).toBe(risk === null);
    }
  });

  it.each([
    'hypertension/classification',
    'hypertension/treatment',
    'hypertension/phenotype',
    'hypertension/follow_up',
  ])('organ damage is always an emergency: %s', async (name) => {
    const damage = /weakness of one side|crushing chest pain|lung oedema|creatinine doubled|fundus/;
    for (const { features, metadata } of await shown(name))
      if (damage.test(String(features['Symptoms and signs now']))) expect(metadata.must_act).toBe(true);
  });

  it('what decides nothing is no emergency in diabetes records: haemoglobin and pressure', async () => {
    for (const name of ['diabetes/diagnosis', 'diabetes/control', 'diabetes/trend'])
      for (const { features } of await shown(name)) {
        const [sbp, dbp] = String(features['Blood pressure (mmHg)'] ?? '120/80')
          .split('/')
          .map(Number);
        expect(sbp! < 180 && dbp! < 110).toBe(true);
        expect(Number(features['Haemoglobin (g/dL)'] ?? 10)).toBeGreaterThanOrEqual(7);
        expect(Number(features['Haemoglobin (g/L)'] ?? 100)).toBeGreaterThanOrEqual(70);
      }
  });
});
