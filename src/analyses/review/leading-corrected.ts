interface Corrected {
  readonly name: string;
  readonly label: string;
  readonly metric: string;
  readonly corrected: {
    readonly value: number;
    readonly lower: number | null;
    readonly upper: number | null;
  } | null;
}

/** The corrected scores that lead where people disagreed with the judge: what answers have of the required items, and avoid of the forbidden ones; any other only where there is neither. */
export function leadingCorrected(scores: readonly Corrected[]) {
  const found = scores.flatMap(({ name, label, metric, corrected }) =>
    corrected === null ? [] : [{ name, label, metric, ...corrected }],
  );
  const pooled = found.filter(
    ({ name, metric }) => !name.endsWith('.mean') && (metric === 'recall' || metric === 'specificity'),
  );
  return pooled.length > 0 ? pooled : found.slice(0, 1);
}
