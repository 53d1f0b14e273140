import { setImmediate as nextTurn } from 'node:timers/promises';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import { RowTableBuilder } from '../../metrics/columns.ts';
import { defineMetric } from '../../metrics/define-metric.ts';
import { bundleMetrics, scoreTable } from '../../metrics/score.ts';
import type { Backend } from '../../models/backend.ts';
import { BASELINES, baselineBackend, createBaseline } from '../../models/baselines/create-baseline.ts';
import { labelAt } from '../../models/baselines/rules.ts';
import type { SuiteBaseline } from '../../runs/run-result.ts';
import { scoringFor, tableOptionsFor } from '../../runs/scoring-for.ts';
import type { Suite } from '../../suites/suite.ts';
import { asksUrgency, type Task } from '../../suites/task.ts';

/** The baselines that say something about the suite rather than about learning from it, in the order of a report. */
const SHOWN = ['majority', 'one-look', 'guideline', 'guideline-defer'];
/** What guessing reaches on a multiple choice. */
const CHANCE = 'chance';
/** More records move no line that a reader could see. */
const MAX_RECORDS = 10_000;
/** Records answered in one turn of the event loop, because a run that is asking wants its turn, too. */
const RECORDS_AT_ONCE = 100;

/** By the hash of the suite, and what it does not cover: several models of one command share them. */
const known = new Map<string, Promise<SuiteBaseline[]>>();

/**
 * The scores of the suite's baselines on its own records, whatever a run has asked: `majority` where there are training records, `guideline` and
 * `guideline-defer` where the task has a guideline, `one-look` where it has a rule of one look, chance and always the first option for multiple choice. At most the first 10,000 records are scored. Baselines that do not apply are left out.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 40 });
 * const baselines = await suiteBaselines(suite);
 * baselines.map(({ model }) => model).includes('baseline/guideline-defer') // => true
 * baselines[0].n // => 40
 * ```
 */
export async function suiteBaselines(suite: Suite): Promise<SuiteBaseline[]> {
  const { hash, nTraining } = await suite.describe();
  const key = [hash, nTraining, suite.task.guideline !== undefined].join(' ');
  const computed = known.get(key) ?? compute(suite);
  known.set(key, computed);
  return computed;
}

/**
 * How far the baseline one-look goes from majority (0) to guideline-defer (1) on decision accuracy: what a suite gives away to deferring without reasoning. Null where one
 * of the three has no value.
 *
 * @example
 * ```ts
 * const at = (name, value) => ({ model: `baseline/${name}`, n: 100, scores: { decision_accuracy: { value, lower: null, upper: null, n: 100 } } });
 * oneLookShare([at('majority', 0.2), at('guideline-defer', 1), at('one-look', 0.6)]) // => 0.5
 * oneLookShare([at('majority', 0.2)]) // => null
 * ```
 */
export function oneLookShare(baselines: readonly SuiteBaseline[]): number | null {
  const of = (name: string) =>
    baselines.find(({ model }) => model === `baseline/${name}`)?.scores.decision_accuracy?.value ?? null;
  const [none, most, look] = [of('majority'), of('guideline-defer'), of('one-look')];
  return none === null || most === null || look === null || most === none
    ? null
    : (look - none) / (most - none);
}

/** All baselines answer a record before the next is made. */
async function compute(suite: Suite): Promise<SuiteBaseline[]> {
  const { task } = suite;
  const names = SHOWN.filter((name) => BASELINES.includes(name));
  const applicable = await Promise.all(names.map((name) => namedBaseline(name, suite)));
  const first = task.choices === undefined ? null : scoredBaseline(alwaysFirst(task), suite);
  const chance = task.choices === undefined ? null : chanceLevel(suite, task.choices);
  const baselines = new Set([...applicable, first, chance].filter((baseline) => baseline !== null));
  let nAnswered = 0;
  for (const record of await loadRecords(suite)) {
    for (const baseline of baselines)
      try {
        await baseline.add(record);
      } catch {
        baselines.delete(baseline);
      }
    if (++nAnswered % RECORDS_AT_ONCE === 0) await nextTurn();
  }
  return [...baselines].flatMap((baseline) => baseline.score() ?? []);
}

/** The policy of the first option, by the name that people know: always A. */
function alwaysFirst(task: Task): Backend {
  return { ...baselineBackend('always-first', task, labelAt(task, 0)), name: `always ${task.labels[0]}` };
}

/**
 * What guessing reaches on average: each label that a record lets one choose is as likely. Questions with as many labels are answered by each of them in turn, and the counts averaged, so nothing is drawn.
 */
