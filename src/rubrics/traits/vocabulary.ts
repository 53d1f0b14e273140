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
