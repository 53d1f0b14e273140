import type { ComparedModel, FlipAnswer, PairedComparison } from '../results/index.ts';

/** A column of the table of models. Accuracy never stands alone, and no column is the one to sort by. */
interface ModelColumn {
  readonly title: string;
  cell(model: ComparedModel): string;
}

function score(metric: string, title: string): ModelColumn {
  return {
    title,
    cell: ({ scores }) => {
      const found = scores.find(({ name }) => name === metric);
      if (found === undefined || found.value === null) return '-';
      const { interval, bounds, value } = found;
      const range = interval === null ? '' : ` (${interval.lower.toFixed(3)}-${interval.upper.toFixed(3)})`;
      const could = bounds === null ? '' : ` [${bounds.lower.toFixed(3)}-${bounds.upper.toFixed(3)}]`;
      return `${value.toFixed(3)}${range}${could}`;
    },
  };
}

export const CORRECTNESS_COLUMNS: readonly ModelColumn[] = [
  { title: 'n', cell: ({ nScored }) => String(nScored) },
  score('decision_accuracy', 'decision accuracy'),
  score('accuracy', 'accuracy'),
  score('balanced_accuracy', 'balanced accuracy'),
  score('selective_accuracy', 'selective accuracy'),
  score('unsafe_answer_rate', 'unsafe answers'),
];

export const BEHAVIOUR_COLUMNS: readonly ModelColumn[] = [
  score('abstention_rate', 'abstention'),
  score('answer_rate', 'coverage'),
  score('deferral_alignment', 'deferral alignment'),
  score('expected_calibration_error', 'ECE'),
  score('augrc', 'AUGRC'),
];

export const COST_COLUMNS: readonly ModelColumn[] = [
  { title: 'elapsed (s)', cell: ({ elapsedSeconds }) => elapsedSeconds?.toFixed(1) ?? '-' },
  { title: 'tokens', cell: ({ tokens }) => String(tokens ?? '-') },
];

/** What a reader must know of a run in one or two words. */
export function modelMarks({ imported, simulated, status, nScored, n, repeats }: ComparedModel): string[] {
  return [
    ...(imported === null ? [] : [imported.hasRows ? 'imported' : 'imported, no rows']),
    ...(simulated ? ['simulated'] : []),
    ...(status === 'complete' ? [] : [status]),
    ...(nScored < n ? [`${n - nScored} of ${n} rows not scored`] : []),
    ...(repeats > 1 ? [`${repeats} repeats`] : []),
  ];
}

/** `800 records in both runs; left out: 3 failed in the model` */
export function pairedText({ nPaired, leftOut, hasRepeats }: PairedComparison): string {
  const classes: [number, string][] = [
    [leftOut.failedInBaseline, 'failed in the baseline'],
    [leftOut.failedInModel, 'failed in the model'],
    [leftOut.notRunInBaseline, 'never run in the baseline'],
    [leftOut.notRunInModel, 'never run in the model'],
    [leftOut.onlyInBaseline, 'only in the baseline'],
    [leftOut.onlyInModel, 'only in the model'],
    [leftOut.truthDiffers, 'with another truth'],
  ];
  const left = classes.filter(([n]) => n > 0).map(([n, why]) => `${n} ${why}`);
  const records = nPaired === 1 ? '1 record' : `${nPaired} records`;
  return [
    `${records} scored in both runs`,
    left.length === 0 ? 'none left out' : `left out: ${left.join(', ')}`,
    ...(hasRepeats ? ['repeats averaged within each record'] : []),
  ].join('; ');
}

/** `G3a (0.85)`, `abstained`, `invalid`; several repeats with strokes between them. */
export function answersText(answers: readonly FlipAnswer[]): string {
  return answers
    .map(({ state, prediction, confidence }) =>
      state === 'answered' ? `${prediction}${confidence === null ? '' : ` (${confidence})`}` : state,
    )
    .join(' / ');
}

export function pText(p: number | null): string {
  return p === null ? '-' : p < 0.0001 ? '< 0.0001' : p < 0.01 ? p.toFixed(4) : p.toFixed(3);
}
