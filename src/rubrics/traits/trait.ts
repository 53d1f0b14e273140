import type { Bounds } from '../../core/score.ts';
import type { TraitValue } from '../judge/asked.ts';

/** How many lists of instructions a metric trait has: what must be said, or that and what must not. */
export const EVALUATION_MODES = ['tp_only', 'full_matrix'] as const;
/** What a metric trait looks for: required items only, or required and forbidden ones. */
export type EvaluationMode = (typeof EVALUATION_MODES)[number];

/** What a metric trait can compute. */
export const TRAIT_METRICS = ['precision', 'recall', 'f1', 'specificity', 'accuracy'] as const;
/** The metrics that a metric trait can ask for. */
export type TraitMetric = (typeof TRAIT_METRICS)[number];

/** Metrics that count true negatives, which only exist where forbidden claims are listed. */
export const FULL_MATRIX_METRICS: readonly TraitMetric[] = ['specificity', 'accuracy'];

/** Where a piece of an answer, or an instruction, is counted. */
export const BUCKETS = ['tp', 'fn', 'fp', 'tn'] as const;
/** One of the four lists of a confusion matrix. */
export type Bucket = (typeof BUCKETS)[number];

/** What traits of every kind have. */
export interface Trait {
  /** Unique in a rubric, whatever its case; without a dot. */
  readonly name: string;
  /** Default: null. */
  readonly description: string | null;
  /** Default: true. Metric traits have none: of every metric, more is better. */
  readonly higherIsBetter?: boolean;
}

/** What a callable trait runs. */
export type TraitFunction = (answer: string, question: string) => boolean | number | string;

/** The user's functions for callable traits, by the name of the trait. */
export type TraitFunctions = Readonly<Record<string, TraitFunction>>;

/** The value of a trait for one answer, or why there is none. */
export type TraitOutcome =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'score'; readonly value: number }
  /** `position` counts the classes from 0, in the order listed; null where no order is known. */
  | { readonly kind: 'literal'; readonly value: string; readonly position: number | null }
  | { readonly kind: 'unscored'; readonly reason: string };

export function unscored(reason: string): TraitOutcome {
  return { kind: 'unscored', reason };
}

/**
 * The values a trait can have, which decides how answers are summarised: the share of true (`boolean`), the mean (`score`), or how many are in each class (`literal`).
 */
interface TraitValues {
  /** Null where the values are known only once there are some: a user's function. */
  readonly kind: Exclude<TraitOutcome['kind'], 'unscored'> | null;
  /** Least and greatest score, for bounds where answers are unscored. Default: none known. */
  readonly range?: Bounds;
  /** In order. Default: the classes that occur, by name. */
  readonly classes?: readonly string[];
}

/** What every kind of trait says of itself. */
export interface TraitKind<T extends Trait = Trait, Id extends string = string> {
  /** Short name: reports call it the source of a value. Files list the traits under `<id>_traits`, code under `<id>Traits`. */
  readonly id: Id;
  /**
   * Reads the form of files.
   *
   * @throws KrisisError that begins with `place` and lists every problem.
   */
  parse(object: unknown, place: string, functions: TraitFunctions): T;
  /** The form of files, with defaults written out; `parse` reads it back. It is part of the rubric's hash. */
  toJSON(trait: T): object;
}

/** A kind that has one value for each answer. */
export interface ValueKind<T extends Trait = Trait, Id extends string = string> extends TraitKind<T, Id> {
  readonly scoredBy: 'value';
  /** What the value comes from: a judge's reply, a function of the user's that ran when the answer came, or the text of the answer alone. */
  readonly needs: 'judge' | 'function' | 'answer';
  /** The user's function that decides the trait, for kinds that need one; null while it has not been given. */
  getFunction?(trait: T): ((answer: string, question: string) => TraitOutcome) | null;
  values(trait: T): TraitValues;
  /** The outcome for an answer. `given` is what the judge or the function gave; null for kinds that need neither. */
  outcome(trait: T, answer: string, given: TraitValue | null): TraitOutcome;
}
