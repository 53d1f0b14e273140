import {
  aggregateTrait,
  type ConfusionLists,
  type Rubric,
  scoreConfusionLists,
  type TraitAggregate,
} from '../../rubrics/index.ts';
import { bucketsJudge, type RunFile } from '../../store/index.ts';

/** A trait as the judge's own lists have it: what the judge listed is counted, and not the instructions. */
export interface ListLevelTrait {
  readonly trait: string;
  readonly judge: string;
  readonly aggregate: TraitAggregate;
  /** Answers for which the judge gave no usable lists: in no number. */
  readonly nFailed: number;
}

interface StoredLists {
  readonly buckets?: readonly { readonly trait: string; readonly lists: ConfusionLists | null }[];
}

const PREFIX = bucketsJudge('');

/** Scores the lists of the second protocol, trait by trait; empty where nobody was asked for them. */
export function listLevel(
  file: RunFile,
  rubricsOf: (questionId: string) => readonly Rubric[],
  options: { readonly level: number; readonly seed: number; readonly resamples?: number },
): ListLevelTrait[] {
  const found = new Map<
    string,
    {
      trait: Rubric['metricTraits'][number];
      judge: string;
      failed: number;
      counts: Parameters<typeof aggregateTrait>[1][number][];
    }
  >();
  for (const { recordId, judge, outcome, rubric } of file.judgements()) {
    if (!judge.startsWith(PREFIX)) continue;
    const traits = rubricsOf(recordId).find(({ hash }) => hash === rubric)?.metricTraits ?? [];
    for (const { trait: name, lists } of (outcome as StoredLists).buckets ?? []) {
      const trait = traits.find((one) => one.name === name);
      if (trait === undefined) continue;
      const key = `${judge}\n${name}`;
      const entry = found.get(key) ?? { trait, judge: judge.slice(PREFIX.length), failed: 0, counts: [] };
      found.set(key, entry);
      if (lists === null) entry.failed += 1;
      else entry.counts.push({ questionId: recordId, counts: scoreConfusionLists(trait, lists).counts });
    }
  }
  return [...found.values()].map(({ trait, judge, failed, counts }) => ({
    trait: trait.name,
    judge,
    aggregate: aggregateTrait(trait, counts, options),
    nFailed: failed,
  }));
}
