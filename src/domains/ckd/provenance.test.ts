import { describe, expect, it } from 'vitest';
import type { PatientRecord } from '../../core/patient-record.ts';
import type { CkdPatient } from './patient.ts';
import { provenance, WarningCounts } from './provenance.ts';
import { UCI_FEATURES } from './source/columns.ts';
import { inspectUciText } from './source/inspect-text.ts';
import type { UciTable } from './source/read-uci.ts';
import type { CkdTaskName } from './tasks/tasks.ts';

const HEADER = ['id', ...UCI_FEATURES.map(({ name }) => name), 'class'].join(',');
const SICK =
  '63,90,1.010,3,0,abnormal,abnormal,present,notpresent,140,95,4.2,134,39,9.4,29,8800,3.3,yes,yes,no,poor,yes,yes,ckd';
const WELL =
  '35,70,1.020,0,0,normal,normal,notpresent,notpresent,95,28,0.9,141,4.2,14.8,45,7000,5.2,no,no,no,good,no,no,notckd';

function createTable(...rows: string[]): UciTable {
  const { problems, ...table } = inspectUciText([HEADER, ...rows, ''].join('\n'));
  expect(problems).toEqual([]);
  return { path: 'a.csv', ...table };
}
const table = createTable(`a,${SICK},`, `b,${WELL}`);
const patient = (change: Partial<CkdPatient> = {}): CkdPatient => ({
  sourceId: 'p',
  origin: 'uci',
  age: 35,
  sex: 'male',
  sexAssumed: true,
  values: table.rows[1]!.values,
  imputed: {},
  ...change,
});
const record = (label: string | null, metadata: PatientRecord['metadata'] = {}): PatientRecord => ({
  id: 'r',
  features: {},
  label,
  metadata: { origin: 'uci', imputed_features: [], ...metadata },
});

function warningsFor(
  task: CkdTaskName,
  patients: readonly CkdPatient[],
  records: readonly PatientRecord[],
  table: UciTable | undefined,
): string[] {
  const counts = new WarningCounts(task);
  for (const [i, record] of records.entries()) {
    counts.remember(record, patients[i] ?? patient());
    counts.add(record);
  }
  return counts.warnings(table);
}

describe('provenance', () => {
  it('says that no patient of the cohort is real, and whose statistics it uses', () => {
    const given = provenance('cohort', undefined);
    expect(given.source).toContain('none of its patients is real');
    expect(given.statistics).toContain('10.24432/C5G020');
    expect(Object.keys(given)).toEqual(
      expect.arrayContaining(['licence', 'population', 'reference_standard', 'intended_use', 'excluded_use']),
    );
  });

  it('credits the creators of the file, counts repairs, and identifies the rows', () => {
    const given = provenance('uci', table);
    expect(given.source).toMatch(/Rubini.*Soundarapandian.*Eswaran.*10\.24432\/C5G020/);
    expect(given.licence).toContain('CC BY 4.0');
    expect(given.repairs).toMatch(/^1 rows repaired, 1 implausible cells set to missing/);
    expect(given.rows_sha256).toMatch(/^[0-9a-f]{64}$/);
    const other = createTable(`a,${SICK},`, `b,${WELL.replace('141', '142')}`);
    expect(provenance('uci', other).rows_sha256).not.toBe(given.rows_sha256);
    const moved = createTable('', `a,${SICK},`, `b,${WELL}`);
    expect(provenance('uci', moved).rows_sha256).toBe(given.rows_sha256);
  });
});

describe('WarningCounts', () => {
  const well = patient({ origin: 'cohort', sexAssumed: false });
  const sick = patient({ origin: 'cohort', sexAssumed: false, values: table.rows[0]!.values });

  it('counts a trivial rule over the records of the cohort that have a label', () => {
    const patients = [sick, well, sick, sick];
    const records = ['present', 'absent', 'absent', null].map((label) => record(label));
    expect(warningsFor('detection', patients, records, undefined)).toEqual([
      'A trivial rule ("anything abnormal", eleven clauses) is right on 2 of 3 rows of these cases.',
    ]);
    expect(warningsFor('staging', patients, records, undefined)).toEqual([]);
  });

  it('counts it over the whole file, and says what it means', () => {
    const [trivial] = warningsFor('detection', [patient()], [record('absent')], table);
    expect(trivial).toContain('right on 2 of 2 rows of the whole file: detection here is a look-up');
  });

  it('counts assumed sexes, stages that hang on them, and classes that contradict the values', () => {
    const records = [
      record('present', {
        sex_assumed: true,
        stage_depends_on_assumed_sex: true,
        class_contradicts_values: true,
      }),
      record('present', {
        sex_assumed: true,
        stage_depends_on_assumed_sex: false,
        class_contradicts_values: false,
      }),
      record('absent', { sex_assumed: false, class_contradicts_values: false }),
    ];
    const all = warningsFor('detection', [patient()], records, table).join('\n');
    expect(all).toContain('Sex is not recorded for 2 of 3 cases and was drawn; the stage of 1 depends on it');
    expect(all).toContain('says the opposite of KDIGO on the values shown in 1 of 3 cases');
    expect(all).toContain('at most 66.7 %');
    expect(all).toContain('not a healthy population');
    expect(all).toContain('Not assessed: whether a model has seen the UCI file');
    const staging = warningsFor('staging', [patient()], records, table).join('\n');
    expect(staging).not.toMatch(/opposite|trivial rule/);
  });

  it('does not speak of sex where it is known', () => {
    const records = [record('absent', { sex_assumed: false, class_contradicts_values: false })];
    expect(warningsFor('detection', [patient()], records, table).join('\n')).not.toMatch(/Sex|opposite/);
  });

  it('warns of real and synthetic records together, and of imputed values', () => {
    const warnings = (...metadata: PatientRecord['metadata'][]) => {
      const records = metadata.map((one) => record('absent', one));
      return warningsFor(
        'staging',
        metadata.map(() => patient()),
        records,
        table,
      ).join('\n');
    };
    expect(warnings({}, { origin: 'uci_synthetic' })).toContain('never pooled');
    expect(warnings({}, { imputed_features: ['htn'] })).toContain('imputed');
    expect(warnings({}, {})).not.toMatch(/pooled|imputed/);
  });
});
