import { between, casesText, decimals, percent, whole } from '../../reports/charts/number-text.ts';
import { list, numbers, paragraph, section, shown, table } from '../../reports/document/blocks.ts';
import type { Block, Section, SectionHead, Table } from '../../reports/document/document.ts';
import { counted, exactPercent, number, pText } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { PolicyReport, RunThreshold } from './run-threshold.ts';

/** The threshold of a run with its default promise, beside the other numbers of the run. */
export function threshold(report: Pick<RunResult, 'threshold' | 'status'>): Section | null {
  if (report.status === 'stopped_early') return STOPPED_EARLY;
  const found = report.threshold();
  return found && thresholdSection(found);
}

function thresholdSection(found: RunThreshold): Section {
  return section(HEAD, [
    ...advice(found),
    policyTable(found),
    notes(found),
    paragraph(splitText(found), { tone: 'small' }),
  ]);
}

/** The question that the section answers, also where the command alone is asked. */
export const THRESHOLD_QUESTION = 'Which confidence threshold is safe?';

const HEAD: SectionHead = {
  id: 'deployable-threshold',
  title: THRESHOLD_QUESTION,
  except: ['text'],
};

/** In place of a threshold. */
const STOPPED_EARLY = section(HEAD, [
  paragraph(
    'Not valid after an early stop: the exact tests behind a threshold need a number of cases that was fixed beforehand, and this run ended because of its answers. Choose a threshold on a run that asks all cases.',
  ),
]);

/** What is promised, in the words that may be quoted, or why nothing is; then what would change for patients. */
export function advice(found: RunThreshold): readonly Block[] {
  const [uninformative, change] = [uninformativeText(found), changeText(found)];
  return shown([
    paragraph(promiseText(found), { tone: 'lead' }),
    uninformative !== null && paragraph(uninformative, { tone: 'lead' }),
    change !== null && paragraph(change),
  ]);
}

/** The sentence that may be quoted. It never leaves out the emergencies. */
export function promiseText(found: RunThreshold): string {
  const { risk, confidence, threshold: lowest, evaluation, confidenceStatus } = found;
  const failures = failureWords(found);
  if (found.reason === 'confidence_inverted')
    return `No threshold is named, because confidence is inverted: it is higher where the model fails than where it is right (${aurocText(confidenceStatus)}). Accepting only confident answers would keep the failures.`;
  if (lowest === null)
    return `No threshold can be promised: with this much data, none keeps the share of answers that ${failures} at or below ${exactPercent(risk)} with ${exactPercent(confidence)} confidence. ${why(found)}`;
  return `With ${exactPercent(confidence)} confidence, at most ${exactPercent(risk)} of answers given at confidence >= ${lowest} ${failures}; ${emergencyClause(evaluation)}. The confidence is over the draw of the calibration part, for patients like these and this model, prompt and version; emergencies are those of the evaluation part.`;
}

/** What a policy does to emergencies, as the part of a sentence that every promise ends with. */
export function emergencyClause({
  emergencies: { n, missed, failed },
}: Pick<PolicyReport, 'emergencies'>): string {
  const unknown = failed === 1 ? 'the call about 1 emergency' : `the calls about ${failed} emergencies`;
  if (n === 0)
    return failed === 0
      ? 'no case here is marked as an emergency'
      : `${unknown} failed, so it is unknown whether any would be missed`;
  const known = `${missed} of ${n} emergencies would be missed`;
  return failed === 0 ? known : `${known}, and ${unknown} failed`;
}

/** What the promised share counts. */
function failureWords({ hasDeferralLabels }: RunThreshold): string {
  return hasDeferralLabels ? 'are wrong or should have been deferred' : 'are wrong';
}

/** What stands beside a promise on confidence that orders nothing; null where it does, or where that is unknown. */
function uninformativeText({ confidenceStatus }: RunThreshold): string | null {
  if (confidenceStatus.status !== 'uninformative') return null;
  return `Confidence does not tell right answers from failures (${aurocText(confidenceStatus)}): a threshold defers cases, but not the doubtful ones.`;
}

function aurocText({ auroc, lower, upper }: RunThreshold['confidenceStatus']): string {
  const ends = between({ lower, upper });
  return `strict AUROC of confidence ${number(auroc)}${ends === null ? '' : `, interval ${ends}`}`;
}

