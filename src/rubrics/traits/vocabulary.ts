/** How many lists of instructions a metric trait has: what must be said, or that and what must not. */
export const EVALUATION_MODES = ['tp_only', 'full_matrix'] as const;
export type EvaluationMode = (typeof EVALUATION_MODES)[number];

/** What a metric trait can compute. */
export const TRAIT_METRICS = ['precision', 'recall', 'f1', 'specificity', 'accuracy'] as const;
export type TraitMetric = (typeof TRAIT_METRICS)[number];

/** Metrics that count true negatives, which only exist where forbidden claims are listed. */
export const FULL_MATRIX_METRICS: readonly TraitMetric[] = ['specificity', 'accuracy'];

/** Where a piece of an answer, or an instruction, is counted. */
export const BUCKETS = ['tp', 'fn', 'fp', 'tn'] as const;
export type Bucket = (typeof BUCKETS)[number];
