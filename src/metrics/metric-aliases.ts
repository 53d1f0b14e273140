/** Names from elsewhere, in the form that `canonicalMetricName` gives them. */
const ALIASES: Readonly<Record<string, string>> = {
  coverage: 'answer_rate',
  answer_rate_coverage: 'answer_rate',
  selective_accuracy_answered_only: 'selective_accuracy',
  selective_accuracy_over_all_rows: 'selective_accuracy',
  overall_accuracy: 'accuracy',
  accuracy_over_all_rows: 'accuracy',
  ece: 'expected_calibration_error',
  brier: 'brier_score',
};

/**
 * A metric's name in canonical form: lower case, words joined by underscores, with the names of the Python framework (`Answer Rate
 * (Coverage)`) and short names (`ece`) translated. An unknown name is returned in that form.
 *
 * @example
 * ```ts
 * canonicalMetricName('Selective Accuracy (answered only)') // => 'selective_accuracy'
 * canonicalMetricName('coverage') // => 'answer_rate'
 * canonicalMetricName('My Own Metric') // => 'my_own_metric'
 * ```
 */
export function canonicalMetricName(name: string): string {
  const joined = name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return ALIASES[joined] ?? joined;
}
