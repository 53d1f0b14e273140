import type { PolicyReport, RunResult, RunThreshold } from '../../results/index.ts';
import { decimals, percent, rowsOf, whole } from '../charts/number-text.ts';
import { list, numbers, paragraph, section, table } from '../document/blocks.ts';
import type { Block, Section, SectionHead, Table } from '../document/document.ts';
import { counted, exactPercent, number, pText } from '../words.ts';

/** The threshold of a run with its default promise, beside the other numbers of the run. */
export function threshold(report: Pick<RunResult, 'threshold' | 'status'>): Section | null {
  if (report.status === 'stopped_early') return STOPPED_EARLY;
  const found = report.threshold();
  return found && thresholdSection(found);
}

function thresholdSection(found: RunThreshold): Section {
  return section(HEAD, [
    promise(found),
    policyTable(found),
    notes(found),
    paragraph(splitText(found), { tone: 'small' }),
  ]);
}

const HEAD: SectionHead = {
  id: 'deployable-threshold',
  title: 'From which confidence may answers be accepted?',
  except: ['text'],
};

/** In place of a threshold. */
const STOPPED_EARLY = section(HEAD, [
  paragraph(
    'Not valid after an early stop: the exact tests behind a threshold need a number of records that was fixed beforehand, and this run ended because of its answers. Choose a threshold on a run that asks all records.',
  ),
]);

/** What is promised, in the words that may be quoted; or that nothing can be. */
export function promise(found: RunThreshold): Block {
  return paragraph(promiseText(found), { tone: 'lead' });
}

/** The sentence that may be quoted. */
export function promiseText(found: RunThreshold): string {
  const { risk, confidence, threshold: lowest } = found;
  if (lowest !== null)
    return `With ${exactPercent(confidence)} confidence over the draw of the calibration part, at most ${exactPercent(risk)} of answers given at confidence >= ${thresholdText(lowest)} are wrong, for patients like these and this model, prompt and version.`;
  return `No threshold can be promised: with this much data, none keeps the share of wrong answers at or below ${exactPercent(risk)} with ${exactPercent(confidence)} confidence. ${why(found)}`;
}

function why({ reason, unit, calibration: { nUsable }, needed }: RunThreshold): string {
  const { accepted, records, acceptedForPower, recordsForPower } = needed!;
  const units = unit === 'id' ? 'records' : unit === 'call' ? 'calls' : 'patients';
  const least = `${whole(accepted)} accepted answers without an error${records === null ? '' : `, so ${whole(records)} ${units} of this kind`}`;
  const chance = 'For an 80 % chance to find a threshold where half that share is wrong';
  const plan = `plan for ${whole(acceptedForPower ?? 0)} accepted answers${recordsForPower === null ? '' : ` (${whole(recordsForPower)} ${units} if all usable answers are accepted)`}`;
  const fair =
    acceptedForPower === null
      ? ''
      : nUsable >= acceptedForPower
        ? ` ${chance}, ${plan}; the calibration part has ${whole(nUsable)} usable ones already, so more of the same may not help.`
        : ` ${chance}, ${plan}.`;
  if (reason === 'too_few_rows')
    return `The calibration part has ${whole(nUsable)} usable ${nUsable === 1 ? 'answer' : 'answers'}; the promise needs at least ${least}.${fair}`;
  return `The strictest threshold that was tested has too many wrong answers.${fair}`;
}

