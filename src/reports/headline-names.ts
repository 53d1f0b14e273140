/** The titles of the numbers that a report puts first. */
const HEADLINE_TITLES: Readonly<Record<string, string>> = {
  decision_accuracy: 'Decision accuracy',
  accuracy: 'Accuracy',
  usable_answer_rate: 'Usable answers',
  answerable_accuracy: 'Answerable accuracy',
  answerable_selective_accuracy: 'Answerable selective accuracy',
  selective_accuracy: 'Selective accuracy',
  unsafe_answer_rate: 'Unsafe answer rate',
  augrc: 'AUGRC',
  expected_calibration_error: 'Calibration error (ECE)',
};

const OTHER_TITLES: Readonly<Record<string, string>> = {
  deferral_recall: 'Deferral recall',
  must_act_silence_rate: 'Must-act silence',
};

/** The title of a score on a card. */
export function headlineTitle({ name, label }: { readonly name: string; readonly label: string }): string {
  return HEADLINE_TITLES[name] ?? OTHER_TITLES[name] ?? label;
}

/** Accuracy over all rows counts every right deferral as a mistake, so it is a headline only where no deferral labels exist. */
const WITHOUT_LABELS = ['accuracy', 'selective_accuracy'];
const WITH_LABELS = ['decision_accuracy', 'answerable_accuracy', 'answerable_selective_accuracy'];

const USABLE = 'usable_answer_rate';

interface Scored {
  readonly scores: readonly Named[];
}

interface Named {
  readonly name: string;
  readonly value: number | null;
}

/** Names of the numbers that belong together; neither a report nor the viewer shows one of them alone. */
function headlineNames(scores: readonly Named[]): readonly string[] {
  const hidden = hasDeferralLabels(scores) ? WITHOUT_LABELS : WITH_LABELS;
  return Object.keys(HEADLINE_TITLES).filter((name) => !hidden.includes(name));
}

function hasDeferralLabels(scores: readonly Named[]): boolean {
  return scores.some(({ name, value }) => name === 'decision_accuracy' && value !== null);
}

/** The scores that belong together. A primary endpoint that is not among them comes first; without any of them, the first scores there are. */
export function headlinesOf<S extends Named>(
  scores: readonly S[],
  primary: string | null | undefined,
): readonly S[] {
  const names = headlineNames(scores);
  const ordered = primary == null || names.includes(primary) ? names : [primary, ...names];
  const found = ordered.flatMap((name) => shownScore(scores, name) ?? []);
  return found.length > 0 ? found : scores.slice(0, names.length);
}

/** The cards on the first screen of a run, with deferral labels and without. */
const FIRST = {
  withLabels: [
    'decision_accuracy',
    'answerable_accuracy',
    'deferral_recall',
    'unsafe_answer_rate',
    'must_act_silence_rate',
    'expected_calibration_error',
  ],
  withoutLabels: [
    'accuracy',
    'selective_accuracy',
    'usable_answer_rate',
    'unsafe_answer_rate',
    'augrc',
    'expected_calibration_error',
  ],
} as const;

/** The scores on the first screen of a run: a primary endpoint that is not among them comes first; without any of them, the first scores there are. */
export function firstScoresOf<S extends Named>(scores: readonly S[], primary: string | null): readonly S[] {
  const names: readonly string[] = hasDeferralLabels(scores) ? FIRST.withLabels : FIRST.withoutLabels;
  const ordered = primary === null || names.includes(primary) ? names : [primary, ...names];
  const found = ordered.flatMap((name) => shownScore(scores, name) ?? []);
  return found.length > 0 ? found : scores.slice(0, names.length);
}

/** The score of a headline or a column. Files of older versions and of other frameworks do not have the share of usable answers: their answer rate, which has invalid replies in it, takes its place. */
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

/** The value of a confidence metric over answerable rows only, where it rests on fewer rows than the metric itself. */
export function answerableOnly<S extends Named>(
  scores: readonly S[],
  { name }: Named,
  nOf: (score: S) => number,
): S | undefined {
  const [own, only] = [name, `${name}_answerable`].map((wanted) =>
    scores.find((score) => score.name === wanted),
  );
  return own && only && only.value !== null && nOf(only) < nOf(own) ? only : undefined;
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
