import { type EvaluationResult, evaluationResult } from '../../core/evaluation-result.ts';
import { textClass } from '../../core/ledger.ts';
import { buildTable } from '../../metrics/columns.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import { extendedMetrics } from '../../metrics/registry.ts';
import { scoreTable } from '../../metrics/score.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { QuestionStatistics } from './question-mean.ts';

/** What can be said of free text without a right answer to compare with: how often it abstains, and whether where it should. */
export const ABSTENTION_METRICS = extendedMetrics().filter(({ appliesToText }) => appliesToText);

/** The abstention metrics of judged answers. A row that may or may not abstain is not scored; the bounds include both. */
export function abstentionScores(
  answers: readonly JudgedAnswer[],
  options: QuestionStatistics,
): readonly MetricScore[] {
  return scoreTable(buildTable(answers.map(toRow)), {
    ...options,
    metrics: ABSTENTION_METRICS,
    breakdown: false,
  }).scores;
}

function toRow(answer: JudgedAnswer): EvaluationResult {
  const entry = answer.abstainedReason === 'not_asked' ? 'failed_not_asked' : textClass(answer);
  const common = { id: answer.id, groundTruth: null, metadata: { should_abstain: answer.shouldAbstain } };
  if (entry.startsWith('failed_'))
    return evaluationResult({ ...common, state: 'failed', stateReason: entry.slice('failed_'.length) });
  return evaluationResult({
    ...common,
    state: entry as 'answered' | 'abstained' | 'refused' | 'not_run',
    // Any text will do: none of these metrics looks at it.
    prediction: entry === 'answered' ? 'text' : null,
  });
}