/** What the policy changes for patients, and that it is unsafe where it misses more emergencies; null where no case is marked. */
function changeText(found: RunThreshold): string | null {
  const { evaluation, acceptEveryAnswer: every, threshold: lowest } = found;
  const parts = HARMS.filter(({ name }) => CHANGES.has(name)).flatMap(({ name, read }) => {
    const [before, after] = [read(every), read(evaluation)];
    if (before === null || after === null || before.n === 0) return [];
    return [`${name} ${shareText(before)}${lowest === null ? '' : ` -> ${shareText(after)}`}`];
  });
  if (parts.length === 0) return null;
  const facts = parts.join(', ');
  if (lowest === null) return `Accepting every answer: ${facts}.`;
  const change = `From accepting every answer to this threshold: ${facts}.`;
  return missesMore(found)
    ? `Not safe for emergencies: this threshold misses more of them than accepting every answer does. ${change}`
    : change;
}

/** Whether the threshold misses emergencies that accepting every answer does not. */
export function missesMore({ evaluation, acceptEveryAnswer }: RunThreshold): boolean {
  return evaluation.emergencies.missed > acceptEveryAnswer.emergencies.missed;
}

/** Harm and cost of a policy, in the order of the report. */
const HARMS: readonly {
  readonly name: string;
  readonly read: (report: PolicyReport) => PolicyReport['answeredShouldDefer'] | null;
}[] = [
  {
    name: 'missed emergencies',
    read: ({ emergencies: { missed, n } }) => ({ count: missed, n }),
  },
  { name: 'false alarms', read: ({ falseAlarms }) => falseAlarms },
  { name: 'answered, should have deferred', read: ({ answeredShouldDefer }) => answeredShouldDefer },
  { name: 'wrong answers', read: ({ wrongAnswers }) => wrongAnswers },
  { name: 'deferred without need', read: ({ deferredWithoutNeed }) => deferredWithoutNeed },
];
const CHANGES = new Set(['missed emergencies', 'deferred without need']);

function shareText({ count, n }: PolicyReport['answeredShouldDefer']): string {
  return `${whole(count)}/${whole(n)}`;
}

function why({ reason, unit, calibration: { nUsable }, needed }: RunThreshold): string {
  const { accepted, records, acceptedForPower, recordsForPower } = needed!;
  const units = unit === 'id' ? 'cases' : unit === 'call' ? 'calls' : 'patients';
  const least = `${whole(accepted)} accepted answers without a failure${records === null ? '' : `, so ${whole(records)} ${units} of this kind`}`;
  const chance = 'For an 80 % chance to find a threshold where half that share fails';
  const plan = `plan for ${whole(acceptedForPower ?? 0)} accepted answers${recordsForPower === null ? '' : ` (${whole(recordsForPower)} ${units} if all usable answers are accepted)`}`;
  const fair =
    acceptedForPower === null
      ? ''
      : nUsable >= acceptedForPower
        ? ` ${chance}, ${plan}; the calibration part has ${whole(nUsable)} usable ones already, so more of the same may not help.`
        : ` ${chance}, ${plan}.`;
  if (reason === 'too_few_rows')
    return `The calibration part has ${whole(nUsable)} usable ${nUsable === 1 ? 'answer' : 'answers'}; the promise needs at least ${least}.${fair}`;
  return `The strictest threshold that was tested has too many failures.${fair}`;
}

/** The policy beside accepting every answer: harm first. */
export function policyTable(found: RunThreshold): Table {
  const { evaluation, acceptEveryAnswer, threshold: lowest, hasDeferralLabels } = found;
  const per = evaluation.n === evaluation.nUnits ? 'patients' : 'cases';
  const row = (name: string, read: (report: PolicyReport) => string) => [
    name,
    read(acceptEveryAnswer),
    read(evaluation),
  ];
  const failed = hasDeferralLabels ? 'of these, wrong or should be deferred' : 'of these, wrong';
  return table(
    'The policies on the evaluation part',
    [
      'on the evaluation part',
      ...numbers('accept every answer', lowest === null ? 'defer every answer' : `confidence >= ${lowest}`),
    ],
    [
      ...HARMS.filter(({ read }) => (read(evaluation)?.n ?? 0) > 0).map(({ name, read }) =>
        row(name, (report) => shareText(read(report)!)),
      ),
      row(
        'answers accepted',
        ({ coverage, answered, n }) => `${percent(coverage)} (${shareText({ count: answered, n })})`,
      ),
      row(failed, ({ risk, errors, answered }) =>
        risk === null ? 'no answer' : `${percent(risk)} (${shareText({ count: errors, n: answered })})`,
      ),
      row('its upper bound', ({ riskUpper }) => (riskUpper === null ? '' : percent(riskUpper))),
      row(`no answer accepted, per 100 ${per}`, ({ deferredPer100 }) => decimals(deferredPer100, 1)),
      row(`accepted failures, per 100 ${per}`, ({ errorsPer100 }) => decimals(errorsPer100, 1)),
    ],
  );
}

