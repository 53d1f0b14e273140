import {
  type ActOptions,
  type CaseKind,
  caseKind,
  type DecisionClass,
  type DecisionFacts,
  decisionClass,
  decisionFacts,
  type EmergencyRule,
  type EvaluationResult,
  emergencyRule,
  isBlank,
  type Label,
  ledgerClass,
  type Stratum,
} from '../../core/index.ts';
import { SubgroupValues } from './subgroup-values.ts';

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

interface RecordLines {
  readonly lines: readonly RecordLine[];
  /** Metadata keys that rows can be grouped by, with their values in order of appearance. */
  readonly subgroups: ReadonlyMap<string, ReadonlySet<string>>;
}

/** How rows are broken down, and how they say that a case is urgent. */
export interface LineOptions extends ActOptions {
  readonly stratum: Stratum;
}

/** The rows of a run file as lines of a list. */
export function recordLines(rows: Iterable<LineRow>, options: LineOptions): RecordLines {
  const values = new SubgroupValues();
  const found: { line: Omit<RecordLine, keyof Decision>; facts: DecisionFacts; said: boolean | null }[] = [];
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
  return {
    lines: found.map(({ line, facts, said }) => ({
      ...line,
      ...decision(facts, said, rule),
      groups: known(line.groups),
    })),
    subgroups,
  };
}

/** How one row of a run is shown whose rule is known. */
export interface RuledOptions {
  readonly stratum: Stratum;
  readonly rule: EmergencyRule;
  readonly actLabels: readonly Label[];
}

export function recordLine(
  row: LineRow,
  { stratum, rule, actLabels }: RuledOptions,
  groups: RecordLine['groups'],
): RecordLine {
  return {
    ...factLine(row, stratum, groups),
    ...decision(decisionFacts(row, actLabels), row.urgent, rule),
  };
}

type Decision = Pick<RecordLine, 'case_kind' | 'decision_class' | 'must_act' | 'urgent' | 'should_abstain'>;

function decision(facts: DecisionFacts, said: boolean | null, rule: EmergencyRule): Decision {
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

function factLine(
  row: LineRow,
  stratum: Stratum,
  groups: RecordLine['groups'],
): Omit<RecordLine, keyof Decision> {
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
