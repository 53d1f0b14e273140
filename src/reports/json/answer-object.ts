import { pick, snakeKeys, textClass } from '../../core/index.ts';
import type { ItemResult, JudgedAnswer, OtherTraitResult } from '../../results/index.ts';
import { TRAIT_KINDS } from '../../rubrics/index.ts';
import { mapValues, scoreObject } from './trait-objects.ts';

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
      metrics: mapValues(scores, scoreObject),
    })),
    // `llm_trait_scores`, `regex_trait_scores`, ...
    ...Object.fromEntries(
      TRAIT_KINDS.filter(({ scoredBy }) => scoredBy === 'value').map(({ id }) => [
        `${id}_trait_scores`,
        valuesOf(otherTraits, id),
      ]),
    ),
    trait_reasons: reasonsOf(otherTraits),
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
function reasonsOf(results: readonly OtherTraitResult[]) {
  return results
    .filter(({ explanation, quotes }) => explanation !== null || quotes.length > 0)
    .map(({ trait, source, explanation, quotes }) => ({ trait: trait.name, source, explanation, quotes }));
}

/** Values by the trait's name; null where there is none, with the reason under `unscored`. */
function valuesOf(results: readonly OtherTraitResult[], source: OtherTraitResult['source']) {
  return Object.fromEntries(
    results
      .filter((result) => result.source === source)
      .map(({ trait, outcome }) => [trait.name, outcome.kind === 'unscored' ? null : outcome.value]),
  );
}
