import { contentHash, type PatientRecord } from '../../core/index.ts';
import type { CkdPatient } from './patient.ts';
import texts from './provenance.json' with { type: 'json' };
import type { UciFeature, UciValue } from './source/columns.ts';
import type { UciTable } from './source/read-uci.ts';
import type { CkdTaskName } from './tasks/ckd-task.ts';
import clauses from './trivial-rule.json' with { type: 'json' };

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

/** What would mislead a reader who looks at the score alone, counted one record at a time. */
export class WarningCounts {
  readonly #task: CkdTaskName;
  readonly #table: UciTable | undefined;
  readonly #origins = new Set<unknown>();
  #n = 0;
  #assumed = 0;
  #depends = 0;
  #conflicts = 0;
  #imputed = 0;
  /** Rows on which a trivial rule can be checked, and on which it is right. */
  #checked = 0;
  #right = 0;

  constructor(task: CkdTaskName, table: UciTable | undefined) {
    this.#task = task;
    this.#table = table;
    if (task !== 'detection' || table === undefined) return;
    // On a file, the rule is checked on all of its rows.
    for (const { values, class: truth } of table.rows) this.#checkRule(values, truth === 'ckd');
  }

  add({ values }: Pick<CkdPatient, 'values'>, { label, metadata }: PatientRecord): void {
    this.#n += 1;
    this.#assumed += Number(metadata.sex_assumed === true);
    this.#depends += Number(metadata.stage_depends_on_assumed_sex === true);
    this.#conflicts += Number(metadata.class_contradicts_values === true);
    this.#imputed += (metadata.imputed_features as string[]).length;
    this.#origins.add(metadata.origin);
    if (this.#task === 'detection' && this.#table === undefined && label !== null)
      this.#checkRule(values, label === 'present');
  }

  #checkRule(values: CkdPatient['values'], isPresent: boolean): void {
    this.#checked += 1;
    this.#right += Number(anythingAbnormal(values) === isPresent);
  }

  warnings(): string[] {
    const warnings = this.#task === 'detection' ? [this.#trivialRule()] : [];
    if (this.#table !== undefined) warnings.push(...texts.warnings.uci, ...this.#aboutFile());
    if (this.#origins.size > 1) warnings.push(texts.warnings.mixed);
    if (this.#imputed > 0) warnings.push(texts.warnings.imputed);
    return warnings;
  }

  #trivialRule(): string {
    const where = this.#table === undefined ? 'these records' : 'the whole file';
    const isLookUp = this.#right / this.#checked > 0.95;
    const verdict = isLookUp ? ': detection here is a look-up, and a high score shows little' : '';
    return `A trivial rule ("anything abnormal", eleven clauses) is right on ${this.#right} of ${this.#checked} rows of ${where}${verdict}.`;
  }

  #aboutFile(): string[] {
    const warnings: string[] = [];
    const n = this.#n;
    if (this.#assumed > 0) {
      warnings.push(
        `Sex is not recorded for ${this.#assumed} of ${n} records and was drawn; the stage of ${this.#depends} depends on it. Compare no groups by sex.`,
      );
    }
    if (this.#task === 'detection' && this.#conflicts > 0) {
      warnings.push(
        `The class says the opposite of KDIGO on the values shown in ${this.#conflicts} of ${n} records: they are marked (metadata.class_contradicts_values), have no deferral label, and are scored apart. A perfect reader of the values has an accuracy of at most ${((1 - this.#conflicts / n) * 100).toFixed(1)} %.`,
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
 * there is a look-up, and `krisis describe` says so.
 */
export function anythingAbnormal(values: Readonly<Record<UciFeature, UciValue>>): boolean {
  return (clauses as readonly Clause[]).some(({ column, above = Infinity, below = -Infinity, is }) => {
    const value = values[column];
    return value !== null && (value === is || Number(value) > above || Number(value) < below);
  });
}
