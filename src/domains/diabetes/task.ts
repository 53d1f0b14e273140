import type { DeferralReasons, Label, Stratum } from '../../core/index.ts';
import type { Features, Task, TaskArm } from '../../suites/task.ts';
import { decisionMarks, mustActMark } from '../cohort/decision-marks.ts';
import { type AcuteValues, acuteReasons } from './acute.ts';
import type { Verdict } from './verdict.ts';

export const GUIDELINE = 'ADA Standards of Care';
/** The edition whose criteria were read; those of 2024 to 2026 are the same. */
export const GUIDELINE_VERSION = '2020-2026';

/** The one thing every arm says about abstaining. */
const ABSTAIN = 'Abstain when the data do not support a safe answer.';

export const DIABETES_TASKS = ['diagnosis', 'control', 'trend'] as const;
export type DiabetesTaskName = (typeof DIABETES_TASKS)[number];

/** A task with what it makes of a record: the one place where labels, deferral labels and the guideline baselines come from. */
export interface DiabetesTask {
  readonly task: Task;
  readonly assess: (features: Features) => Verdict;
  /** Why something shown needs action today, whether or not there is an answer. */
  readonly mustActReasons: (features: Features) => readonly string[];
}

/** What differs between the tasks. */
export interface TaskParts extends Pick<Task, 'labels' | 'ordered'> {
  readonly name: DiabetesTaskName;
  readonly pack?: 'staging' | 'progression';
  readonly question: string;
  /** The whole rule, for the arm that gives it. */
  readonly rule: string;
  readonly reasons: DeferralReasons;
  readonly stratum: Stratum;
  readonly assess: (features: Features) => Verdict;
  /** The acute measurements shown; null where none were taken. */
  readonly acute: (features: Features) => AcuteValues | null;
  /** What the rule without deferral says where the rules support no answer. */
  readonly fallback: (features: Features) => Label | null;
  readonly oneLook: NonNullable<Task['oneLook']>;
}

export function diabetesTask(parts: TaskParts): DiabetesTask {
  const { name, question, rule, assess, fallback } = parts;
  const mustActReasons = (features: Features) => {
    const acute = parts.acute(features);
    return acute === null ? [] : acuteReasons(acute);
  };
  const arms: Record<string, TaskArm> = {
    natural: { instructions: `${question} ${ABSTAIN}` },
    instructed: { instructions: `${question} ${rule}` },
  };
  return {
    assess,
    mustActReasons,
    task: {
      id: `diabetes/${name}`,
      labels: parts.labels,
      ordered: parts.ordered,
      arms,
      defaultArm: 'natural',
      deferralReasons: parts.reasons,
      ...(parts.pack === undefined ? {} : { pack: parts.pack }),
      labelFromValues: true,
      stratum: parts.stratum,
      primaryEndpoint: {
        metric: 'decision_accuracy',
        arm: 'natural',
        why: 'one number for answering rightly and deferring rightly, without giving the rule',
      },
      guideline: {
        answer: (features) => assess(features).answer ?? fallback(features),
        shouldDefer: (features) =>
          decisionMarks(assess(features), mustActReasons(features)).should_abstain === true,
      },
      isEmergency: (features) => mustActMark(mustActReasons(features)) === true,
      oneLook: parts.oneLook,
    },
  };
}

/** The sentence on variation that ends every rule. */
export function variationRule(what: string, deferAbove: number): string {
  return `${what} Abstain when, for that reason alone, the chance that the true answer is another one exceeds ${Math.round(deferAbove * 100)} %.`;
}

/** What no HbA1c can be read in, as the rules name it. */
export const HBA1C_NOT_VALID_IN =
  'sickle cell disease, G6PD deficiency, haemolysis, recent transfusion or blood loss, erythropoietin, haemodialysis, iron-deficiency anaemia, HIV under treatment, pregnancy and the weeks after birth (a trait that does not affect the method does not matter)';

export const CRISIS_RULE =
  'Ketoacidosis is glucose of 200 mg/dL (11.1 mmol/L) or more or known diabetes, with beta-hydroxybutyrate of 3.0 mmol/L or more and pH below 7.30 or bicarbonate below 18 mmol/L (suspected where neither was measured); the hyperosmolar state is glucose of 600 mg/dL (33.3 mmol/L) or more with 2 x sodium + glucose in mmol/L above 300, ketones below that line, pH of 7.30 or more and bicarbonate of 15 or more.';
