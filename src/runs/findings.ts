import { detectableDifference } from '../analyses/detectable-difference/detectable-difference.ts';
import { runThreshold } from '../analyses/threshold/run-threshold.ts';
import {
  type DecisionGroups,
  type DecisionsAtPrevalence,
  decisionGroups,
  decisionsAtPrevalence,
  type RowTable,
  type Scorecard,
  type ScoringOptions,
} from '../metrics/index.ts';
import type { RunResult } from './run-result.ts';

/** What a report says of a run of labels besides its scores. */
export type Findings = Pick<RunResult, 'decisions' | 'decisionsAtPrevalence' | 'detectable' | 'threshold'>;

/** For runs without rows, and for answers in text. */
export const NO_FINDINGS: Findings = {
  decisions: null,
  decisionsAtPrevalence: [],
  detectable: null,
  threshold: () => null,
};

/** A mix of cases that is more like a clinic than a suite that was made to test deferral. */
const DEFAULT_PREVALENCE = 0.1;

/** Computes them from the rows; the table has to keep `metadata.should_abstain_reasons`. */
export function findingsOf(
  table: RowTable,
  card: Pick<Scorecard, 'method' | 'nScored' | 'scores'>,
  {
    suite,
    repeats,
    task,
    scoring,
    prevalence = DEFAULT_PREVALENCE,
  }: Pick<RunResult, 'suite' | 'repeats' | 'task'> & {
    readonly scoring: ScoringOptions;
    readonly prevalence?: number | undefined;
  },
): Findings {
  const { level, cluster } = card.method;
  const decisions = decisionGroups(table, { ...scoring, ...(task && { labels: task.labels }) });
  const n = decisions?.nIndependent ?? Math.floor(card.nScored / repeats);
  return {
    decisions,
    decisionsAtPrevalence: decisions === null ? [] : adjusted(decisions, suite, prevalence, cluster),
    detectable: card.nScored === 0 ? null : detectableDifference(n, level),
    threshold: (choice) => runThreshold(table, choice, card),
  };
}

/** At the share of the suite, or of these rows where the suite does not say, and at a stated one. */
function adjusted(
  decisions: DecisionGroups,
  suite: RunResult['suite'],
  stated: number,
  cluster: string | null,
): DecisionsAtPrevalence[] {
  const { must_defer: defer, must_answer: answer } = (suite.deferral ?? {}) as Record<string, unknown>;
  const counts =
    typeof defer === 'number' && typeof answer === 'number' && defer + answer > 0
      ? [defer, answer]
      : [decisions.mustDefer.n, decisions.mustAnswer.n];
  const own = counts[0]! / (counts[0]! + counts[1]!);
  // The rows of a record are all of one kind; those of a patient or of a call need not be.
  const independent = cluster === null || cluster === 'id';
  const at = (prevalence: number, from: 'suite' | 'stated') => {
    const share = decisionsAtPrevalence(decisions, prevalence, { independent });
    return share === null ? [] : [{ prevalence, from, ...share }];
  };
  return [...at(own, 'suite'), ...at(stated, 'stated')];
}
