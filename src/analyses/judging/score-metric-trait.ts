import type { RowState } from '../../core/states.ts';
import type { ConfusionCounts } from '../../rubrics/confusion-metrics.ts';
import { listsFromVerdicts, scoreVerdicts, type VerdictScore } from '../../rubrics/score-verdicts.ts';
import { listItems, type MetricRubricTrait, type RubricItem } from '../../rubrics/traits/metric-trait.ts';
import { type ItemVerdict, VERDICTS, type VerifiedQuote } from '../../rubrics/verdict.ts';

/** What became of an item: what the judge said, or why it said nothing that can be used. */
export const ITEM_CLASSES = [
  ...VERDICTS,
  'unverified',
  'judge_error',
  'no_verdict',
  'answer_refused',
  'answer_failed',
  'answer_not_run',
] as const;
export type ItemClass = (typeof ITEM_CLASSES)[number];

/** One instruction, and what the answer made of it. */
export interface ItemResult extends RubricItem {
  readonly class: ItemClass;
  readonly quotes: readonly VerifiedQuote[];
  readonly reason: string | null;
  /** Why, in the words of a grader; null where they are not stored. Absent where the judge quotes. */
  readonly explanation?: string | null;
  /** The value that code compared, as the judge copied it from the answer; null without a typed check. */
  readonly value: string | null;
  /** What it adds to the counts; null where it is unscored. */
  readonly counts: ConfusionCounts | null;
}

/** One metric trait on one answer. */
export interface MetricTraitResult extends Pick<VerdictScore, 'lists' | 'counts' | 'open' | 'nScored'> {
  readonly trait: MetricRubricTrait;
  /** The judge that gave the verdicts; null before the answer is judged. */
  readonly judge: string | null;
  readonly items: readonly ItemResult[];
  readonly scores: VerdictScore['metrics'];
}

/** Why an answer that is not there has no verdicts. */
const STATE_CLASSES: Partial<Record<RowState, ItemClass>> = {
  refused: 'answer_refused',
  not_run: 'answer_not_run',
  failed: 'answer_failed',
};

/**
 * Scores an answer on a metric trait. Where there is no answer because the instrument failed, every item is open; where the model refused, nothing was said: every item is
 * absent, for a refusal is the model's own doing.
 */
export function scoreMetricTrait(
  trait: MetricRubricTrait,
  judge: string | null,
  state: RowState,
  given: readonly ItemVerdict[],
  level: number,
): MetricTraitResult {
  const items = listItems(trait);
  const instead = STATE_CLASSES[state] ?? null;
  const verdicts =
    instead === null
      ? given.filter(({ id }) => items.some((item) => item.id === id))
      : instead === 'answer_refused'
        ? items.map(({ id }): ItemVerdict => ({ id, verdict: 'absent', quotes: [], reason: 'refused' }))
        : [];
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  const { metrics, lists, counts, open, nScored } = scoreVerdicts(trait, verdicts, { level });
  return {
    trait,
    judge,
    items: items.map((item) => itemResult(item, byId.get(item.id), trait, instead)),
    scores: metrics,
    lists,
    counts,
    open,
    nScored,
  };
}

function itemResult(
  item: RubricItem,
  verdict: ItemVerdict | undefined,
  trait: MetricRubricTrait,
  instead: ItemClass | null,
): ItemResult {
  const { lists, unscored } = listsFromVerdicts(trait, verdict ? [verdict] : []);
  const open = unscored.find((entry) => entry.item.id === item.id);
  return {
    ...item,
    class: instead ?? open?.reason ?? verdict!.verdict,
    quotes: verdict?.quotes ?? [],
    reason: open?.detail ?? verdict?.reason ?? null,
    ...(verdict?.explanation !== undefined && { explanation: verdict.explanation }),
    value: verdict?.value ?? null,
    counts: open
      ? null
      : { tp: lists.tp.length, fn: lists.fn.length, fp: lists.fp.length, tn: lists.tn.length },
  };
}
