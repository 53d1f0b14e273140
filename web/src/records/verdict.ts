import { DECISION_WORDS, type DecisionClass, emergencyReasons } from '../../../src/viewer/browser.ts';
import type { RecordPayload, RunPayload } from '../api.ts';
import { words } from '../parts/words.ts';

type Rule = RunPayload['emergency_rule'];

/** How the decision on a record turned out, in one sentence: `Missed emergency: potassium 6.5 or more; the model deferred.` */
export function verdictText(record: RecordPayload, rule: Rule): string {
  const { decision_class: name } = record;
  if (name === null) return 'This case was not asked.';
  const why = WHY[name](record, rule);
  const [head, alarm] = [DECISION_WORDS[name], isFalseAlarm(record) ? FALSE_ALARM : ''];
  return `${head[0]!.toUpperCase()}${head.slice(1)}${why === '' ? '' : `: ${why}`}${alarm}.`;
}

/** Whether the model called a case urgent that needs no action today. */
export function isFalseAlarm({ must_act: mustAct, urgent }: RecordPayload): boolean {
  return mustAct === false && urgent === true;
}

const FALSE_ALARM = '; false alarm: called urgent, but nothing needs action today';

const WHY: Readonly<Record<DecisionClass, (record: RecordPayload, rule: Rule) => string>> = {
  missed_emergency: (record, rule) =>
    `${findings(record) || 'the case needs action today'}; the model ${missedBy(record, rule)}`,
  answered_should_defer: (record) =>
    [reasonsText(record), `the model answered${quoted(record.prediction)}`]
      .filter((part) => part !== '')
      .join('; '),
  wrong_answer: ({ prediction, label }) =>
    prediction === null ? `the answer is ${label}` : `${prediction} instead of ${label}`,
  deferred_without_need: ({ label }) => (label === null ? '' : `the answer is ${label}`),
  unusable: ({ outcome }) => (outcome === 'refused' ? 'the model refused' : 'it has no readable answer'),
  failed: () => '',
  answered_either: () => '',
  deferred_either: () => '',
  rightly_deferred: reasonsText,
  right_answer: ({ label }) => label ?? '',
};

/** The findings that call for action: by their values where the record shows one, else in words. */
function findings(record: RecordPayload): string {
  const reasons = emergencyReasons(record.metadata);
  return reasons.map((reason) => valueBehind(record, reason) ?? words(reason)).join(', ');
}

/** Reasons to defer in words, each with the value that it rests on. */
function reasonsText(record: RecordPayload): string {
  const withValue = (reason: string) => {
    const value = valueBehind(record, reason);
    return value === null ? words(reason) : `${words(reason)} (${value})`;
  };
  return record.reasons.map(withValue).join(', ');
}

/** `serum potassium 7.6 mEq/L`, `on maintenance haemodialysis`; null unless the reason rests on a single number or word of the record. */
function valueBehind({ decisive, features }: RecordPayload, reason: string): string | null {
  const [one, ...others] = decisive.filter(({ reasons }) => reasons.includes(reason));
  const value = one && features?.[one.feature];
  if (others.length > 0 || (typeof value !== 'number' && typeof value !== 'string') || value === '')
    return null;
  if (typeof value === 'string') return value;
  const [, name = one!.feature, unit = ''] = /^(.*) \(([^()]*)\)$/.exec(one!.feature) ?? [];
  const first = /^[A-Z][a-z]/.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name;
  return `${first} ${value} ${unit}`.trim();
}

function missedBy({ outcome, prediction }: RecordPayload, rule: Rule): string {
  if (outcome === 'abstained') return rule === 'urgency' ? 'deferred and did not call it urgent' : 'deferred';
  if (outcome === 'refused') return 'refused';
  if (outcome === 'invalid') return 'gave no readable reply';
  return rule === 'label' ? `answered${quoted(prediction)}` : 'answered without calling it urgent';
}

function quoted(answer: string | null): string {
  return answer === null ? '' : ` “${answer}”`;
}
