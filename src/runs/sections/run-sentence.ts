import type { Score } from '../../core/score.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { percent, whole } from '../../reports/charts/number-text.ts';
import { paragraph, shown } from '../../reports/document/blocks.ts';
import type { Block } from '../../reports/document/document.ts';
import type { RunResult } from '../run-result.ts';

type Counted = Pick<Score, 'name' | 'value' | 'nEvaluated' | 'nSuccesses'> & Partial<Pick<Score, 'reason'>>;

interface SentenceParts {
  readonly model: string;
  /** How the rows ended: `answered_correct`, `abstained`, `failed_timeout`, ... */
  readonly ledger: Readonly<Record<string, number>>;
  /** All rows of the run; those not asked yet included, unless it stopped early. */
  readonly n: number;
  readonly scores: readonly Counted[];
  /** How often each case was asked. */
  readonly repeats: number;
  /** Whether rows are still to come. */
  readonly isRunning: boolean;
}

type Find = (name: string) => Counted | null;

/**
 * What happened in a run, in plain sentences: emergencies, then harm and cost, then how often it was right, then how much of the suite it answered. Null where there is nothing to say.
 *
 * @example
 * ```ts
 * const score = (name, nSuccesses, nEvaluated) => ({ name, value: nSuccesses / nEvaluated, nEvaluated, nSuccesses });
 * runSentence({
 *   model: 'demo/model',
 *   ledger: { answered_correct: 8, answered_wrong: 1, abstained: 1 },
 *   n: 10,
 *   scores: [
 *     score('missed_emergency_rate', 1, 2),
 *     score('false_alarm_rate', 0, 8),
 *     score('answered_should_defer_rate', 1, 2),
 *     score('wrong_answer_rate', 0, 8),
 *     score('decision_accuracy', 9, 10),
 *   ],
 *   repeats: 1,
 *   isRunning: false,
 * }).split('. ')
 * // => [
 * //   'demo/model missed 1 of 2 emergencies and raised no false alarm in 8 other cases',
 * //   'It answered 1 of 2 cases that should have been deferred and gave no wrong answer in 8 cases that call for an answer',
 * //   'It made the right decision in 90.0\u00a0% of 10 cases',
 * //   'It answered 9 of 10 cases.',
 * // ]
 * ```
 */
export function runSentence({ model, ledger, n, scores, repeats, isRunning }: SentenceParts): string | null {
  const find: Find = (name) => {
    const score = scores.find((each) => each.name === name);
    return score?.value == null || score.nEvaluated === 0 ? null : score;
  };
  const countRows = (is: (name: string) => boolean) =>
    Object.entries(ledger).reduce((sum, [name, count]) => (is(name) ? sum + count : sum), 0);
  const abstained = ledger.abstained ?? 0;
  const said = shown([
    emergencyClause(find, scores),
    harmClause(find, abstained),
    rightClause(find),
    n > 0 &&
      countRows((name) => name !== 'n') > 0 &&
      coverageClause({
        answered: countRows((name) => name.startsWith('answered')),
        failed: countRows((name) => name.startsWith('failed')),
        unusable: countRows((name) => name === 'invalid' || name === 'refused'),
        all: counted(n, repeats > 1 ? 'time' : 'case'),
        isRunning,
      }),
  ]);
  return said.length === 0 ? null : `${model} ${said.join('. It ')}.`;
}

function emergencyClause(find: Find, scores: readonly Counted[]): string | null {
  const [missed, alarms] = [find('missed_emergency_rate'), find('false_alarm_rate')];
  const isUnknown = scores.some(
    ({ name, reason }) => name === 'missed_emergency_rate' && reason === 'all_rows_failed',
  );
  const silent = missed === null && alarms === null ? find('must_act_silence_rate') : null;
  return joined([
    isUnknown && 'may miss emergencies, since every call about one failed',
    missed && `missed ${writePart(missed, 'emergency')}`,
    alarms && `raised ${some(alarms, 'false alarm')} in ${counted(alarms.nEvaluated, 'other case')}`,
    silent && `was silent in ${writePart(silent, 'emergency')}`,
  ]);
}

