import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { type Bounds, rubricScoreSchema, type Score } from '../../core/score.ts';
import { type ConfusionCounts, metricOfCounts } from '../../rubrics/confusion-metrics.ts';
import { TRAIT_METRICS, type TraitMetric } from '../../rubrics/traits/trait.ts';
import { isVerdict, type Verdict } from '../../rubrics/verdict.ts';
import {
  type CorrectedMean,
  correctedMean,
  type JudgedLabel,
  MIN_LABELS,
  MIN_QUESTIONS,
} from '../../statistics/methods/corrected-mean.ts';
import {
  judgeAccuracy,
  labelShareSchema,
  type WeighedPair,
} from '../../statistics/methods/judge-accuracy.ts';
import { stratifiedEstimate } from '../../statistics/methods/label-plan.ts';
import { clipShare, mean } from '../../statistics/samples.ts';
import { targetKey } from '../../store/review/review-session.ts';
import type { JudgedAnswer } from '../judging/judged-answers.ts';
import type { ItemResult, MetricTraitResult } from '../judging/score-metric-trait.ts';
import { answersWithTrait, type MetricTraitSummary } from '../judging/summarise-traits.ts';
import { summaryNames } from '../judging/summary-names.ts';
import { safeName } from '../judging/trait-scores.ts';
import type { DrawnLabels } from './drawn-labels.ts';
import { itemTarget, type ReviewedItem } from './reviewed-items.ts';

const CORRECTION_REASONS = [
  'no_labels',
  'unknown_probabilities',
  'zero_probabilities',
  'too_few_labels',
  'too_few_labelled_questions',
  'agreement_not_measured',
  'judge_prompts_differ',
  'not_a_share_of_items',
  'counts_every_occurrence',
  'needs_whole_questions',
  'needs_own_labels',
  'labels_of_another_judge',
  'labels_not_drawn_alike',
  'judge_too_weak',
  'no_estimate',
] as const;
/** Why a score is not corrected. */
export type CorrectionReason = (typeof CORRECTION_REASONS)[number];

