import { z } from 'zod';
import {
  type ComparedModel,
  type Comparison,
  endpointSchema,
  flipsObject,
  itemFlipSchema,
  type PairedComparison,
} from '../../analyses/comparison/comparison.ts';
import type { JudgedAnswer } from '../../analyses/judging/judged-answers.ts';
import { itemScoresObject, traitObjects } from '../../analyses/judging/judging.ts';
import type { OtherTraitResult } from '../../analyses/judging/other-traits.ts';
import type { ItemResult } from '../../analyses/judging/score-metric-trait.ts';
import { correctedComparisonSchema } from '../../analyses/review/compare-corrected.ts';
import { snakeKeys, toFile } from '../../core/codec.ts';
import { pick } from '../../core/collections.ts';
import { textClass } from '../../core/ledger.ts';
import { rubricScoreSchema, scoreSchema } from '../../core/score.ts';
import { TRAIT_KINDS } from '../../rubrics/traits/kinds.ts';

/** A row of a run of open questions in its file form. */
export function answerObject(judged: JudgedAnswer) {
  const { answer, shouldAbstain, tags, metricTraits: _m, otherTraits: _o, problems, ...same } = judged;
  return {
    ...snakeKeys(same),
    raw_response: answer,
    ledger_class: textClass(judged),
    metadata: { should_abstain: shouldAbstain, tags },
    rubric: rubricObject(judged),
    judge_problems: problems,
  };
}

function rubricObject({ metricTraits, otherTraits }: JudgedAnswer) {
  const byTrait = <T>(of: (result: JudgedAnswer['metricTraits'][number]) => T) =>
    Object.fromEntries(metricTraits.map((result) => [result.trait.name, of(result)]));
  return {
    metric_trait_scores: byTrait(({ scores }) => mapValues(scores, ({ value }) => value)),
    metric_trait_confusion_lists: byTrait(({ lists: { tp, fn, fp, tn } }) => ({ tp, fn, fp, tn })),
    metric_trait_details: byTrait(({ trait, judge, scores, counts, items, nScored }) => ({
      evaluation_mode: trait.evaluationMode,
      judge,
      n_items: items.length,
      n_scored: nScored,
      counts,
      metrics: mapValues(scores, (score) => toFile(rubricScoreSchema, score)),
    })),
    // `llm_trait_scores`, `regex_trait_scores`, ...
    ...Object.fromEntries(
      TRAIT_KINDS.filter(({ scoredBy }) => scoredBy === 'value').map(({ id }) => [
        `${id}_trait_scores`,
        listValues(otherTraits, id),
      ]),
    ),
    trait_reasons: listReasons(otherTraits),
    verdicts: metricTraits.flatMap(({ items }) => items.map(verdictObject)),
    unscored: otherTraits.flatMap(({ source, trait, outcome }) =>
      outcome.kind === 'unscored' ? [{ trait: trait.name, source, reason: outcome.reason }] : [],
    ),
  };
}

/** One instruction with its verdict, in file form. */
export function verdictObject({ traitName, class: verdict, counts, ...item }: ItemResult) {
  const { id, kind, instruction, quotes, reason, value, explanation } = item;
  return {
    id,
    trait: traitName,
    kind,
    instruction,
    ...pick(item, FIELDS),
    verdict,
    quotes,
    // What code compared, where the item has a typed check.
    ...(value !== null && { value }),
    scored: counts !== null,
    reason,
    ...(explanation !== undefined && { explanation }),
  };
}

/** Fields that an item can carry; those that it does not are left out. */
const FIELDS = ['points', 'critical', 'axis', 'tags', 'harm', 'source', 'check'] as const;

/** Why the judge gave each value, in its words, with its quotes. */
function listReasons(results: readonly OtherTraitResult[]) {
  return results
    .filter(({ explanation, quotes }) => explanation !== null || quotes.length > 0)
    .map(({ trait, source, explanation, quotes }) => ({ trait: trait.name, source, explanation, quotes }));
}

/** Values by the trait's name; null where there is none, with the reason under `unscored`. */
function listValues(results: readonly OtherTraitResult[], source: OtherTraitResult['source']) {
  return Object.fromEntries(
    results
      .filter((result) => result.source === source)
      .map(({ trait, outcome }) => [trait.name, outcome.kind === 'unscored' ? null : outcome.value]),
  );
}

/** A comparison on open questions in its file form, with every flip. */
export function questionComparisonObject(comparison: Comparison) {
  const { nTests, ...method } = comparison.method;
  return {
    schema_version: '1.0',
    kind: 'questions',
    suite: comparison.suiteName,
    suite_hash: comparison.suiteHashes[0] ?? null,
    models: comparison.models.map(modelObject),
    baseline: comparison.baseline,
    comparisons: comparison.pairs.map(pairObject),
    warnings: comparison.warnings,
    method: { ...method, n_tests: nTests },
  };
}

function modelObject({ nRecords, judging, tokens, ...model }: ComparedModel) {
  const { itemScores, abstention, judges, judgeStatus } = judging!;
  // What only a comparison of labels says of a model.
  const { suiteHash: _h, arm: _a, imported: _i, n: _n, nScored: _s, scores: _c, ...same } = model;
  return {
    ...snakeKeys(same),
    n_questions: nRecords,
    judges,
    judge_calibrated: judgeStatus === 'calibrated',
    judge_status: judgeStatus,
    token_total: tokens,
    traits: traitObjects(judging!),
    item_scores: itemScoresObject(itemScores),
    metrics: Object.fromEntries(abstention.map((score) => [score.name, toFile(abstentionSchema, score)])),
  };
}

const abstentionSchema = scoreSchema.pick({
  value: true,
  reason: true,
  interval: true,
  bounds: true,
  nEvaluated: true,
});

const questionEndpointSchema = endpointSchema
  .omit({ kind: true, mcnemar: true, mcnemarReason: true })
  .extend({ trait: z.string().nullable() });

function pairObject({ model, baseline, endpoints, itemFlips, corrected }: PairedComparison) {
  return {
    model,
    baseline,
    scores: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.metric, toFile(questionEndpointSchema, endpoint)]),
    ),
    ...(corrected.length > 0 && {
      corrected: Object.fromEntries(
        corrected.map((score) => [score.metric, toFile(correctedDifferenceSchema, score)]),
      ),
    }),
    flips: flipsObject(itemFlipSchema, itemFlips!),
  };
}

const correctedDifferenceSchema = correctedComparisonSchema.omit({ metric: true });

function mapValues<V, T>(
  object: Readonly<Partial<Record<string, V>>>,
  of: (value: V) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, of(value!)]));
}
