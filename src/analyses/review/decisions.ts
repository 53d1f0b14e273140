import { type DecisionFacts, decisionFacts } from '../../core/decision-class.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { type Label, labelKey } from '../../core/label.ts';
import type { Row } from '../../store/tables.ts';

/** A row as reviewers' decisions are compared with it. */
export interface DecidedRow {
  readonly id: string;
  readonly repeat: number;
  /** What the model decided: `label:...`, `defer`, or the state of a reply that is no decision; null where the row failed. */
  readonly model: string | null;
  /** What the suite calls right: `label:...` or `defer`; null where it does not say. */
  readonly suite: string | null;
  readonly facts: DecisionFacts;
  /** What goes together in intervals: the patient, or the record. */
  readonly cluster: string;
}

export function decidedRow(
  row: EvaluationResult & Pick<Row, 'repeat'>,
  clusterKey: string | null,
  actLabels: readonly Label[] = [],
): DecidedRow {
  const { id, repeat, metadata } = row;
  const facts = decisionFacts(row, actLabels);
  const cluster = clusterKey === null ? undefined : metadata[clusterKey];
  return {
    id: id!,
    repeat,
    model: modelDecision(row),
    suite: facts.shouldAbstain === true ? 'defer' : labelDecision(row.groundTruth),
    facts,
    cluster: cluster === undefined || cluster === null ? id! : String(cluster),
  };
}

function modelDecision({ state, prediction }: EvaluationResult): string | null {
  if (state === 'answered') return labelDecision(prediction);
  if (state === 'abstained') return 'defer';
  return state === 'failed' || state === 'not_run' ? null : state;
}

/** A label as a decision; null without one. */
export function labelDecision(label: Label | null): string | null {
  return label === null ? null : `label:${labelKey(label)}`;
}

/** Whether a decision is a label, and not a deferral or a state of a reply. */
export function isLabelDecision(decision: string): boolean {
  return decision.startsWith('label:');
}

/** Urgency as the two categories of a yes/no item. */
export const URGENCIES = ['emergency', 'no_emergency'] as const;

export function urgencyCategory(urgent: boolean): (typeof URGENCIES)[number] {
  return urgent ? 'emergency' : 'no_emergency';
}

/** A decision as people read it, with labels as the task spells them. */
export function decisionText(decision: string, labels: readonly Label[]): string {
  if (!isLabelDecision(decision)) return decision.replaceAll('_', ' ');
  const found = labels.find((label) => labelDecision(label) === decision);
  return found === undefined ? decision.slice('label:'.length) : String(found);
}
