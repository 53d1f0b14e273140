import { isBlank, type Label, type LabelKey, labelKey } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';

/** The answer of a reply to one case. */
export interface ParsedAnswer {
  readonly prediction: Label | null;
  readonly abstained: boolean;
  /** As stated, even outside 0 to 1: metrics count such values as invalid. Null when no number was stated. */
  readonly confidence: number | null;
  /** Why the answer breaks the schema; such an answer is wrong, never an abstention. */
  readonly invalid?: string;
}

export type AnswerEntry = Readonly<Record<string, unknown>>;

/** Reads one entry strictly: `abstained` must be a boolean, and a label must be one of the task's. */
export function readAnswer(entry: AnswerEntry, { labels }: Pick<Task, 'labels'>): ParsedAnswer {
  const abstained = own(entry, 'abstained');
  const given = own(entry, 'prediction');
  const confidence = finiteNumber(own(entry, 'confidence'));
  const asGiven = typeof given === 'string' ? given : finiteNumber(given);
  const invalid = (reason: string) => ({
    prediction: asGiven,
    abstained: false,
    confidence,
    invalid: reason,
  });

  if (abstained === undefined) return invalid('abstained_missing');
  if (typeof abstained !== 'boolean') return invalid('abstained_is_no_boolean');
  if (abstained) return { prediction: null, abstained, confidence };
  if (given === undefined || given === null) return invalid('no_answer');
  if (!mayBeLabel(given, labels)) return invalid('prediction_is_no_label');
  if (isBlank(given)) return invalid('no_answer');
  const label = labelsByKey(labels).get(labelKey(given));
  return label === undefined ? invalid('label_not_in_task') : { prediction: label, abstained, confidence };
}

/** A boolean would be compared as 0 or 1, so it counts only where the task's labels are booleans. */
function mayBeLabel(value: unknown, labels: Task['labels']): value is Label {
  if (typeof value === 'boolean') return labels.some((label) => typeof label === 'boolean');
  return typeof value === 'string' || typeof value === 'number';
}

const keysOfLabels = new WeakMap<Task['labels'], Map<LabelKey, Label>>();

/** Labels by their key and by the key of their text: the schema asks for labels as text, and `true` and `"true"` have different keys. */
function labelsByKey(labels: Task['labels']): Map<LabelKey, Label> {
  let byKey = keysOfLabels.get(labels);
  if (!byKey) {
    byKey = new Map([
      ...labels.map((label) => [labelKey(String(label)), label] as const),
      ...labels.map((label) => [labelKey(label), label] as const),
    ]);
    keysOfLabels.set(labels, byKey);
  }
  return byKey;
}

function finiteNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function own(entry: AnswerEntry, key: string): unknown {
  return Object.hasOwn(entry, key) ? entry[key] : undefined;
}