/** Without deferral labels there is no case to defer, and wrong answers are over all cases with a known answer. */
function harmClause(find: Find, abstained: number): string | null {
  const [shouldDefer, wrong] = [find('answered_should_defer_rate'), find('wrong_answer_rate')];
  const needless = find('deferred_without_need_rate');
  const hasLabels = shouldDefer !== null || needless !== null;
  return joined([
    shouldDefer && `answered ${writePart(shouldDefer, 'case')} that should have been deferred`,
    wrong &&
      `gave ${some(wrong, 'wrong answer')} in ${counted(wrong.nEvaluated, 'case')}${hasLabels ? ' that call for an answer' : ''}`,
    needless &&
      countSuccesses(needless) > 0 &&
      `deferred ${whole(countSuccesses(needless))} of these without need`,
    !hasLabels && wrong !== null && abstained > 0 && `deferred ${whole(abstained)}`,
  ]);
}

/** With its n: 100 % of 2 is little. */
function rightClause(find: Find): string | null {
  const decision = find('decision_accuracy');
  if (decision === null) {
    const accuracy = find('accuracy');
    return accuracy && `was right in ${percent(accuracy.value!)} of ${counted(accuracy.nEvaluated, 'case')}`;
  }
  const clear = find('decision_accuracy_clear');
  const isApart = clear !== null && clear.nEvaluated < decision.nEvaluated;
  return joined([
    `made the right decision in ${percent(decision.value!)} of ${counted(decision.nEvaluated, 'case')}`,
    isApart && `in ${percent(clear.value!)} of the ${whole(clear.nEvaluated)} that do not lie near a line`,
  ]);
}

function coverageClause({
  answered,
  failed,
  unusable,
  all,
  isRunning,
}: Readonly<Record<'answered' | 'failed' | 'unusable', number>> & {
  readonly all: string;
  readonly isRunning: boolean;
}): string {
  const others = shown([
    failed > 0 && `${counted(failed, 'call')} failed`,
    unusable > 0 && `${counted(unusable, 'reply')} could not be used`,
  ]);
  const apart = others.length === 0 ? '' : ` (${others.join(', ')})`;
  return `${isRunning ? 'has so far answered' : 'answered'} ${answered === 0 ? 'none' : whole(answered)} of ${all}${apart}`;
}

function joined(clauses: readonly (string | false | null)[]): string | null {
  const said = shown(clauses);
  const last = said.at(-1);
  if (last === undefined) return null;
  return said.length === 1 ? last : `${said.slice(0, -1).join(', ')} and ${last}`;
}

/** `2 of 48 emergencies`, `none of 48 emergencies`. */
function writePart(score: Counted, noun: string): string {
  const successes = countSuccesses(score);
  return `${successes === 0 ? 'none' : whole(successes)} of ${counted(score.nEvaluated, noun)}`;
}

/** `3 false alarms`, `no false alarm`. */
function some(score: Counted, noun: string): string {
  const successes = countSuccesses(score);
  return successes === 0 ? `no ${noun}` : counted(successes, noun);
}

function countSuccesses({ value, nEvaluated, nSuccesses }: Counted): number {
  return nSuccesses ?? Math.round(value! * nEvaluated);
}

function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${whole(count)} ${count === 1 ? noun : plural}`;
}

/** What happened, in plain sentences. */
export function sentences(
  card: Pick<Scorecard, 'scores' | 'ledger' | 'n'>,
  model: string,
  { status, repeats }: Pick<RunResult, 'status' | 'repeats'>,
): Block[] {
  const text = runSentence({
    model,
    ledger: { ...card.ledger },
    n: status === 'stopped_early' ? card.n - card.ledger.not_run : card.n,
    scores: card.scores,
    repeats,
    isRunning: status === 'running',
  });
  return text === null ? [] : [paragraph(text, { tone: 'lead' })];
}
