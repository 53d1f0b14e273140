import type { Label } from '../../core/label.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import type { Features, Task } from '../../suites/task.ts';
import { hasContextLine } from './fields.ts';
import type { Person } from './people.ts';
import { decisionMarks, mustActMark, type Verdict } from './verdict.ts';

/** The one thing every arm says about abstaining, unless it gives the rule. */
const ABSTAIN = 'Abstain when the data do not support a safe answer.';

/** General reasons to defer, of which those of a task are cases. */
export const MISSING = { general: 'data_missing' } as const;
export const OUTSIDE = { general: 'outside_scope' } as const;
export const UNCERTAIN = { general: 'uncertain' } as const;

/** A task with what it makes of a record: the one place where labels, deferral labels, must-act marks and the guideline baselines come from. */
export interface ClinicalTask<Case> {
  readonly task: Task;
  /** The case that is read off the features, what the rules make of it, and the marks of its record. */
  readonly decide: (features: Features) => {
    readonly given: Case;
    readonly verdict: Verdict;
    readonly marks: ReturnType<typeof decisionMarks>;
  };
}

/** What differs between the tasks of all domains. */
interface ClinicalTaskDefinition<Case>
  extends Pick<Task, 'id' | 'labels' | 'positiveLabel' | 'ordered' | 'pack' | 'labelFromValues'>,
    Required<Pick<Task, 'deferralReasons' | 'stratum'>> {
  readonly question: string;
  /** The whole rule, for the arm `instructed`. */
  readonly rule: string;
  /** An arm that separates arithmetic from judgement: a line is worked out for the model from the case. Default: none. */
  readonly shown?: {
    readonly arm: string;
    /** What the instructions say about the line. */
    readonly note: string;
    readonly label: string;
    readonly line: (given: Case) => string | number;
  };
  /** What the primary endpoint counts as done rightly. Default: `answering`. */
  readonly answering?: string;
  /** Reads the case back from what is shown, and from nothing else. */
  readonly read: (features: Features) => Case;
  readonly assess: (given: Case) => Verdict;
  /** Why something shown needs action today, or soon, whether or not there is an answer. */
  readonly mustAct: (given: Case) => readonly string[];
  /** What the rule without deferral says where the rules support no answer. Default: nothing. */
  readonly fallback?: (given: Case) => Label | null;
  /** What a plain reader of the guideline answers. Default: what the rules say. */
  readonly plainAnswer?: (given: Case) => Label | null;
  /** What one look answers, by a raw cut and without the rules. */
  readonly glance: (given: Case) => Label | null;
  /** Whether one look has nothing to go by: a missing critical value, or a child. It also defers on any clinical context. */
  readonly lacks: (given: Case) => boolean;
}

/** Reads a case once for the rules that look at its features one after the other. */
function readOnce<Case>(read: (features: Features) => Case): typeof read {
  let last: { readonly features: Features; readonly given: Case } | null = null;
  return (features) => {
    if (last?.features !== features) last = { features, given: read(features) };
    return last.given;
  };
}

/**
 * A task with the arms of every domain: `natural` gives the question and no line, margin or rule, and measures judgement; `instructed` gives the rule, and measures whether it is followed. Arms are
 * never pooled.
 */
export function clinicalTask<Case>(definition: ClinicalTaskDefinition<Case>): ClinicalTask<Case> {
  const { read: readCase, assess, mustAct, fallback, plainAnswer, glance, lacks, ...texts } = definition;
  const read = readOnce(readCase);
  const { question, rule, shown, answering = 'answering', ...parts } = texts;
  const decide = (features: Features) => {
    const given = read(features);
    const verdict = assess(given);
    return { given, verdict, marks: decisionMarks(verdict, mustAct(given)) };
  };
  return {
    decide,
    task: {
      labelFromValues: true,
      ...parts,
      arms: {
        natural: { instructions: `${question} ${ABSTAIN}` },
        ...(shown && {
          [shown.arm]: {
            instructions: `${question} ${shown.note} ${ABSTAIN}`,
            show: (features: Features) => ({ ...features, [shown.label]: shown.line(read(features)) }),
          },
        }),
        instructed: { instructions: `${question} ${rule}` },
      },
      defaultArm: 'natural',
      primaryEndpoint: {
        metric: 'decision_accuracy',
        arm: 'natural',
        why: `one number for ${answering} rightly and deferring rightly, without the rule being told`,
      },
      guideline: {
        answer(features) {
          const given = read(features);
          return assess(given).answer ?? fallback?.(given) ?? null;
        },
        ...(plainAnswer && { plainAnswer: (features) => plainAnswer(read(features)) }),
        shouldDefer: (features) => decide(features).marks.should_abstain === true,
      },
      isEmergency: (features) => mustActMark(mustAct(read(features))) === true,
      oneLook: {
        answer: (features) => glance(read(features)),
        shouldDefer: (features) => hasContextLine(features) || lacks(read(features)),
      },
    },
  };
}

/** A record of a task: what is shown, and what follows from that. `facts` come first in the metadata, `hidden` last. */
export function clinicalRecord<Case>(
  { decide }: ClinicalTask<Case>,
  parts: Pick<PatientRecord, 'id' | 'features'> & {
    readonly person: Pick<Person, 'age' | 'sex'> & { readonly ethnicity: string | null };
    /** The band of the youngest adults. */
    readonly youngest: string;
    readonly facts: (given: Case) => Readonly<Record<string, unknown>>;
    readonly hidden: (given: Case) => Readonly<Record<string, unknown>>;
  },
): PatientRecord {
  const { id, features, person, facts, youngest, hidden } = parts;
  const { given, verdict, marks } = decide(features);
  return {
    id,
    features,
    label: verdict.answer,
    metadata: {
      ...facts(given),
      age: person.age,
      age_band: ageBand(person.age, youngest),
      sex: person.sex,
      ethnicity: person.ethnicity,
      ...marks,
      flip_probability: roundOrNull(verdict.flipProbability, 1e4),
      ...hidden(given),
    },
  };
}

/** The sentence on variation that ends a rule. */
export function variationRule(what: string, deferAbove: number): string {
  return `${what} Abstain when, for that reason alone, the chance that the true answer is another one exceeds ${Math.round(deferAbove * 100)} %.`;
}

function ageBand(age: number, youngest: string): string {
  return age < 45 ? youngest : age < 65 ? '45-64' : age < 75 ? '65-74' : '75+';
}

/** Rounded to a fraction of 1; null stays null. */
export function roundOrNull(value: number | null, perUnit: number): number | null {
  return value === null ? null : Math.round(value * perUnit) / perUnit;
}
