import {
  type ActOptions,
  type CaseKind,
  caseKind,
  type DecisionClass,
  type DecisionFacts,
  decisionClass,
  decisionFacts,
  type EmergencyRule,
  emergencyRule,
} from '../../core/decision-class.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { isBlank, type Label } from '../../core/label.ts';
import { ledgerClass } from '../../core/ledger.ts';
import type { Stratum } from '../../core/patient-record.ts';
import { ageBand } from '../../metrics/behaviour/subgroups.ts';

/** One row as a list of records shows it. */
export interface RecordLine {
  readonly id: string;
  readonly repeat: number;
  /** Its class in the ledger. */
  readonly outcome: string;
  /** What the case calls for. */
  readonly case_kind: CaseKind;
  /** How the decision turned out; null for a record that was not asked. */
  readonly decision_class: DecisionClass | null;
  /** Whether the case needs action today; null where that is unknown. */
  readonly must_act: boolean | null;
  /** Whether the model says so; null where it was not asked, or does not say. */
  readonly urgent: boolean | null;
  readonly label: string | null;
  readonly prediction: string | null;
  readonly confidence: number | null;
  readonly should_abstain: boolean | null;
  readonly reasons: readonly string[];
  /** The value of the stratum that the task names; null for a record without one. */
  readonly stratum: string | null;
  /** Values of the keys in `subgroups`, where the record has one. */
  readonly groups: Readonly<Record<string, string>>;
  /** Values of the metadata keys that the filter's `column` names, where the record has one. Default: none were asked for. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** All that a line needs of a row. */
export type LineRow = EvaluationResult & { readonly repeat: number };

/** How rows are broken down, and how they say that a case is urgent. */
export interface LineOptions extends ActOptions {
  readonly stratum: Stratum;
}

/** The rows of a run file as lines of a list. */
export function recordLines(rows: Iterable<LineRow>, options: LineOptions) {
  const values = new SubgroupValues();
  const found: { line: ReturnType<typeof factLine>; facts: DecisionFacts; said: boolean | null }[] = [];
  let anyUrgent = false;
  for (const row of rows) {
    const facts = decisionFacts(row, options.actLabels);
    found.push({ line: factLine(row, options.stratum, values.add(row.metadata)), facts, said: row.urgent });
    if (row.urgent !== null) anyUrgent = true;
  }
  const subgroups = values.subgroups();
  // A key can turn out to have too many values after lines with it were made.
  const known = (groups: RecordLine['groups']) =>
    Object.fromEntries(Object.entries(groups).filter(([key]) => subgroups.has(key)));
  const rule = emergencyRule(options, anyUrgent);
  const lines = found.map(
    ({ line, facts, said }): RecordLine => ({
      ...line,
      ...decision(facts, said, rule),
      groups: known(line.groups),
    }),
  );
  return { lines, subgroups };
}

/** How a row is shown where the rule and the groups of its run are known. */
export interface ShownOptions {
  readonly stratum: Stratum;
  readonly rule: EmergencyRule;
  readonly actLabels: readonly Label[];
  /** The keys that rows can be grouped by. */
  readonly subgroups: Readonly<Record<string, unknown>>;
}

export function recordLine(row: LineRow, { stratum, rule, actLabels, subgroups }: ShownOptions): RecordLine {
  const groups = Object.entries(row.metadata)
    .filter(([key, value]) => Object.hasOwn(subgroups, key) && isScalar(value))
    .map(([key, value]) => [key, groupText(key, value)]);
  return {
    ...factLine(row, stratum, Object.fromEntries(groups)),
    ...decision(decisionFacts(row, actLabels), row.urgent, rule),
  };
}

function decision(facts: DecisionFacts, said: boolean | null, rule: EmergencyRule) {
  const isStated = rule === 'label' || (rule === 'urgency' && said !== null);
  return {
    case_kind: caseKind(facts),
    // Nothing was decided on a record that was not asked.
    decision_class: facts.state === 'not_run' ? null : decisionClass(facts, rule),
    must_act: facts.mustAct,
    urgent: isStated && facts.state !== 'not_run' ? facts.urgent : null,
    should_abstain: facts.shouldAbstain,
  };
}

function factLine(row: LineRow, stratum: Stratum, groups: RecordLine['groups']) {
  const { should_abstain_reasons: reasons } = row.metadata;
  const value = row.metadata[stratum.key] ?? null;
  return {
    id: row.id!,
    repeat: row.repeat,
    outcome: ledgerClass(row),
    label: labelText(row.groundTruth),
    prediction: labelText(row.prediction),
    confidence: row.confidence,
    reasons: Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [],
    stratum: value === null ? null : String(value),
    groups,
  };
}

function labelText(label: Label | null): string | null {
  return isBlank(label) ? null : String(label);
}

/** A key with more values than this is not worth choosing from: an id, a measurement. */
const MAX_VALUES = 50;

/** Collects the metadata keys that rows can be grouped by, and their values. */
export class SubgroupValues {
  readonly #values = new Map<string, Set<string>>();

  /** Enters a row and returns its groups. */
  add(metadata: EvaluationResult['metadata']): Record<string, string> {
    const groups: [string, string][] = [];
    for (const [key, value] of Object.entries(metadata)) {
      if (!isGroupKey(key) || !isScalar(value)) continue;
      const known = this.#values.get(key) ?? new Set();
      this.#values.set(key, known);
      const group = groupText(key, value);
      // One value too many is enough to rule out the key.
      if (known.size <= MAX_VALUES) known.add(group);
      if (known.size <= MAX_VALUES) groups.push([key, group]);
    }
    return Object.fromEntries(groups);
  }

  /** Keys with few values, and these in order of appearance. */
  subgroups(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map([...this.#values].filter(([, { size }]) => size <= MAX_VALUES));
  }
}

/** A filter is written `key:value`, so a key with a colon cannot be part of one. */
function isGroupKey(key: string): boolean {
  return key !== 'should_abstain' && !key.includes(':');
}

/** Ages are grouped in the bands that they are scored in. */
function groupText(key: string, value: unknown): string {
  return key === 'age' ? ageBand(String(value)) : String(value);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
