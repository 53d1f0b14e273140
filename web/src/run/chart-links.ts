import {
  type ChartLink,
  decimals,
  type Figures,
  type GroupDot,
  labelTextKey,
  type ReliabilityBin,
  rowsOf,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RecordFilter, RunPayload } from '../api.ts';
import { words } from '../parts/words.ts';
import { hrefOf } from '../router.ts';

const ANSWERED = ['answered_correct', 'answered_wrong'];
const NOT_ANSWERED = ['invalid', 'refused'];
/** The server names at most this many values per key; a list of this length may be incomplete. */
const MAX_VALUES = 50;

/** The parts of a run that determine which records a mark of a chart counts. */
export interface ChartedRun extends Pick<RunPayload, 'facets' | 'subgroups' | 'stratum'> {
  readonly id: string;
  readonly figures: Figures;
}

/** The list of exactly these records. */
export function recordsHref(id: string, filter: RecordFilter): string {
  return hrefOf('runs/:id/records', { id, ...filter });
}

export function binLink({ id }: ChartedRun, { low, high, count, accuracy }: ReliabilityBin): ChartLink {
  return {
    href: recordsHref(id, { usable: true, confidence_from: low, confidence_to: high }),
    label: `Confidence ${decimals(low, 2)} to ${decimals(high, 2)}: ${whole(count)} answers, share right ${accuracy === null ? 'unknown' : decimals(accuracy)}. List them`,
  };
}

type Step = Figures['confidence'][number];

export function stepLink({ id }: ChartedRun, step: Step, side: 'right' | 'wrong'): ChartLink {
  const outcome = side === 'right' ? ['answered_correct'] : ['answered_wrong'];
  return {
    href: recordsHref(id, { usable: true, outcome, confidence_from: step.low, confidence_to: step.high }),
    label: `Confidence ${decimals(step.low, 2)} to ${decimals(step.high, 2)}: ${whole(step[side])} ${side}. List them`,
  };
}

/** All answers with at least this confidence. */
export function acceptedHref({ id }: ChartedRun, threshold: number): string {
  return recordsHref(id, { usable: true, confidence_from: threshold });
}

export function pointLink(run: ChartedRun, point: Figures['riskCoverage']['points'][number]): ChartLink {
  return {
    href: acceptedHref(run, point.threshold),
    label: `Accepting from confidence ${decimals(point.threshold, 2)}: coverage ${decimals(point.coverage)}, share wrong ${decimals(point.selective_risk)}. List the accepted`,
  };
}

/** The rows that a group's share is computed from; null if its key cannot be filtered by. */
export function dotLink(run: ChartedRun, dot: GroupDot): ChartLink | null {
  const where = rowsIn(run, dot);
  if (where === null) return null;
  const list = ROWS_OF[dot.metric] === undefined ? 'List the group' : 'List them';
  return {
    href: recordsHref(run.id, where),
    label: `${dot.group}: ${words(dot.metric)} ${dot.value === null ? 'no value' : decimals(dot.value)}, ${rowsOf(dot.n)}. ${list}`,
  };
}

const NOT_ABSTAINED = [...ANSWERED, ...NOT_ANSWERED];
/** The rows that a share rests on. */
const ROWS_OF: Readonly<Record<string, RecordFilter>> = {
  accuracy: { scored: true },
  selective_accuracy: { outcome: NOT_ABSTAINED },
  answerable_accuracy: { scored: true, should_abstain: ['false'] },
  answerable_selective_accuracy: { outcome: NOT_ABSTAINED, should_abstain: ['false'] },
  abstention_rate: { scored: true },
  decision_accuracy: { scored: true, should_abstain: ['true', 'false'] },
};

function rowsIn({ subgroups, stratum }: ChartedRun, { by, metric, group }: GroupDot): RecordFilter | null {
  const rows = ROWS_OF[metric] ?? { scored: true };
  if (by === 'ground_truth') return { ...rows, label: [group] };
  if (by === stratum.key) return { ...rows, stratum: [group] };
  return subgroups[by]?.includes(group) ? { ...rows, group: [`${by}:${group}`] } : null;
}

/** A cell of the confusion matrix; null if it covers more labels than an address can name. */
export function cellHref(
  run: ChartedRun,
  truth: string,
  answer: string,
  place: 'answer' | 'apart',
): string | null {
  if (truth === 'other') return null;
  const label = { label: [truth] };
  if (place === 'apart')
    return recordsHref(run.id, {
      outcome: answer === 'invalid' ? NOT_ANSWERED : ['abstained'],
      ...label,
    });
  const prediction = answer === 'other' ? otherAnswers(run) : [answer];
  // An answer to a case without a label is neither right nor wrong.
  return prediction && recordsHref(run.id, { outcome: [...ANSWERED, 'answered'], ...label, prediction });
}

/** Answers that are not labels of the matrix. */
function otherAnswers({ facets, figures }: ChartedRun): readonly string[] | null {
  if (facets.prediction.length >= MAX_VALUES) return null;
  const named = new Set(figures.confusion.answers.map(labelTextKey));
  return facets.prediction.filter((text) => !named.has(labelTextKey(text)));
}
