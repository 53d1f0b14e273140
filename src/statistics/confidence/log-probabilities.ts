/** A spelling that the model could have written at the place of the label. */
export interface LabelCandidate {
  readonly label: string | number;
  /** Natural logarithm of its probability; the sum over its tokens. */
  readonly logprob: number;
}

/** Confidence from token log-probabilities. */
export interface TokenConfidence {
  /** mass(answer) / mass(all labels seen); null with a reason. */
  readonly confidence: number | null;
  /** mass(answer) itself. */
  readonly lower: number | null;
  /** What the labels seen cover together. */
  readonly mass: number;
  readonly reason: 'answer_not_among_logprobs' | 'label_mass_too_small' | null;
}

/**
 * Confidence from the log-probabilities at the place of the label: spellings of one label add up, and the answer's mass is divided by that of all labels seen. An answer
 * that is not listed, and labels that together cover less than `minMass` (default 0.5), give no confidence.
 *
 * @example
 * ```ts
 * const candidates = [{ label: 'present', logprob: -0.2 }, { label: 'absent', logprob: -2.1 }];
 * confidenceFromLogprobs(candidates, 'present').confidence!.toFixed(4) // => '0.8699'
 * confidenceFromLogprobs(candidates, 'unclear').reason // => 'answer_not_among_logprobs'
 * ```
 */
export function confidenceFromLogprobs(
  candidates: readonly LabelCandidate[],
  answer: string | number,
  { minMass = 0.5 }: { readonly minMass?: number | undefined } = {},
): TokenConfidence {
  let mass = 0;
  let lower: number | null = null;
  for (const { label, logprob } of candidates) {
    const probability = Math.exp(logprob);
    mass += probability;
    if (label === answer) lower = (lower ?? 0) + probability;
  }
  if (lower === null) return { confidence: null, lower, mass, reason: 'answer_not_among_logprobs' };
  if (mass < minMass) return { confidence: null, lower, mass, reason: 'label_mass_too_small' };
  return { confidence: lower / mass, lower, mass, reason: null };
}
