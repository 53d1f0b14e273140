import { contentHash, type PatientRecord } from '../../core/index.ts';
import type { CkdPatient } from './patient.ts';
import texts from './provenance.json' with { type: 'json' };
import type { UciTable } from './source/read-uci.ts';
import type { CkdTaskName } from './tasks/ckd-task.ts';
import { anythingAbnormal } from './trivial-rule.ts';

/** Where the numbers come from, which population they represent, and which they do not. */
export function provenance(source: 'cohort' | 'uci', table: UciTable | undefined): Record<string, string> {
  if (source === 'cohort') return { ...texts.cohort, ...texts.use };
  return {
    ...texts.uci,
    repairs: `${table?.repairs.length ?? 0} rows repaired, ${table?.screened.length ?? 0} implausible cells set to missing (krisis validate lists them)`,
    rows_sha256: contentHash(
      (table?.rows ?? []).map(({ values, class: truth }) => ({ values, class: truth })),
    ),
    ...texts.use,
  };
}

/** What would mislead a reader who looks at the score alone. Iterates over patients and records side by side, several times. */
export function warningsFor(
  task: CkdTaskName,
  patients: Iterable<CkdPatient>,
  records: Iterable<PatientRecord>,
  table: UciTable | undefined,
): string[] {
  const warnings: string[] = [];
  if (task === 'detection') warnings.push(trivialRule(patients, records, table));
  let n = 0;
  let assumed = 0;
  let depends = 0;
  let conflicts = 0;
  let imputed = 0;
  const origins = new Set<unknown>();
  for (const { metadata } of records) {
    n += 1;
    assumed += Number(metadata.sex_assumed === true);
    depends += Number(metadata.stage_depends_on_assumed_sex === true);
    conflicts += Number(metadata.class_contradicts_values === true);
    imputed += (metadata.imputed_features as string[]).length;
    origins.add(metadata.origin);
  }
  if (table !== undefined) {
    warnings.push(...texts.warnings.uci);
    if (assumed > 0) {
      warnings.push(
        `Sex is not recorded for ${assumed} of ${n} records and was drawn; the stage of ${depends} depends on it. Compare no groups by sex.`,
      );
    }
    if (task === 'detection' && conflicts > 0) {
      warnings.push(
        `The class says the opposite of KDIGO on the values shown in ${conflicts} of ${n} records: they are marked (metadata.class_contradicts_values), have no deferral label, and are scored apart. A perfect reader of the values has an accuracy of at most ${((1 - conflicts / n) * 100).toFixed(1)} %.`,
      );
    }
  }
  if (origins.size > 1) warnings.push(texts.warnings.mixed);
  if (imputed > 0) warnings.push(texts.warnings.imputed);
  return warnings;
}

function trivialRule(
  patients: Iterable<CkdPatient>,
  records: Iterable<PatientRecord>,
  table: UciTable | undefined,
): string {
  let right = 0;
  let n = 0;
  const judge = (says: boolean, truth: boolean) => {
    n += 1;
    right += Number(says === truth);
  };
  if (table !== undefined) {
    for (const { values, class: truth } of table.rows) judge(anythingAbnormal(values), truth === 'ckd');
  } else {
    const labels = records[Symbol.iterator]();
    for (const { values } of patients) {
      const { label } = labels.next().value as PatientRecord;
      if (label !== null) judge(anythingAbnormal(values), label === 'present');
    }
  }
  const where = table === undefined ? 'these records' : 'the whole file';
  const verdict = right / n > 0.95 ? ': detection here is a look-up, and a high score shows little' : '';
  return `A trivial rule ("anything abnormal", eleven clauses) is right on ${right} of ${n} rows of ${where}${verdict}.`;
}