const correctedValueSchema = z.object({
  value: z.number(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  level: z.number(),
});

export const correctedScoreSchema = z.object({
  /** The score that it corrects: `safety.recall`. */
  name: z.string(),
  label: z.string(),
  trait: z.string(),
  metric: z.enum(TRAIT_METRICS),
  /** As judged. It is never replaced. */
  raw: rubricScoreSchema,
  /** Null where the score is not corrected. */
  corrected: correctedValueSchema.nullable(),
  /** Why it is not corrected; null where it is. */
  reason: z.enum(CORRECTION_REASONS).nullable(),
  /** What must be said beside the number: `no_disagreement_in_labels`. */
  note: z.string().nullable(),
  method: z.enum(['corrected_mean', 'stratified_estimate', 'rogan_gladen_transported']),
  /** How much the judge's verdicts count beside people's, from 0 (not at all) to 1; null where the method has none. */
  lambda: z.number().nullable(),
  /** The mean of people's labels alone. */
  humanOnly: z.number().nullable(),
  /** Labels that are used. */
  nLabels: count,
  nQuestions: count,
  nRaters: count,
  /** Items, or questions, that the score rests on. */
  nItems: count,
  /** Items without a usable verdict of the judge. */
  nOpen: count,
  sensitivity: labelShareSchema,
  specificity: labelShareSchema,
});
/** A score of the judge, and the same corrected for the judge's errors. */
export interface CorrectedScore extends Shape<typeof correctedScoreSchema> {
  readonly raw: Score;
  /** What the estimate is made of, for the difference of two runs. */
  readonly judged: readonly JudgedLabel[];
}

/**
 * The shares of a trait's items: which items count, and when one counts for the answer.
 * recall: the required items that are present. specificity: the forbidden items that are not present. accuracy: both together. Precision and F1 divide by what the answer happens to say, and are no share of given items.
 */
const SHARES: Partial<
  Record<TraitMetric, (item: Pick<ItemResult, 'kind'>, verdict: Verdict) => boolean | null>
> = {
  recall: ({ kind }, verdict) => (kind === 'required' ? verdict === 'present' : null),
  specificity: ({ kind }, verdict) => (kind === 'forbidden' ? verdict !== 'present' : null),
  accuracy: ({ kind }, verdict) => (kind === 'required') === (verdict === 'present'),
};

export interface CorrectionFacts {
  readonly answers: readonly JudgedAnswer[];
  readonly metricTraits: readonly MetricTraitSummary[];
  readonly reviewed: readonly ReviewedItem[];
  /** Null where no label was drawn by a plan. */
  readonly drawn: DrawnLabels | null;
  /** Labels of any kind on items, also those that count nowhere. */
  readonly hasLabels: boolean;
  /** Items that two people or more labelled first and independently. */
  readonly nDoubleRated: number;
  /** Whether all verdicts are of one judge with one prompt. */
  readonly sameInstrument: boolean;
  readonly level: number;
}

/** Fewest items with two raters before their agreement counts as measured. */
export const MIN_DOUBLE_RATED = 30;

/** Every score of the metric traits, corrected for the judge's errors where the labels allow it: pooled ones, and means of questions. */
export function correctedScores(facts: CorrectionFacts): CorrectedScore[] {
  const names = summaryNames(facts.metricTraits);
  const labelled = new Map(facts.reviewed.map((item) => [targetKey(item), item]));
  return facts.metricTraits.flatMap((summary, i) =>
    (Object.entries(summary.metrics) as [TraitMetric, { pooled: Score; mean: Score }][]).flatMap(
      ([metric, { pooled, mean }]) => {
        const about = { trait: summary.name, metric };
        const name = `${safeName(names[i]!)}.${metric}`;
        const label = `${names[i]}: ${metric}`;
        const results = answersWithTrait(facts.answers, summary).filter(({ result }) =>
          result.trait.metrics.includes(metric),
        );
        const nOpen = results
          .flatMap(({ result }) => result.items)
          .filter(({ counts }) => counts === null).length;
        return [
          correct(
            { ...about, nOpen, name, label, raw: pooled },
            pooledSample(results, metric, labelled, facts),
            facts,
          ),
          correct(
            { ...about, nOpen, name: `${name}.mean`, label: `${label}, mean of questions`, raw: mean },
            questionSample(results, metric, labelled, facts),
            facts,
          ),
        ];
      },
    ),
  );
}

interface Sample {
  /** Why no correction of this score exists, whatever the labels. */
  readonly reason: CorrectionReason | null;
  readonly judged: readonly JudgedLabel[];
  readonly pairs: readonly WeighedPair[];
  readonly used: readonly ReviewedItem[];
  /** By the judge's verdict, where labels were drawn by it and no question has two items. */
  readonly strata: ReadonlyMap<string, { size: number; n: number; positives: number }> | null;
}

type Answered = readonly { readonly answer: JudgedAnswer; readonly result: MetricTraitResult }[];
/** Every scored item once. A refused answer says nothing, which needs no label: its items are known. */
function pooledSample(
  results: Answered,
  metric: TraitMetric,
  labelled: ReadonlyMap<string, ReviewedItem>,
  { drawn }: CorrectionFacts,
): Sample {
  const holds = SHARES[metric];
  const judged: JudgedLabel[] = [];
  const pairs: WeighedPair[] = [];
  const used: ReviewedItem[] = [];
  const strata = new Map<string, { size: number; n: number; positives: number }>();
  for (const { answer, result } of results) {
    for (const item of result.items) {
      const isRefused = item.class === 'answer_refused';
      const verdict = isRefused ? 'absent' : item.class;
      if (item.counts === null || !isVerdict(verdict)) continue;
      const judge = holds?.(item, verdict) ?? null;
      if (judge === null) continue;
      const stratum = strata.get(item.class) ?? { size: 0, n: 0, positives: 0 };
      strata.set(item.class, stratum);
      stratum.size += 1;
      const people = isRefused ? undefined : labelled.get(targetKey(itemTarget(answer, item)));
      const pi = people === undefined ? null : (drawn?.pi(people) ?? null);
      const isUsed =
        people !== undefined && pi !== null && people.human !== null && people.human !== 'unclear';
      const human = isRefused ? judge : isUsed ? holds!(item, people.human!)! : null;
      judged.push({
        judge: Number(judge),
        human: human === null ? null : Number(human),
        pi: isRefused ? 1 : isUsed ? pi : null,
        cluster: answer.id,
      });
      if (human !== null) {
        stratum.n += 1;
        stratum.positives += Number(human);
      }
      if (!isUsed) continue;
      used.push(people);
      pairs.push({
        human: people.human === 'present',
        judge: verdict === 'present',
        pi: pi!,
        question: answer.id,
      });
    }
  }
  const isSingle = new Set(judged.map(({ cluster }) => cluster)).size === judged.length;
  const repeats = results.some(({ result }) => !result.trait.repeatedExtraction);
  return {
    reason: holds === undefined ? 'not_a_share_of_items' : repeats ? 'counts_every_occurrence' : null,
    judged,
    pairs,
    used,
    strata: drawn?.plan.kind === 'verdict' && isSingle ? strata : null,
  };
}

/** Every question once, by its score: the judge's, and people's where they labelled all of its items. */
function questionSample(
  results: Answered,
  metric: TraitMetric,
  labelled: ReadonlyMap<string, ReviewedItem>,
  { drawn }: CorrectionFacts,
): Sample {
  const judged: JudgedLabel[] = [];
  const pairs: WeighedPair[] = [];
  const used: ReviewedItem[] = [];
  for (const [question, group] of Map.groupBy(results, ({ answer }) => answer.id)) {
    const byJudge: number[] = [];
    const byPeople: number[] = [];
    const own: { people: ReviewedItem; pi: number; judge: boolean }[] = [];
    let isWhole = true;
    for (const { answer, result } of group) {
      const value = metricOfCounts(metric, result.counts);
      if (value === null) continue;
      byJudge.push(value);
      const isRefused = answer.state === 'refused';
      const counts = { tp: 0, fn: 0, fp: 0, tn: 0 };
      for (const item of result.items) {
        if (item.counts === null) continue;
        const people = labelled.get(targetKey(itemTarget(answer, item)));
        const pi = people === undefined ? null : (drawn?.pi(people) ?? null);
        const verdict = isRefused ? 'absent' : people?.human;
        if (verdict == null || verdict === 'unclear' || (!isRefused && pi === null)) {
          isWhole = false;
          continue;
        }
        addCounts(counts, item, verdict, result.trait.evaluationMode);
        if (!isRefused) own.push({ people: people!, pi: pi!, judge: item.class === 'present' });
      }
      const said = metricOfCounts(metric, counts);
      if (said === null) isWhole = false;
      else byPeople.push(said);
    }
    if (byJudge.length === 0) continue;
    const isUsed = isWhole && byPeople.length === byJudge.length;
    judged.push({
      judge: mean(byJudge)!,
      human: isUsed ? mean(byPeople) : null,
      pi: isUsed ? (own[0]?.pi ?? 1) : null,
      cluster: question,
    });
    if (!isUsed) continue;
    used.push(...own.map(({ people }) => people));
    pairs.push(
      ...own.map(({ people, pi, judge }) => ({ human: people.human === 'present', judge, pi, question })),
    );
  }
  return {
    reason:
      drawn !== null && drawn.plan.kind !== 'questions'
        ? 'needs_whole_questions'
        : results.some(({ result }) => !result.trait.repeatedExtraction)
          ? 'counts_every_occurrence'
          : null,
    judged,
    pairs,
    used,
    strata: null,
  };
}

/** An item's entry in the lists of its trait, by people's verdict: as `listsFromVerdicts` counts, without quotes. */
function addCounts(
  counts: Record<keyof ConfusionCounts, number>,
  { kind }: ItemResult,
  verdict: Verdict,
  mode: string,
): void {
  if (kind === 'forbidden') counts[verdict === 'present' ? 'fp' : 'tn'] += 1;
  else counts[verdict === 'present' ? 'tp' : 'fn'] += 1;
  if (kind === 'required' && verdict === 'contradicted' && mode === 'tp_only') counts.fp += 1;
}

function correct(
  about: Pick<CorrectedScore, 'name' | 'label' | 'trait' | 'metric' | 'raw' | 'nOpen'>,
  { reason: impossible, judged, pairs, used, strata }: Sample,
  facts: CorrectionFacts,
): CorrectedScore {
  const { level } = facts;
  const nQuestions = new Set(used.map(({ recordId }) => recordId)).size;
  const reason = whyNot(impossible, used.length, nQuestions, facts);
  const method = strata === null ? 'corrected_mean' : 'stratified_estimate';
  const fit = reason === null && strata === null ? correctedMean(judged, { level }) : null;
  const found = fit ?? (reason === null ? stratifiedEstimate([...strata!.values()], { level }) : null);
  const estimate = found?.estimate ?? null;
  return {
    ...about,
    corrected:
      estimate === null
        ? null
        : { value: clipShare(estimate), lower: found!.lower, upper: found!.upper, level },
    reason: reason ?? (estimate === null ? 'no_estimate' : null),
    note: estimate === null ? null : findReason(fit),
    method,
    lambda: fit?.lambda ?? null,
    humanOnly: fit?.humanOnly ?? null,
    nLabels: used.length,
    nQuestions,
    nRaters: new Set(used.flatMap(({ raters }) => raters)).size,
    nItems: judged.length,
    ...judgeAccuracy(pairs, level),
    judged,
  };
}

function findReason(fit: CorrectedMean | null): string | null {
  return fit?.reason ?? null;
}

/** The first condition that does not hold. */
function whyNot(
  impossible: CorrectionReason | null,
  nLabels: number,
  nQuestions: number,
  { drawn, hasLabels, nDoubleRated, sameInstrument }: CorrectionFacts,
): CorrectionReason | null {
  if (!hasLabels) return 'no_labels';
  if (impossible !== null) return impossible;
  if (drawn === null) return 'unknown_probabilities';
  if (drawn.plan.strata.some(({ size, n }) => size > 0 && n === 0)) return 'zero_probabilities';
  if (nLabels < MIN_LABELS) return 'too_few_labels';
  if (nQuestions < MIN_QUESTIONS) return 'too_few_labelled_questions';
  if (nDoubleRated < MIN_DOUBLE_RATED) return 'agreement_not_measured';
  return sameInstrument ? null : 'judge_prompts_differ';
}

/** What a corrected score could have been, had the items without a verdict had one: it moves as far as the raw score could. */
export function correctedBounds({ corrected, raw }: CorrectedScore): Bounds | null {
  if (corrected === null || raw.bounds === null || raw.value === null) return null;
  return {
    lower: clipShare(corrected.value + raw.bounds.lower - raw.value),
    upper: clipShare(corrected.value + raw.bounds.upper - raw.value),
  };
}
