/** Accuracy over all rows counts every right deferral as a mistake, so it is a headline only where no deferral labels exist. */
const WITHOUT_LABELS = ['accuracy', 'selective_accuracy'];
const WITH_LABELS = [
  'decision_accuracy',
  'decision_accuracy_clear',
  'answerable_accuracy',
  'answerable_selective_accuracy',
];

const USABLE = 'usable_answer_rate';

interface Scored {
  readonly scores: readonly Named[];
}

interface Named {
  readonly name: string;
  readonly value: number | null;
}

/**
 * The score of a headline or a column. Files of other frameworks have no share of usable answers:
 * their answer rate, which includes invalid replies, takes its place.
 */
export function shownScore<S extends Named>(scores: readonly S[], name: string): S | undefined {
  const found = (wanted: string) => scores.find((score) => score.name === wanted);
  return found(name) ?? (name === USABLE ? found('answer_rate') : undefined);
}

/** How many replies were invalid or refused, shown beside the usable answers; null beside any other score, and where there are none. */
export function invalidBeside<S extends Named>(
  scores: readonly S[],
  { name }: Named,
  countOf: (score: S) => number | null | undefined,
): number | null {
  if (name !== USABLE && name !== 'answer_rate') return null;
  const found = scores.find((score) => score.name === 'invalid_rate');
  return (found && countOf(found)) || null;
}

/** The columns of a table of models: accuracy over all rows only where some model has nothing better. */
export function columnsFor(
  titles: Readonly<Record<string, string>>,
  models: readonly Scored[],
): [metric: string, title: string][] {
  const has = ({ scores }: Scored) =>
    scores.some((score) => score.name === 'answerable_accuracy' && score.value !== null);
  const hidden = [...(models.every(has) ? WITHOUT_LABELS : []), ...(models.some(has) ? [] : WITH_LABELS)];
  return Object.entries(titles).filter(([name]) => name === 'decision_accuracy' || !hidden.includes(name));
}
