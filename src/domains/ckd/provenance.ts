import { contentHash } from '../../core/canonical-json.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import type { CkdPatient } from './patient.ts';
import texts from './provenance.json' with { type: 'json' };
import type { UciFeature, UciValue } from './source/columns.ts';
import type { UciTable } from './source/read-uci.ts';
import type { CkdTaskName } from './tasks/tasks.ts';
import clauses from './trivial-rule.json' with { type: 'json' };

/** Where the numbers come from, which population they represent, and which they do not. */
export function provenance(source: 'cohort' | 'uci', table: UciTable | undefined): Record<string, string> {
  if (source === 'cohort') return { ...texts.cohort, ...texts.use };
  return {
    ...texts.uci,
    repairs: `${table?.repairs.length ?? 0} rows repaired, ${table?.screened.length ?? 0} implausible cells set to missing (krisis check lists them)`,
    rows_sha256: contentHash(
      (table?.rows ?? []).map(({ values, class: truth }) => ({ values, class: truth })),
    ),
    ...texts.use,
  };
}

/** What would mislead a reader who looks at the score alone, counted one record at a time. */
export class WarningCounts {
  readonly #task: CkdTaskName;
  /** Whether anything is abnormal, by record: values that a record does not show count too. */
  readonly #abnormal = new WeakMap<PatientRecord, boolean>();
  readonly #origins = new Set<unknown>();
  #n = 0;
  #assumed = 0;
  #depends = 0;
  #conflicts = 0;
  #imputed = 0;
  /** Rows on which the trivial rule can be checked, and on which it is right. */
  #checked = 0;
  #right = 0;

  constructor(task: CkdTaskName) {
    this.#task = task;
  }

  /** Keeps what the warnings need of a patient besides the record. */
  remember(record: PatientRecord, { values }: Pick<CkdPatient, 'values'>): void {
    if (this.#task === 'detection') this.#abnormal.set(record, anythingAbnormal(values));
  }

  add(record: PatientRecord): void {
    const { label, metadata } = record;
    this.#n += 1;
    this.#assumed += Number(metadata.sex_assumed === true);
    this.#depends += Number(metadata.stage_depends_on_assumed_sex === true);
    this.#conflicts += Number(metadata.class_contradicts_values === true);
    this.#imputed += (metadata.imputed_features as string[]).length;
    this.#origins.add(metadata.origin);
    if (label === null) return;
    this.#checked += 1;
    this.#right += Number(this.#abnormal.get(record) === (label === 'present'));
  }

  warnings(table: UciTable | undefined): string[] {
    const warnings = this.#task === 'detection' ? [this.#trivialRule(table)] : [];
    if (table !== undefined) warnings.push(...texts.warnings.uci, ...this.#aboutFile());
    if (this.#origins.size > 1) warnings.push(texts.warnings.mixed);
    if (this.#imputed > 0) warnings.push(texts.warnings.imputed);
    return warnings;
  }

  /** On a file, the rule is checked on all of its rows. */
  #trivialRule(table: UciTable | undefined): string {
    const rows = table?.rows ?? [];
    const checked = table === undefined ? this.#checked : rows.length;
    const right =
      table === undefined
        ? this.#right
        : rows.filter((row) => anythingAbnormal(row.values) === (row.class === 'ckd')).length;
    const where = table === undefined ? 'these cases' : 'the whole file';
    const verdict =
      right / checked > 0.95 ? ': detection here is a look-up, and a high score shows little' : '';
    return `A trivial rule ("anything abnormal", eleven clauses) is right on ${right} of ${checked} rows of ${where}${verdict}.`;
  }

  #aboutFile(): string[] {
    const warnings: string[] = [];
    const n = this.#n;
    if (this.#assumed > 0) {
      warnings.push(
        `Sex is not recorded for ${this.#assumed} of ${n} cases and was drawn; the stage of ${this.#depends} depends on it. Compare no groups by sex.`,
      );
    }
    if (this.#task === 'detection' && this.#conflicts > 0) {
      warnings.push(
        `The class says the opposite of KDIGO on the values shown in ${this.#conflicts} of ${n} cases: they are marked (metadata.class_contradicts_values), have no deferral label, and are scored apart. A perfect reader of the values has an accuracy of at most ${((1 - this.#conflicts / n) * 100).toFixed(1)} %.`,
      );
    }
    return warnings;
  }
}

interface Clause {
  readonly column: UciFeature;
  readonly above?: number;
  readonly below?: number;
  readonly is?: string;
}

/**
 * "Anything abnormal means CKD", in eleven clauses. It is right on 400 of 400 rows of the published UCI file, whose controls all lie inside reference ranges: detection
 * there is a look-up, and `krisis check` says so.
 */
export function anythingAbnormal(values: Readonly<Record<UciFeature, UciValue>>): boolean {
  return (clauses as readonly Clause[]).some(({ column, above = Infinity, below = -Infinity, is }) => {
    const value = values[column];
    return value !== null && (value === is || Number(value) > above || Number(value) < below);
  });
}
