import { suiteBaselines } from '../analyses/baselines/suite-baselines.ts';
import { traitScoreNames, unjudgedScoreNames } from '../analyses/judging/trait-scores.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { Metric } from '../metrics/metric.ts';
import { extendedMetrics } from '../metrics/registry.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import {
  baselinesObject,
  descriptionText,
  questionSuiteObject,
  questionSuiteText,
} from '../runs/describe-suite.ts';
import { scoringFor } from '../runs/scoring-for.ts';
import { descriptionObject } from '../suites/description-json.ts';
import { type AnySuite, isQuestionSuite, type QuestionSuite } from '../suites/questions/question-suite.ts';
import type { Suite } from '../suites/suite.ts';
import { suiteHash } from '../suites/suite-hash.ts';
import type { RunSettings } from './config/run-values.ts';
import { namesOfMetrics } from './gate-options.ts';
import type { planGates } from './plan-gates.ts';

/** What commands do differently for suites with labels and for open questions. */
export interface SuiteKind {
  /** The models and judges that a run needs, and the message where one is missing. */
  readonly requires: { readonly roles: readonly ('model' | 'judge')[]; readonly message: string };
  /** The judges that a run asks; undefined where nothing is judged. */
  judges(settings: RunSettings): RunSettings['judge'];
  /** The names that conditions may use. */
  conditionNames(scoring: ScoringOptions, ownMetrics: readonly Metric[]): Parameters<typeof planGates>[1];
  /** Scores that need no judge; null where none does. */
  readonly unjudgedScores: readonly string[] | null;
  /** Metrics by which the number of records is planned; null where scores are of questions and items. */
  readonly metrics: readonly Metric[] | null;
  /** The version of these records of the suite. */
  hash(records: readonly PatientRecord[]): string;
  /** What the suite holds, for programs and for people. */
  describe(width: number): Promise<{ readonly json: object; readonly text: string }>;
}

/** The kind of a suite. */
export function suiteKind(suite: AnySuite): SuiteKind {
  return isQuestionSuite(suite) ? openQuestions(suite) : labels(suite);
}

function labels(suite: Suite): SuiteKind {
  return {
    requires: {
      roles: ['model'],
      message: 'no model named; use --model NAME, e.g. --model simulated/careful (krisis check lists them)',
    },
    judges: () => undefined,
    conditionNames: (scoring, ownMetrics) =>
      namesOfMetrics({ ...scoringFor(suite.task), ...scoring }, ownMetrics),
    unjudgedScores: null,
    metrics: extendedMetrics(scoringFor(suite.task)),
    hash: (records) => suiteHash(suite.task, records),
    describe: async (width) => {
      const description = await suite.describe();
      const baselines = await suiteBaselines(suite);
      return {
        json: { ...descriptionObject(description), ...baselinesObject(baselines) },
        text: descriptionText(description, suite.task, baselines, width),
      };
    },
  };
}

function openQuestions(suite: QuestionSuite): SuiteKind {
  const rubrics = suite.questions.map(({ rubric }) => rubric);
  return {
    requires: {
      roles: ['model', 'judge'],
      message:
        'open questions need a model and a judge: --model M --judge J, e.g. --model baseline/reference --judge baseline/lexical, which need no key',
    },
    judges: ({ judge }) => judge,
    conditionNames: () => ({
      names: traitScoreNames(
        rubrics,
        suite.questions.flatMap(({ tags }) => tags ?? []),
      ),
    }),
    unjudgedScores: unjudgedScoreNames(rubrics),
    metrics: null,
    hash: () => suite.hash,
    describe: async (width) => ({
      json: questionSuiteObject(suite),
      text: questionSuiteText(suite, width),
    }),
  };
}