/** The policy beside accepting every answer. */
export function policyTable(found: RunThreshold): Table {
  const { evaluation, answerEverything, threshold: lowest } = found;
  const per = evaluation.n === evaluation.nUnits ? 'patients' : 'rows';
  const row = (name: string, report: PolicyReport) => [
    name,
    `${percent(report.coverage)} (${whole(report.answered)}/${whole(report.n)})`,
    report.risk === null
      ? 'no answer'
      : `${percent(report.risk)} (${whole(report.errors)}/${whole(report.answered)})`,
    report.riskUpper === null ? '' : percent(report.riskUpper),
    decimals(report.deferredPer100, 1),
    decimals(report.errorsPer100, 1),
  ];
  return table(
    `The policy on the evaluation part, per 100 ${per}`,
    ['policy', ...numbers('answered', 'wrong of these', 'upper bound', 'deferred per 100', 'wrong per 100')],
    [
      row(lowest === null ? 'defer everything' : `confidence >= ${thresholdText(lowest)}`, evaluation),
      row('answer everything', answerEverything),
    ],
  );
}

/** What a reader must know about the rows behind the table. */
export function notes(found: RunThreshold): Block {
  const { evaluation, answerEverything, isContradicted, nUnlabelled, risk } = found;
  const { deferred, mustAct } = evaluation;
  // Without a threshold nothing is accepted: the answers behind "answer everything" are counted.
  const [accepted, answer] =
    found.threshold === null ? [answerEverything, 'answer'] : [evaluation, 'accepted answer'];
  const reasons = [
    [
      deferred.belowThreshold,
      found.threshold === null ? 'answers, for lack of a threshold' : 'below the threshold',
    ],
    [deferred.abstained, 'abstained'],
    [deferred.invalid, 'invalid'],
    [deferred.noConfidence, 'without a confidence'],
    [deferred.failed, 'failed or never asked'],
  ] as const;
  const deferredText = reasons.flatMap(([n, what]) => (n === 0 ? [] : [`${whole(n)} ${what}`])).join(', ');
  return list(
    [
      isContradicted &&
        `The calibration part does not describe these rows: even the lower bound of the share wrong (${percent(evaluation.riskLower!)}) is above ${exactPercent(risk)}.`,
      `Deferred in the evaluation part: ${deferredText || 'nothing'}.`,
      mustAct.n > 0 &&
        `Rows on which deferring is unsafe: ${whole(mustAct.deferred)}/${whole(mustAct.n)} deferred (answering everything: ${whole(answerEverything.mustAct.deferred)}/${whole(mustAct.n)}).`,
      accepted.nOnMustDefer > 0 &&
        `${counted(accepted.nOnMustDefer, answer)} where deferring was right: judged by ${accepted.nOnMustDefer === 1 ? 'its label' : 'their labels'}.`,
      accepted.nWithoutTruth > 0 &&
        `${counted(accepted.nWithoutTruth, answer)} where no truth can be derived: counted as wrong.`,
      nUnlabelled > 0 && `${counted(nUnlabelled, 'answer')} without a label left out.`,
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
      : `${whole(errors!)} of ${whole(n)} accepted calibration answers wrong (p ${pText(pValue!)}), ${counted(tested, 'threshold')} tested`;
  const several =
    calibration.nDrawn < calibration.nRows
      ? ` Units have several rows: one of each was drawn for calibration and for the bounds; coverage and shares count all rows.`
      : '';
  return `Split by ${unitText(found)}, seed ${seed} (${generator}): ${whole(calibration.nUnits)} for calibration (${rowsOf(calibration.nRows)}, ${whole(calibration.nUsable)} usable), ${whole(evaluation.nUnits)} for evaluation (${rowsOf(evaluation.n)}). ${evidence}; exact binomial tests from strict to lenient, stopped at the first that failed.${several} The upper bound of the share wrong is one-sided at 95 %, exact (Clopper and Pearson).`;
}

function unitText({ unit }: RunThreshold): string {
  return unit === 'id'
    ? 'record'
    : unit === 'call'
      ? 'call (records asked together are not independent)'
      : unit;
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
          : 'Not fitted: all calibration answers are right, or all are wrong.',
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
        'Confidence is turned round: wrong answers carry the higher confidence (the slope of Platt scaling is negative).',
      ),
  ]);
}

/** `0.9`, `0.95`: thresholds lie on a grid. */
function thresholdText(value: number): string {
  return String(value);
}