const RULES: Readonly<Record<RunThreshold['emergencyRule'], string>> = {
  urgency:
    'An emergency is missed where the model does not call it urgent. A case that the threshold defers keeps its flag.',
  label:
    'An emergency is missed where the accepted answer is not a label that means to act; a case that the threshold defers has none.',
  silence:
    'Urgency was not asked, so an emergency without an accepted answer is missed, also where the threshold defers it.',
};

/** What a reader must know about the rows behind the table. */
export function notes(found: RunThreshold): Block {
  const { evaluation, isContradicted, nUnlabelled, risk, emergencyRule, hasDeferralLabels } = found;
  const { deferred, emergencies } = evaluation;
  const reasons = [
    [
      deferred.belowThreshold,
      found.threshold === null ? 'answers, because no threshold was found' : 'below the threshold',
    ],
    [deferred.abstained, 'deferred by the model'],
    [deferred.invalid, 'unusable replies'],
    [deferred.noConfidence, 'without a confidence'],
    [deferred.failed, 'failed or never asked'],
  ] as const;
  const reasonText = reasons.flatMap(([n, what]) => (n === 0 ? [] : [`${whole(n)} ${what}`])).join(', ');
  return list(
    [
      isContradicted &&
        `The calibration part does not describe these cases: even the lower bound of the share that fails (${percent(evaluation.riskLower!)}) is above ${exactPercent(risk)}.`,
      emergencies.n + emergencies.failed > 0 && RULES[emergencyRule],
      hasDeferralLabels &&
        'An answer on a case that should have been deferred counts as a failure, right or wrong; so does a wrong answer where either is defensible.',
      `Without an accepted answer: ${reasonText || 'none'}.`,
      nUnlabelled > 0 && `${counted(nUnlabelled, 'answer')} without a label left out of coverage and risk.`,
      'The promise is about answers given. It does not hold for each patient, subgroup or class, nor after a change of model, prompt, population or temperature.',
    ].filter((text) => text !== false),
  );
}

/** How rows were split, so that the split can be made again. */
export function splitText(found: RunThreshold): string {
  const { calibration, evaluation, seed, generator, tested, n, errors, pValue } = found;
  const evidence =
    n === null
      ? `${counted(tested, 'threshold')} tested`
      : `${whole(errors!)} of ${whole(n)} accepted calibration answers failed (p ${pText(pValue!)}), ${counted(tested, 'threshold')} tested`;
  const several =
    calibration.nDrawn < calibration.nRows
      ? ` Units have several cases: one of each was drawn for calibration and for the bounds; counts and shares include all cases.`
      : '';
  return `Split by ${unitText(found)}, seed ${seed} (${generator}): ${whole(calibration.nUnits)} for calibration (${casesText(calibration.nRows)}, ${whole(calibration.nUsable)} usable), ${whole(evaluation.nUnits)} for evaluation (${casesText(evaluation.n)}). ${evidence}; exact binomial tests from strict to lenient, stopped at the first that failed.${several} The upper bound is one-sided at 95 %, exact (Clopper and Pearson).`;
}

function unitText({ unit }: RunThreshold): string {
  return unit === 'id' ? 'case' : unit === 'call' ? 'call (cases asked together are not independent)' : unit;
}

/** Calibration before and after a fit on the calibration part. */
export function recalibrationSection({ recalibration }: RunThreshold): Section | null {
  if (recalibration.length === 0) return null;
  const [{ reason } = { reason: null }] = recalibration.filter((entry) => entry.reason !== null);
  const isTurnedRound = recalibration.some((entry) => entry.isTurnedRound);
  const names = { none: 'as it is', isotonic: 'isotonic', platt: 'Platt' } as const;
  return section({ id: 'recalibration', title: 'What if confidence were recalibrated?' }, [
    paragraph(
      reason === null
        ? 'Fitted on the calibration part, shown on the evaluation part. A what-if: the threshold is chosen on confidence as it is, and an increasing map would accept the same answers.'
        : reason === 'too_few_rows'
          ? 'Not fitted: the calibration part has fewer than 30 usable answers.'
          : 'Not fitted: all calibration answers are right, or all are failures.',
    ),
    table(
      'Recalibration',
      ['confidence', ...numbers('Brier', 'ECE', 'ECE by chance, up to', 'overconfidence')],
      recalibration
        .filter((entry) => entry.reason === null)
        .map((entry) => [
          names[entry.method],
          ...[entry.brier, entry.ece, entry.eceByChance, entry.overconfidence].map(number),
        ]),
    ),
    isTurnedRound &&
      paragraph(
        'Confidence is turned round: failures carry the higher confidence (the slope of Platt scaling is negative).',
      ),
  ]);
}
