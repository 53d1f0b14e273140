import type { MetricScore } from '../../metrics/index.ts';
import { checkGate } from '../gates/check-gate.ts';
import type { Gate } from '../gates/expression.ts';
import type { GateVerdict } from '../gates/verdict.ts';
import type { QuestionReport } from './question-report.ts';
import type { MetricTraitSummary } from './summarise-metric-traits.ts';
import { summaryNames } from './summary-names.ts';

/** A score that a condition can ask for, with how much of what it rests on is scored. */
interface GateScore {
  readonly score: MetricScore;
  readonly n: number;
  readonly nScored: number;
  readonly unscored: string;
}

/**
 * The names that a condition on a run of open questions can use: `TRAIT.METRIC` for the pooled value, `TRAIT.METRIC.mean` for the mean of questions, `TRAIT` for a trait of another
 * kind, and the abstention metrics. What is no letter, digit, `_` or `-` in a trait's name is written `_`.
 */
export function gateNames(report: QuestionReport): string[] {
  return gateScores(report).map(({ score }) => score.name);
}

/** Whether a run of open questions meets its conditions. */
export function checkQuestionGates(gates: readonly Gate[], report: QuestionReport): GateVerdict[] {
  const scores = gateScores(report);
  return gates.map((gate) => {
    const found = scores.find(({ score }) => score.name === gate.metric);
    if (found === undefined) return checkGate(gate, { scores: [], n: 0, nScored: 0 });
    return checkGate(gate, { ...found, scores: [found.score] }, found.unscored);
  });
}

function gateScores({ metricTraits, otherTraits, abstention, ledger }: QuestionReport): GateScore[] {
  const names = summaryNames(metricTraits);
  return [
    ...metricTraits.flatMap((summary, i) => ofMetricTrait(summary, safe(names[i]!))),
    ...otherTraits.flatMap(({ name, score, nAnswers, nScored }) =>
      score === null
        ? []
        : [
            {
              score: { ...score, name: safe(name) },
              n: nAnswers,
              nScored,
              unscored: 'answers have no value',
            },
          ],
    ),
    ...abstention.map((score) => ({
      score,
      n: ledger.n,
      nScored: ledger.answered + ledger.abstained + ledger.refused,
      unscored: 'rows failed, never ran or could not be judged',
    })),
  ];
}

function ofMetricTrait({ metrics, nItems, nScored }: MetricTraitSummary, name: string): GateScore[] {
  const common = { n: nItems, nScored, unscored: 'items are unscored' };
  return Object.entries(metrics).flatMap(([metric, { pooled, mean }]) => [
    { score: { ...pooled, name: `${name}.${metric}` }, ...common },
    { score: { ...mean, name: `${name}.${metric}.mean` }, ...common },
  ]);
}

function safe(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]/gu, '_');
}
