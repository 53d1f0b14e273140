import type { Label, ReviewQueueItem, ReviewShown } from '../api.ts';

/** One thing that a reviewer can say, with the key that says it. */
export interface Choice {
  readonly key: string;
  readonly verdict: string;
  readonly label: Label | null;
  readonly title: string;
  /** What it means; null where the title says it all. */
  readonly meaning: string | null;
}

const KEYS: Readonly<Record<ReviewShown['kind'], readonly Omit<Choice, 'label'>[]>> = {
  item: [
    { key: 'p', verdict: 'present', title: 'Present', meaning: null },
    { key: 'a', verdict: 'absent', title: 'Absent', meaning: null },
    { key: 'c', verdict: 'contradicted', title: 'Contradicted', meaning: null },
    { key: 'u', verdict: 'unclear', title: 'Unclear', meaning: null },
  ],
  record: [
    {
      key: 'd',
      verdict: 'defer',
      title: 'Defer',
      meaning: 'The data shown do not allow a decision: it needs a clinician, or more data.',
    },
    {
      key: 'x',
      verdict: 'cannot_tell',
      title: 'Cannot tell',
      meaning: 'You yourself cannot judge this case, for example because it is outside your field.',
    },
  ],
  suite_item: [
    { key: 'y', verdict: 'right', title: 'Right', meaning: 'The test is right here.' },
    {
      key: 'w',
      verdict: 'wrong',
      title: 'Wrong',
      meaning: 'The test itself is wrong here. Give the reason.',
    },
    {
      key: 'b',
      verdict: 'ambiguous',
      title: 'Ambiguous',
      meaning: 'It can fairly be read in more than one way. Give the reason.',
    },
  ],
};

/** Said beside the decision, never in place of it. */
export const ACT_NOW = {
  key: 't',
  title: 'Act now',
  meaning:
    'Something shown needs action today. Give the decision as well: the two are independent. With a label or Defer, not pressed means no.',
} as const;

/** What a decision says about urgency. Not pressed means no with a decision on the record, and nothing with Cannot tell or Skip. */
export function resolveUrgency(
  { shown }: ReviewQueueItem,
  verdict: string,
  isPressed: boolean,
): boolean | null {
  if (shown.kind !== 'record' || shown.urgencyQuestion === null) return null;
  return isPressed || (verdict === 'label' || verdict === 'defer' ? false : null);
}

/** Urgency in words, to follow a decision. */
export function urgencyText(urgent: boolean | null): string {
  return urgent === null ? '' : urgent ? ', act now' : ', no action today';
}

export const SKIP: Choice = {
  key: 's',
  verdict: 'skip',
  label: null,
  title: 'Skip',
  meaning: 'No label: it counts in no result, and you can come back to it.',
};

/** What can be said of a target: the labels of its task by number, then the verdicts of its kind. */
export function listChoices(
  { shown }: ReviewQueueItem,
  definitions: Readonly<Record<string, string>>,
): readonly Choice[] {
  const labels = shown.kind === 'record' ? shown.labels : [];
  return [
    // A tenth label and those after it have no key.
    ...labels.map((label, i) => ({
      key: i < 9 ? String(i + 1) : '',
      verdict: 'label',
      label,
      title: String(label),
      meaning: null,
    })),
    ...KEYS[shown.kind].map((choice) => ({
      ...choice,
      label: null,
      meaning: definitions[choice.verdict] ?? choice.meaning,
    })),
  ];
}

/** Whether a choice is worth nothing without a reason: that the test is wrong or ambiguous. */
export function needsReason(verdict: string): boolean {
  return verdict === 'wrong' || verdict === 'ambiguous';
}

/** How sure a reviewer is, in steps that the comma and the full stop move through. */
export const CERTAINTIES = [
  { probability: 0.3, title: 'a guess' },
  { probability: 0.5, title: 'unsure' },
  { probability: 0.7, title: 'fairly sure' },
  { probability: 0.9, title: 'sure' },
  { probability: 0.99, title: 'certain' },
] as const;

/** The next step up (1) or down (-1) from a probability; null is "not stated", below the lowest step. */
export function stepCertainty(from: number | null, by: 1 | -1): number | null {
  const at = CERTAINTIES.findIndex(({ probability }) => probability === from);
  const next = Math.min(CERTAINTIES.length - 1, at + by);
  return CERTAINTIES[next]?.probability ?? null;
}

/** `0.7` is `70 %`. */
export function certaintyText(probability: number): string {
  return `${Math.round(probability * 100)}\u00a0%`;
}
