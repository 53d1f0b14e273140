import { type Label, type LabelKey, labelKey } from '../core/label.ts';
import type { PatientRecord, Stratum } from '../core/patient-record.ts';
import type { Counted, Suite, SuiteDescription } from './suite.ts';
import type { AnyTask } from './task.ts';

type Counts = Pick<
  SuiteDescription,
  'nRecords' | 'labels' | 'origins' | 'deferral' | 'mustAct' | 'missing' | 'strata'
>;

/** What a suite's own definition says in its description; what records say is counted. */
export function describeSuite({
  name,
  task,
  sensitivity,
}: Pick<Suite<AnyTask>, 'name' | 'task' | 'sensitivity'>): Pick<SuiteDescription, Described> {
  return {
    name,
    task: task.id,
    domain: name.split('/')[0]!,
    sensitivity: sensitivity ?? 'protected',
    nTraining: 0,
    arms: Object.keys(task.arms),
    primaryEndpoint: task.primaryEndpoint,
    settings: {},
    provenance: {},
    warnings: [],
  };
}

type Described = Exclude<keyof SuiteDescription, keyof Counts | 'hash'>;

const NO_LABEL = 'none (no answer follows)';

/** Counts what any suite's records can hold: labels, gaps, and `should_abstain`, `should_abstain_reasons`, `must_act`, `must_act_reasons`, `origin` and the stratum in their metadata. */
export function describeRecords(
  records: Iterable<PatientRecord>,
  labels: readonly Label[],
  stratum: Stratum,
): Counts {
  const counts = new RecordCounts(stratum);
  for (const record of records) counts.add(record);
  return counts.counts(labels);
}

const CODE = /^[a-z0-9]+(_[a-z0-9]+)+$/;
const MAX_CODE = 40;

/** Whether a reason is a code: one that the task declares, or words in snake_case. Anything else is text that was written about a patient. */
export function isReasonCode(
  reason: string,
  task: { readonly deferralReasons?: Readonly<Record<string, unknown>> | null | undefined } | null,
): boolean {
  const declared = task?.deferralReasons;
  const isDeclared = declared != null && Object.hasOwn(declared, reason);
  return isDeclared || (reason.length <= MAX_CODE && CODE.test(reason));
}

/** The counts of a protected suite as a run file may hold them: reasons in words are counted together, and origins only where the suite groups by them. */
export function withoutFreeText(
  counts: Counts,
  { sensitivity, task, groups = [] }: Pick<Suite<AnyTask>, 'sensitivity' | 'task' | 'groups'>,
): Counts {
  if ((sensitivity ?? 'protected') !== 'protected') return counts;
  const byCode = (reasons: readonly Counted[]) => {
    const known = reasons.filter(({ name }) => isReasonCode(name, task));
    const sum = (counted: readonly Counted[]) => counted.reduce((total, { n }) => total + n, 0);
    const nOther = sum(reasons) - sum(known);
    return nOther === 0 ? known : [...known, { name: 'other', n: nOther }];
  };
  return {
    ...counts,
    origins: groups.includes('origin') ? counts.origins : [],
    deferral: { ...counts.deferral, reasons: byCode(counts.deferral.reasons) },
    mustAct: {
      ...counts.mustAct,
      reasons: byCode(counts.mustAct.reasons),
      openReasons: byCode(counts.mustAct.openReasons),
    },
  };
}

/** The same, one record at a time, for callers that iterate over the records anyway. */
export class RecordCounts {
  /** By label key; null for rows without a label. */
  readonly #labels = new Map<LabelKey | null, number>();
  readonly #origins = new Tally();
  readonly #reasons = new Tally();
  readonly #mustAct = { emergencies: 0, none: 0, open: 0 };
  readonly #actReasons = new Tally();
  readonly #openReasons = new Tally();
  readonly #missing = new Tally();
  readonly #strata = new Tally();
  readonly #deferral = { mustDefer: 0, mustAnswer: 0, unlabelled: 0 };
  readonly #stratum: Stratum;
  #n = 0;

  constructor(stratum: Stratum) {
    this.#stratum = stratum;
  }

  add({ label, metadata, features }: PatientRecord): void {
    this.#n += 1;
    const key = label === null ? null : labelKey(label);
    this.#labels.set(key, (this.#labels.get(key) ?? 0) + 1);
    for (const origin of texts(metadata.origin)) this.#origins.add(origin);
    const { must_act: mustAct } = metadata;
    this.#mustAct[mustAct === true ? 'emergencies' : mustAct === false ? 'none' : 'open'] += 1;
    const tally = mustAct === true ? this.#actReasons : this.#openReasons;
    for (const reason of texts(metadata.must_act_reasons)) tally.add(reason);
    for (const name in features) if (features[name] === null) this.#missing.add(name);
    this.#strata.add(`${this.#stratum.label} ${metadata[this.#stratum.key] ?? 'none'}`);
    if (metadata.should_abstain === true) {
      this.#deferral.mustDefer += 1;
      for (const reason of texts(metadata.should_abstain_reasons)) this.#reasons.add(reason);
    } else if (metadata.should_abstain === false) this.#deferral.mustAnswer += 1;
    else this.#deferral.unlabelled += 1;
  }

  counts(labels: readonly Label[]): Counts {
    // In the order and spelling of the task; rows without a label last.
    const named = [
      ...labels.map((label) => [labelKey(label), String(label)] as const),
      [null, NO_LABEL] as const,
    ];
    return {
      nRecords: this.#n,
      labels: named.flatMap(([key, name]) =>
        this.#labels.has(key) ? [{ name, n: this.#labels.get(key)! }] : [],
      ),
      origins: this.#origins.counts(),
      deferral: { ...this.#deferral, reasons: this.#reasons.counts() },
      mustAct: {
        ...this.#mustAct,
        reasons: this.#actReasons.counts(),
        openReasons: this.#openReasons.counts(),
      },
      missing: this.#missing.counts(),
      strata: this.#strata.counts().sort((a, b) => a.name.localeCompare(b.name)),
    };
  }
}

class Tally {
  readonly #n = new Map<string, number>();

  add(name: string): void {
    this.#n.set(name, (this.#n.get(name) ?? 0) + 1);
  }

  /** Commonest first; equal ones by name. */
  counts(): Counted[] {
    return [...this.#n]
      .map(([name, n]) => ({ name, n }))
      .sort((a, b) => b.n - a.n || a.name.localeCompare(b.name, 'en', { numeric: true }));
  }
}

function texts(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
