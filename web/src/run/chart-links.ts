import {
  type ChartLink,
  decimals,
  type Figures,
  type GroupDot,
  labelTextKey,
  type ReliabilityBin,
  rowsOf,
  STAGE_KEY,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RecordFilter, RunPayload } from '../api.ts';
import { filterQuery } from '../data/filter-query.ts';
import { words } from '../parts/words.ts';
import { hrefOf } from '../router.ts';

const ANSWERED = ['answered_correct', 'answered_wrong'];
const NOT_ANSWERED = ['invalid', 'refused'];
/** The server names at most so many values of a key: of a longer list nobody knows the rest. */
const MOST_VALUES = 50;

/** What of a run must be known to say which records a mark stands for. */
export interface Behind extends Pick<RunPayload, 'facets' | 'subgroups'> {
  readonly id: string;
  readonly figures: Figures;
}

/** The list of exactly these records. */
export function recordsHref(id: string, filter: RecordFilter): string {
  return hrefOf(['runs', id, 'records'], filterQuery(filter));
}

export function binLink({ id }: Behind, { low, high, count, accuracy }: ReliabilityBin): ChartLink {
  return {
    href: recordsHref(id, { usable: true, confidence_from: low, confidence_to: high }),
    label: `Confidence ${decimals(low, 2)} to ${decimals(high, 2)}: ${whole(count)} answers, share right ${accuracy === null ? 'unknown' : decimals(accuracy)}. List them`,
  };
}

type Step = Figures['confidence'][number];

export function stepLink({ id }: Behind, step: Step, side: 'right' | 'wrong'): ChartLink {
  const outcome = side === 'right' ? ['answered_correct'] : ['answered_wrong'];
  return {
    href: recordsHref(id, { usable: true, outcome, confidence_from: step.low, confidence_to: step.high }),
    label: `Confidence ${decimals(step.low, 2)} to ${decimals(step.high, 2)}: ${whole(step[side])} ${side}. List them`,
  };
}

/** All answers that are accepted from this confidence on. */
export function acceptedHref({ id }: Behind, threshold: number, wrongOnly = false): string {
  return recordsHref(id, {
    usable: true,
    ...(wrongOnly && { outcome: ['answered_wrong'] }),
    confidence_from: threshold,
  });
}

export function pointLink(behind: Behind, point: Figures['riskCoverage']['points'][number]): ChartLink {
  return {
    href: acceptedHref(behind, point.threshold),
    label: `Accepting from confidence ${decimals(point.threshold, 2)}: coverage ${decimals(point.coverage)}, share wrong ${decimals(point.selective_risk)}. List the accepted`,
  };
}

/** The rows that the share of a group rests on; null where its key is none that can be filtered by. */
export function dotLink({ id, subgroups }: Behind, dot: GroupDot): ChartLink | null {
  const where = placeOf(dot, subgroups);
  if (where === null) return null;
  return {
    href: recordsHref(id, where),
    label: `${dot.group}: ${words(dot.metric)} ${dot.value === null ? 'no value' : decimals(dot.value)}, ${rowsOf(dot.n)}. List them`,
  };
}

function placeOf({ by, metric, group }: GroupDot, subgroups: RunPayload['subgroups']): RecordFilter | null {
  // Shares among answers leave the abstentions out; those of subgroups count the group as a whole.
  const rows: RecordFilter =
    metric === 'selective_accuracy' ? { outcome: [...ANSWERED, ...NOT_ANSWERED] } : { scored: true };
  if (by === 'ground_truth') return { ...rows, label: [group] };
  if (by === STAGE_KEY) return { ...rows, stage: [group] };
  return subgroups[by]?.includes(group) ? { scored: true, group: [`${by}:${group}`] } : null;
}

/** A cell of the confusion matrix; null where it is more labels than can be named. */
export function cellHref(
  behind: Behind,
  truth: string,
  answer: string,
  place: 'answer' | 'apart',
): string | null {
  if (truth === 'other') return null;
  const label = { label: [truth] };
  if (place === 'apart')
    return recordsHref(behind.id, {
      outcome: answer === 'invalid' ? NOT_ANSWERED : ['abstained'],
      ...label,
    });
  const prediction = answer === 'other' ? otherAnswers(behind) : [answer];
  return prediction && recordsHref(behind.id, { outcome: ANSWERED, ...label, prediction });
}

/** What was said that is no label. */
function otherAnswers({ facets, figures }: Behind): readonly string[] | null {
  if (facets.prediction.length >= MOST_VALUES) return null;
  const named = new Set(figures.confusion.answers.map(labelTextKey));
  return facets.prediction.filter((text) => !named.has(labelTextKey(text)));
}

export function deferralHref({ id }: Behind, should: boolean, deferred: boolean): string {
  return recordsHref(id, {
    outcome: deferred ? ['abstained'] : [...ANSWERED, ...NOT_ANSWERED],
    should_abstain: [String(should)],
  });
}
