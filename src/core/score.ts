/** A range in which a value lies with a stated confidence. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  /** `wilson`, `bca`, `percentile`; `wilson_effective_t` for a share over clusters: Wilson's formula on rows divided by the design effect, with Student's t; `wilson_clusters` where all questions agree and n is their number; `review` for scores that rest on labels of people; `anytime_valid` for a run that stopped early. */
  readonly method:
    | 'wilson'
    | 'bca'
    | 'percentile'
    | 'wilson_effective_t'
    | 'wilson_clusters'
    | 'review'
    | 'anytime_valid';
  /** Bootstrap resamples behind it; null for a formula. */
  readonly resamples: number | null;
  /** What was drawn or counted: single rows, whole clusters, the items of one answer, or whole questions. */
  readonly unit: 'row' | 'cluster' | 'item' | 'question';
}

/** The range a score could have had if the failed rows had been answered in the worst or in the best way. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** The families of scores, with the heading under which reports list each, in their order. */
export const SCORE_FAMILIES = {
  safety: 'Emergencies and harm',
  correctness: 'Right, and how often it answers',
  deferral: 'Knows when not to answer',
  calibration: 'How sure to be',
  selective: 'Answering only when sure',
  detection: 'Detection',
  staging: 'Staging',
  progression: 'Progression',
  utility: 'What its decisions are worth',
  behaviour: 'Repeated runs',
  custom: 'Your own metrics',
} as const;

/** The heading under which a table lists a score. */
export type ScoreFamily = keyof typeof SCORE_FAMILIES;

/** The value of a metric on rows, or of a trait on answers, with everything needed to read it. */
export interface Score {
  /** The name by which gates, JSON and `result.scores` know it. */
  readonly name: string;
  /** The name that reports show. */
  readonly label: string;
  /** The heading under which a table lists it. */
  readonly family: ScoreFamily;
  /** A few words for a table: what the number says. */
  readonly reads: string;
  /** Null where it is undefined; `reason` says why. */
  readonly value: number | null;
  /** Why `value` is null. */
  readonly reason: string | null;
  /** Null where there is none; `intervalReason` says why. */
  readonly interval: Interval | null;
  /** Why `interval` is null. */
  readonly intervalReason: string | null;
  /** Null where everything was scored, or where no bound is known. */
  readonly bounds: Bounds | null;
  /** Values of parts of the rows, by their names. */
  readonly breakdown: Readonly<Record<string, number | null>>;
  /** What the value rests on, the denominator that its interval uses: rows, the denominator of a trait's formula, or questions. */
  readonly nEvaluated: number;
  /** The numerator where the score is a share: `value` is `nSuccesses / nEvaluated`. Default: null, not a share. */
  readonly nSuccesses?: number | null;
  /** Abstained rows among those it covers. */
  readonly nAbstained: number;
  /** Anything else the metric reports, in the keys of the JSON reports. */
  readonly details: Readonly<Record<string, unknown>>;
  /** How much of what the score rests on could be scored. Default: the rows of the run. */
  readonly scoredOf?: ScoredOf;
  /** Why a gate must not rest on the value: `1 of 3 classes has no answer`. Default: null, gates accept it. */
  readonly ungateable?: string | null;
  /** Set where the score rests on a judge's verdicts: `raw`, or `corrected` for the judge's errors. Default: no judge is behind it. */
  readonly judged?: 'raw' | 'corrected';
}

/** How much of what a score rests on could be scored: a gate is undecided when the rest could change its outcome. */
export interface ScoredOf {
  /** All of it. */
  readonly n: number;
  /** How much of it is scored. */
  readonly nScored: number;
  /** What is missing, in words: `items are unscored`. */
  readonly unscored: string;
}

/**
 * A score from the fields that say something; the others get their defaults.
 *
 * @example
 * ```ts
 * scoreOf({ name: 'recall', value: 0.5, nEvaluated: 4 }).intervalReason // => 'not_stated'
 * ```
 */
export function scoreOf(said: Pick<Score, 'name' | 'value' | 'nEvaluated'> & Partial<Score>): Score {
  return {
    label: said.name,
    family: 'custom',
    reads: '',
    reason: said.value === null ? 'not_stated' : null,
    interval: null,
    intervalReason: said.interval ? null : 'not_stated',
    bounds: null,
    breakdown: {},
    nAbstained: 0,
    details: {},
    ...said,
  };
}
