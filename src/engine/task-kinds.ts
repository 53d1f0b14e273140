import { contentHash } from '../core/canonical-json.ts';
import { KrisisError } from '../core/errors.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { Backend } from '../models/backend.ts';
import { type Judge, textParameters } from '../models/judge.ts';
import { checkEndpoint } from '../runs/primary-endpoint.ts';
import type { Run } from '../store/run.ts';
import { checkRecords, type RecordInput } from '../suites/define-suite.ts';
import { descriptionObject } from '../suites/description-json.ts';
import type { QuestionSuite } from '../suites/questions/question-suite.ts';
import type { Suite, SuiteDescription } from '../suites/suite.ts';
import { type AnyTask, asksUrgency, responseSchema, type Task, type TextTask } from '../suites/task.ts';
import { answerTemplate } from './questions/answer-prompt.ts';
import { checkClaims, resolveJury } from './questions/judges.ts';
import type { RunOptions } from './run-options.ts';

/** What a run does differently for labels and for answers in text. */
export interface TaskKind {
  /** Whether the user may give a template of the message. */
  readonly takesTemplate: boolean;
  /** Checks the options, and returns who judges the answers. */
  checkOptions(options: RunOptions): readonly Judge[];
  /** Records that a caller gives in place of the suite's own. */
  checkRecords(suite: Suite<AnyTask>, records: readonly RecordInput[]): readonly PatientRecord[];
  /** The order of asking, where another is not needed. */
  order(wanted: 'blind' | 'given'): 'blind' | 'given';
  /** What the wording and the order of asking add to the identity of a run. */
  identity(asked: {
    readonly parameters: NonNullable<Backend['parameters']>;
    readonly batchSize: number;
    readonly order: string;
  }): {
    readonly promptHash: string;
    readonly parameters: NonNullable<Backend['parameters']>;
    readonly batchSize: number;
    readonly order?: string;
  };
  /** The task as far as scores need it. */
  storedTask(backend: Backend): Run['task'];
  /** The suite in its file form. */
  storedSuite(suite: Suite<AnyTask>, description: Partial<SuiteDescription>): object;
}

/** The kind of a task. */
export function taskKind(task: AnyTask): TaskKind {
  return task.kind === 'text' ? openQuestions(task) : labels(task);
}

function labels(task: Task): TaskKind {
  return {
    takesTemplate: false,
    checkOptions: (options) => {
      checkEndpoint({ name: options.suite.name, task }, options);
      return [];
    },
    checkRecords: (suite, records) => checkRecords(suite as Suite, records),
    order: (wanted) => wanted,
    identity: (asked) => ({
      // Changes when the wording changes.
      promptHash: contentHash({
        instructions: task.arms[task.defaultArm]!.instructions,
        schema: responseSchema(task),
      }),
      ...asked,
    }),
    storedTask: (backend) => ({
      id: task.id,
      labels: task.labels,
      positiveLabel: task.positiveLabel ?? null,
      labelFromValues: task.labelFromValues ?? false,
      ordered: task.ordered,
      pack: task.pack ?? null,
      stratum: task.stratum ?? null,
      // Known only of a backend that says so.
      urgencyAsked: backend.asksUrgency === true ? asksUrgency(task) : null,
      actLabels: task.actLabels ?? null,
      deferralReasons: task.deferralReasons ?? null,
    }),
    // A caller of the library may describe a suite as they like.
    storedSuite: (_, description) =>
      description.deferral === undefined ? description : descriptionObject(description as SuiteDescription),
  };
}

function openQuestions(task: TextTask): TaskKind {
  return {
    takesTemplate: true,
    checkOptions: checkJudged,
    checkRecords: (_, records) => records as readonly PatientRecord[],
    // Open questions are few, and a reader expects them as the suite lists them.
    order: () => 'given',
    // They are asked one by one.
    identity: ({ parameters }) => ({
      promptHash: contentHash(answerTemplate(task)).slice(0, 16),
      parameters: textParameters(parameters),
      batchSize: 1,
    }),
    storedTask: () => null,
    storedSuite: (suite) => {
      const { name, hash, sensitivity, questions } = suite as QuestionSuite;
      return { name, suite_hash: hash, sensitivity, n_questions: questions.length };
    },
  };
}

function checkJudged({ suite, backend, judge, claims }: RunOptions): readonly Judge[] {
  if (judge === undefined)
    throw new KrisisError(`${suite.name}: open questions need a judge`, {
      code: 'ERR_JUDGE_REQUIRED',
      value: suite.name,
    });
  if (backend.generate === undefined)
    throw new KrisisError(
      `${backend.name} answers with labels only; open questions need a model that writes text`,
      { code: 'ERR_MODEL_WITHOUT_TEXT', value: backend.name },
    );
  const judges = resolveJury(judge);
  checkClaims(claims, judges);
  return judges;
}
