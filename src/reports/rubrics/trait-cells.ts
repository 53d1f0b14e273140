import type { Bounds, Score } from '../../core/index.ts';
import type {
  JudgedAnswer,
  MetricTraitResult,
  MetricTraitSummary,
  OtherTraitSummary,
} from '../../results/index.ts';
import type { TraitMetric } from '../../rubrics/index.ts';

/** A trait as a table is headed: its name, and how many questions and items are behind it. */
export function traitTitle(summary: MetricTraitSummary): string {
  const { name, evaluationMode, nQuestions, nScored, nItems } = summary;
  const questions = nQuestions === 1 ? '1 question' : `${nQuestions} questions`;
  return `${name} (${evaluationMode}): ${questions}, ${nScored} of ${nItems} items scored`;
}

export const TRAIT_TITLES = [
  'pooled',
  'interval',
  'bounds',
  'n',
  'mean of questions',
  'interval',
  'bounds',
  'n',
];

interface TraitLine {
  readonly metric: string;
  readonly cells: readonly string[];
  /** Why there is no interval. */
  readonly note: string;
}

/** The lines of a trait's table: a metric, pooled and as a mean of questions. */
export function traitLines({ metrics }: Pick<MetricTraitSummary, 'metrics'>): TraitLine[] {
  return Object.entries(metrics).map(([metric, { pooled, mean, nUndefined }]) => {
    const notes = [
      ...(pooled.value !== null && pooled.interval === null
        ? [`no interval: ${words(pooled.intervalReason)}`]
        : []),
      ...(nUndefined === 0
        ? []
        : [`no value in ${nUndefined === 1 ? '1 question' : `${nUndefined} questions`}`]),
    ];
    return { metric, cells: [...scoreCells(pooled), ...scoreCells(mean)], note: notes.join('; ') };
  });
}

/** Value, interval, bounds and n; a reason in place of a value that is not there. */
function scoreCells({ value, reason, interval, bounds, nEvaluated }: Score): string[] {
  return [
    value === null ? words(reason) : value.toFixed(3),
    range(interval),
    range(bounds),
    String(nEvaluated),
  ];
}

/** The metrics that some answer has on a trait, in their order. */
export function metricsOf(summary: MetricTraitSummary): TraitMetric[] {
  return Object.keys(summary.metrics) as TraitMetric[];
}

/** The line of one answer in a table of a trait: counts, items scored, and each metric with its interval and bounds. */
export function answerCells(
  answer: JudgedAnswer,
  { counts, nScored, items, scores }: MetricTraitResult,
  metrics: readonly TraitMetric[],
): string[] {
  return [
    answerName(answer),
    `${counts.tp}/${counts.fn}/${counts.fp}/${counts.tn}`,
    `${nScored} of ${items.length}`,
    ...metrics.map((metric) => {
      const score = scores[metric];
      return score === undefined ? '' : scoreText(score);
    }),
  ];
}

export const ANSWER_TITLES = ['tp/fn/fp/tn', 'scored'];

/** An answer's question, and which answer to it where there are several. */
export function answerName({ id, repeat }: Pick<JudgedAnswer, 'id' | 'repeat'>): string {
  return repeat === 0 ? id : `${id} (repeat ${repeat + 1})`;
}

/** A score in one cell: value, interval in round brackets, bounds in square ones. */
export function scoreText({ value, reason, interval, bounds }: Score): string {
  const could = bounds === null ? '' : ` [${range(bounds)}]`;
  if (value === null) return `- (${words(reason)})${could}`;
  return `${value.toFixed(3)}${interval === null ? '' : ` (${range(interval)})`}${could}`;
}

/** What a trait of another kind comes to, in one cell. */
export function otherTraitText({ kind, score, classes }: OtherTraitSummary): string {
  if (classes !== null) return classes.map(({ name, count }) => `${name} ${count}`).join(', ') || '-';
  if (score === null) return '-';
  return `${kind === 'boolean' ? 'true ' : 'mean '}${scoreText(score)}`;
}

/** Answers without a value, by the reason. */
export function unscoredText(unscored: OtherTraitSummary['unscored']): string {
  return Object.entries(unscored)
    .map(([reason, n]) => `${words(reason)} ${n}`)
    .join(', ');
}

export function range(interval: Bounds | null): string {
  return interval === null ? '-' : `${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)}`;
}

/** A flat object of counts in one line, without zeros. */
export function ledgerText(ledger: object): string {
  return Object.entries(ledger)
    .filter(([name, n]) => name !== 'n' && n > 0)
    .map(([name, n]) => `${words(name)} ${n}`)
    .join(' · ');
}

export function words(code: string | null): string {
  return (code ?? 'unknown').replaceAll('_', ' ');
}
