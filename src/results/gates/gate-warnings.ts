import { builtInMetric, type Metric } from '../../metrics/index.ts';
import { type Gate, isGateFunction } from './expression.ts';

/** What a gate lacks, in the order in which warnings are given. */
export type GateWarningCode =
  | 'no_coverage_condition'
  | 'no_must_act_condition'
  | 'no_false_alarm_condition'
  | 'urgency_not_asked';

/** What is known of the cases before the first call. */
export interface GatedSuite {
  /** Emergencies among the cases. */
  readonly nMustAct: number;
  /** Share of the cases with a deferral label that should be deferred: always deferring is right that often. */
  readonly mustDeferShare: number;
  readonly urgencyAsked: boolean;
}

type Condition = Pick<Gate, 'metric' | 'operator' | 'limit'>;

/** From this many emergencies on, a gate should have a condition on them. */
const MIN_MUST_ACT = 10;

/**
 * What a set of conditions lets through: silence, missed emergencies, or false alarms. An empty set asks for nothing.
 *
 * @example
 * ```ts
 * const suite = { nMustAct: 0, mustDeferShare: 0.2, urgencyAsked: true };
 * gateWarnings([{ metric: 'unsafe_decision_rate', operator: '<=', limit: 0.1 }], suite) // => ['no_coverage_condition']
 * ```
 */
export function gateWarnings(
  conditions: readonly Condition[],
  suite: GatedSuite,
  metrics: readonly Metric[] = [],
): GateWarningCode[] {
  if (conditions.length === 0) return [];
  const find = (name: string) => metrics.find((metric) => metric.name === name) ?? builtInMetric(name);
  const isMetBySilence = (name: string) => {
    const metric = find(name);
    return metric?.metBySilence ?? metric?.answeredOnly ?? false;
  };
  const has = (name: string, direction: 'at_least' | 'at_most') =>
    conditions.some(({ metric, operator }) => metric === name && DIRECTIONS[operator] === direction);
  const needsCoverage =
    conditions.some(({ metric }) => isMetBySilence(metric)) &&
    !conditions.some((condition) => limitsCoverage(condition, find(condition.metric), suite));
  const needsMustAct =
    suite.nMustAct >= MIN_MUST_ACT &&
    !has('missed_emergency_rate', 'at_most') &&
    !has('must_act_silence_rate', 'at_most') &&
    !has('must_act_accuracy', 'at_least');
  const onMissed = conditions.some(({ metric }) => metric === 'missed_emergency_rate');
  const onUrgency = onMissed || conditions.some(({ metric }) => metric === 'false_alarm_rate');
  return [
    ...(needsCoverage ? (['no_coverage_condition'] as const) : []),
    ...(needsMustAct ? (['no_must_act_condition'] as const) : []),
    ...(onMissed && !has('false_alarm_rate', 'at_most') ? (['no_false_alarm_condition'] as const) : []),
    ...(onUrgency && !suite.urgencyAsked ? (['urgency_not_asked'] as const) : []),
  ];
}

const DIRECTIONS: Readonly<Record<Gate['operator'], 'at_least' | 'at_most' | 'other'>> = {
  '>=': 'at_least',
  '>': 'at_least',
  '<=': 'at_most',
  '<': 'at_most',
  '==': 'other',
  '!=': 'other',
};

/** Whether a condition asks for answers, so that a silent model cannot meet it. */
function limitsCoverage(
  { metric, operator, limit }: Condition,
  known: Metric | undefined,
  { mustDeferShare }: GatedSuite,
): boolean {
  const exceeds = (least: number) =>
    DIRECTIONS[operator] === 'at_least' && (operator === '>' ? limit >= least : limit > least);
  switch (isGateFunction(metric) ? 'above_zero' : known?.coverage) {
    case 'above_zero':
      return exceeds(0);
    case 'above_must_defer_share':
      return exceeds(mustDeferShare);
    case 'below_one':
      return DIRECTIONS[operator] === 'at_most' && (operator === '<' ? limit <= 1 : limit < 1);
    default:
      return false;
  }
}
