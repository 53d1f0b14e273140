import type { Bounds, Score } from '../../core/index.ts';
import type { AggregateOptions, TraitOutcome } from '../../rubrics/index.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { OtherTraitResult } from './other-traits.ts';
import { type QuestionValue, questionMean } from './question-mean.ts';

type Kind = Exclude<TraitOutcome['kind'], 'unscored'>;

/** A trait with one value for each answer, over all questions that have it. */
export interface OtherTraitSummary {
  readonly name: string;
  readonly source: OtherTraitResult['source'];
  /** Null for a function that has given no value yet. */
  readonly kind: Kind | null;
  readonly higherIsBetter: boolean;
  readonly judges: readonly string[];
  /** The share of true, or the mean; null for classes. */
  readonly score: Score | null;
  /** How many answers are in each class, in the order of the classes; null for everything else. */
  readonly classes: readonly { readonly name: string; readonly count: number }[] | null;
  readonly nAnswers: number;
  readonly nScored: number;
  /** Answers without a value, by the reason. */
  readonly unscored: Readonly<Record<string, number>>;
}

interface TraitAnswer {
  readonly answer: JudgedAnswer;
  readonly result: OtherTraitResult;
}

export function summariseOtherTraits(
  answers: readonly JudgedAnswer[],
  options: AggregateOptions & { readonly level: number; readonly seed: number },
): OtherTraitSummary[] {
  const results = answers.flatMap((answer) => answer.otherTraits.map((result) => ({ answer, result })));
  const groups = Map.groupBy(results, ({ result }) => keyOf(result));
  return [...groups.values()].map((group) => summarise(group, options));
}

/** Traits of one name are one where their values mean the same. */
function keyOf({ kind, source, trait }: OtherTraitResult): string {
  return JSON.stringify([trait.name.toLowerCase(), source, trait.higherIsBetter, kind.values(trait)]);
}

function summarise(
  group: readonly TraitAnswer[],
  { level, seed, resamples }: AggregateOptions & { readonly level: number; readonly seed: number },
): OtherTraitSummary {
  const { source, trait, kind: traitKind } = group[0]!.result;
  const { range, classes } = traitKind.values(trait);
  const kind = kindOf(group);
  const unscored = tally(
    group.flatMap(({ result: { outcome } }) => {
      if (outcome.kind === 'unscored') return [outcome.reason];
      // A function may say a number once and a text another time: the commoner kind counts.
      return outcome.kind === kind ? [] : [`not_a_${kind}`];
    }),
  );
  const values = valuesOf(group, kind);
  return {
    name: trait.name,
    source,
    kind,
    higherIsBetter: trait.higherIsBetter ?? true,
    judges: [...new Set(group.flatMap(({ result }) => result.judge ?? []))].sort(),
    score:
      kind === 'literal' || kind === null
        ? null
        : {
            ...questionMean(values, { level, seed, resamples, isShare: kind === 'boolean' }),
            bounds: boundsOf(group, kind, kind === 'boolean' ? { lower: 0, upper: 1 } : (range ?? null)),
          },
    classes: kind === 'literal' ? countClasses(group, classes) : null,
    nAnswers: group.length,
    nScored: values.length,
    unscored,
  };
}

/** What the kind of trait says its values are; without that, the commonest kind of value. */
function kindOf(group: readonly TraitAnswer[]): Kind | null {
  const { kind, trait } = group[0]!.result;
  const known = kind.values(trait).kind;
  if (known !== null) return known;
  const counted = tally(
    group.flatMap(({ result: { outcome } }) => (outcome.kind === 'unscored' ? [] : [outcome.kind])),
  );
  const [commonest] = Object.entries(counted).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return (commonest?.[0] as Kind | undefined) ?? null;
}

/** The values of the answers; `open` is the value of an answer that has none. Default: left out. */
function valuesOf(group: readonly TraitAnswer[], kind: Kind | null, open?: number): QuestionValue[] {
  return group.flatMap(({ answer, result: { outcome } }) => {
    const value = outcome.kind === kind ? Number((outcome as { value: unknown }).value) : open;
    return value === undefined ? [] : [{ questionId: answer.id, value }];
  });
}

/** What the mean could have been, had every answer been scored: the open ones at one end of the range, then at the other. Null where all were, or where no range is known. */
function boundsOf(group: readonly TraitAnswer[], kind: Kind, range: Bounds | null): Bounds | null {
  if (range === null || group.every(({ result }) => result.outcome.kind === kind)) return null;
  const at = (open: number) => {
    return questionMean(valuesOf(group, kind, open), { level: 0.95, seed: 0, resamples: 0, isShare: false })
      .value!;
  };
  return { lower: at(range.lower), upper: at(range.upper) };
}

function countClasses(
  group: readonly TraitAnswer[],
  classes: readonly string[] | undefined,
): { name: string; count: number }[] {
  const counted = tally(
    group.flatMap(({ result: { outcome } }) => (outcome.kind === 'literal' ? [outcome.value] : [])),
  );
  const names = classes ?? Object.keys(counted).sort();
  return names.map((name) => ({ name, count: counted[name] ?? 0 }));
}

function tally(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
