import { type Label, labelKey } from '../../core/index.ts';
import type { StoredRow } from '../../store/index.ts';

/** A row as reviewers' decisions are compared with it. */
export interface DecidedRow {
  readonly id: string;
  readonly repeat: number;
  /** What the model decided: `label:...`, `defer`, or the state of a reply that is no decision; null where the row failed. */
  readonly model: string | null;
  /** What the suite calls right: `label:...` or `defer`; null where it does not say. */
  readonly suite: string | null;
  /** Whether staying silent is unsafe, as the suite says. */
  readonly mustAct: boolean;
  /** What goes together in intervals: the patient, or the record. */
  readonly cluster: string;
}

type Row = Pick<StoredRow, 'id' | 'repeat' | 'state' | 'prediction' | 'groundTruth' | 'metadata'>;

export function decidedRow(row: Row, clusterKey: string | null): DecidedRow {
  const { id, repeat, metadata } = row;
  const cluster = clusterKey === null ? undefined : metadata[clusterKey];
  return {
    id: id!,
    repeat,
    model: modelDecision(row),
    suite: metadata.should_abstain === true ? 'defer' : labelDecision(row.groundTruth),
    mustAct: metadata.must_act === true,
    cluster: cluster === undefined || cluster === null ? id! : String(cluster),
  };
}

function modelDecision({ state, prediction }: Row): string | null {
  if (state === 'answered') return labelDecision(prediction);
  if (state === 'abstained') return 'defer';
  return state === 'failed' || state === 'not_run' ? null : state;
}

/** A label as a decision; null without one. */
export function labelDecision(label: Label | null): string | null {
  return label === null ? null : `label:${labelKey(label)}`;
}

/** The model's decision as a person's can be compared with it: a person who says "act" agrees with every answer, for silence alone is against that. */
export function modelBeside({ model }: Pick<DecidedRow, 'model'>, human: string): string | null {
  return human === 'act' && model?.startsWith('label:') ? 'act' : model;
}

/** The suite's decision likewise: on a record that must be acted on, "act" is as right as the label. */
export function suiteBeside(
  { suite, mustAct }: Pick<DecidedRow, 'suite' | 'mustAct'>,
  human: string,
): string | null {
  return human === 'act' && mustAct ? 'act' : suite;
}

/** A decision as people read it, with labels as the task spells them. */
export function decisionText(decision: string, labels: readonly Label[]): string {
  if (!decision.startsWith('label:')) return decision.replaceAll('_', ' ');
  const found = labels.find((label) => labelDecision(label) === decision);
  return found === undefined ? decision.slice('label:'.length) : String(found);
}