function chanceLevel(suite: Suite, choices: NonNullable<Task['choices']>): Scored {
  const byNumber = new Map<number, Scored[]>();
  return {
    async add(record) {
      const n = choices(record.features).length;
      const guesses =
        byNumber.get(n) ??
        Array.from({ length: n }, (_, place) =>
          scoredBaseline(baselineBackend(CHANCE, suite.task, labelAt(suite.task, place)), suite),
        );
      byNumber.set(n, guesses);
      for (const guess of guesses) await guess.add(record);
    },
    score() {
      const parts = [...byNumber.values()].map((guesses) => guesses.flatMap((guess) => guess.score() ?? []));
      const names = new Set(parts.flat().flatMap(({ scores }) => Object.keys(scores)));
      const scores: Record<string, SuiteBaseline['scores'][string]> = {};
      for (const name of names) {
        const sums = parts.map((guesses) =>
          averageCounts(guesses.flatMap(({ scores: own }) => own[name] ?? [])),
        );
        const n = sums.reduce((sum, part) => sum + part.n, 0);
        const successes = sums.reduce((sum, part) => sum + part.successes, 0);
        scores[name] = { value: n === 0 ? null : successes / n, lower: null, upper: null, n };
      }
      const nScored = parts.reduce((sum, guesses) => sum + (guesses[0]?.n ?? 0), 0);
      return nScored === 0 ? null : { model: CHANCE, n: nScored, scores };
    },
  };
}

/** The mean count of several policies on the same questions. */
function averageCounts(scores: readonly SuiteBaseline['scores'][string][]): { successes: number; n: number } {
  const known = scores.flatMap(({ value, n }) => (value === null ? [] : [{ successes: value * n, n }]));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / (scores.length || 1);
  return { successes: mean(known.map(({ successes }) => successes)), n: mean(known.map(({ n }) => n)) };
}

interface Scored {
  add(record: PatientRecord): Promise<void>;
  score(): SuiteBaseline | null;
}

/** Right answers among those given, as strict confidence metrics count them: any answer to a case that should be deferred is a failure. */
const selectiveAccuracyStrict = defineMetric({
  name: 'selective_accuracy_strict',
  proportion: (sample) => {
    const answers = [...sample].filter(
      ({ state, groundTruth, shouldAbstain }) =>
        state === 'answered' && (groundTruth !== null || shouldAbstain === true),
    );
    const right = answers.filter(({ correct, shouldAbstain }) => correct && shouldAbstain !== true);
    return { successes: right.length, n: answers.length };
  },
});

/** Null where the baseline does not apply: no training records, no guideline. A reference line must not fail a run, so one that cannot read a record is left out as well. */
async function namedBaseline(name: string, suite: Suite): Promise<Scored | null> {
  const backend = await createBaseline(name, suite).catch(() => null);
  return backend && scoredBaseline(backend, suite);
}

function scoredBaseline(backend: Backend, suite: Suite): Scored {
  const scoring = scoringFor(suite.task);
  const builder = new RowTableBuilder({ ...tableOptionsFor(scoring), urgencyAsked: asksUrgency(suite.task) });
  const add = async ({ id, features, label: groundTruth, metadata }: PatientRecord): Promise<void> => {
    const {
      prediction,
      abstained,
      confidence,
      urgent = null,
    } = await backend.evaluate({ id, features }, suite.task);
    builder.add(evaluationResult({ id, groundTruth, prediction, abstained, confidence, urgent, metadata }));
  };
  const score = () => {
    try {
      const metrics = [...bundleMetrics(scoring), selectiveAccuracyStrict].filter(
        ({ proportion }) => proportion !== undefined,
      );
      const { scores, nScored } = scoreTable(builder.finish(), { ...scoring, metrics, resamples: 0 });
      const summariseScore = ({
        value,
        interval,
        nEvaluated,
      }: (typeof scores)[number]): SuiteBaseline['scores'][string] => {
        const { lower = null, upper = null } = interval ?? {};
        return { value, lower, upper, n: nEvaluated };
      };
      return {
        model: backend.name,
        n: nScored,
        scores: Object.fromEntries(scores.map((score) => [score.name, summariseScore(score)])),
      };
    } catch {
      return null;
    }
  };
  return { add, score };
}

async function loadRecords(suite: Suite): Promise<Iterable<PatientRecord>> {
  const streams = suite.stream !== undefined && (suite.canStream?.() ?? true);
  return Iterator.from(streams ? suite.stream!() : await suite.load()).take(MAX_RECORDS);
}
