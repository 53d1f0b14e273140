import { basename } from 'node:path';
import { isJudged } from '../../analyses/judging/judged-result.ts';
import { toFile } from '../../core/codec.ts';
import { KrisisError } from '../../core/errors.ts';
import { code, paragraph, section, shown } from '../../reports/document/blocks.ts';
import type { Fact, ReportDocument } from '../../reports/document/document.ts';
import { dateText, exactPercent, inWords } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { promptHashes } from '../../runs/sections/provenance.ts';
import { verificationAlert } from '../../runs/unproven-file.ts';
import type { AnalysisCommand } from '../analysis.ts';
import { type RunThreshold, runThresholdSchema } from './run-threshold.ts';
import {
  advice,
  missesMore,
  notes,
  policyTable,
  promiseText,
  recalibrationSection,
  splitText,
  THRESHOLD_QUESTION,
} from './section.ts';

const NOTES = `
A seed splits the patients in two. One part chooses the lowest confidence at
which to accept answers; the other part shows what that policy does, missed
emergencies first. An answer that is wrong, or that should have been deferred,
is a failure. Often there is no such threshold: then the command says how many
cases it would take. None is named where confidence is higher when the model fails.
Choose risk, confidence and seed before you look.

Exit codes: 0 done, with a threshold or without one; 2 usage or bad input; 3 the
run file is unsealed or unverified. To fail a build, use a condition:
'threshold_coverage(0.05, 0.9) >= 0.5'.

Examples:
  krisis threshold latest
  krisis threshold latest --risk 0.1 --confidence 0.95
  krisis threshold my-run --format html -o threshold.html
  krisis report my-run --assert 'threshold_coverage(0.05, 0.9) >= 0.5'
`;

/** `krisis threshold RUN`: the lowest confidence at which to accept answers, with a promise and its emergencies. */
export const command: AnalysisCommand<RunThreshold> = {
  name: 'threshold',
  notes: NOTES,
  sets: { recalibrate: true },
  document: thresholdDocument,
  object: thresholdObject,
  refuse: (run) => {
    const { status, backendName } = run;
    if (status === 'stopped_early')
      return new KrisisError(
        `${backendName}: no threshold after an early stop: its exact tests need a number of cases that was fixed beforehand, and this run ended because of its answers; choose the threshold on a run that asks all cases`,
        { code: 'ERR_NO_THRESHOLD', value: backendName },
      );
    const why = isJudged(run) ? 'answers of this run are texts' : 'this run came without its cases';
    return new KrisisError(`${backendName}: a threshold needs cases with labels and confidences; ${why}`, {
      code: 'ERR_NO_THRESHOLD',
      value: backendName,
    });
  },
};

/** A threshold that could be deployed, with what it rests on. */
function thresholdDocument(report: RunResult, found: RunThreshold): ReportDocument {
  const { backendName, suiteName, status, createdAt, path, suiteHash } = report;
  const alert = verificationAlert(report);
  return {
    title: `Threshold of ${backendName} on ${suiteName}`,
    summary: [
      `${suiteName}, ${backendName}: threshold for at most ${exactPercent(found.risk)} failures among answers given, with ${exactPercent(found.confidence)} confidence`,
    ],
    badges: shown([
      alert !== null && { tone: 'bad' as const, text: report.verification!.verdict },
      found.reason === 'confidence_inverted'
        ? { tone: 'bad' as const, text: 'confidence is inverted' }
        : found.threshold === null && { tone: 'caution' as const, text: 'no threshold can be promised' },
      missesMore(found) &&
        found.threshold !== null && { tone: 'bad' as const, text: 'misses more emergencies' },
      report.extras.simulated && { tone: 'caution' as const, text: 'simulated model' },
      status !== 'complete' && { tone: 'bad' as const, text: `incomplete: ${inWords(status)}` },
    ]),
    facts: [
      ['Suite', code(suiteName)],
      ['Suite hash', code(suiteHash ?? 'not stated')],
      ['Model', code(backendName)],
      ...madeWith(report).map(([name, values]): Fact => [name, code(values.join(', '))]),
      ['Run started', dateText(createdAt)],
      ...(path === null ? [] : [['Run file', code(basename(path))] as const]),
    ],
    alerts: alert === null ? [] : [alert],
    warnings: listWarnings(report, found),
    sections: shown([
      section({ id: 'threshold', title: THRESHOLD_QUESTION }, advice(found)),
      section({ id: 'policy', title: 'On patients that did not choose it' }, [
        policyTable(found),
        notes(found),
      ]),
      recalibrationSection(found),
      section({ id: 'method', title: 'Method' }, [paragraph(splitText(found), { tone: 'small' })]),
    ]),
    footer: `Made by Krisis. ${promiseText(found)} An evaluation of a model on a benchmark: not a medical device, not a clinical study, and no advice for any patient.`,
  };
}

/** What the promise is bound to besides the model's name: after a change of one of these, calibrate again. */
function madeWith(report: RunResult) {
  return (
    [
      ['Model as the provider names it', report.extras.model_ids],
      ['Prompt templates (SHA-256)', promptHashes(report)],
      ['Confidence from', [report.confidenceSource]],
    ] as const
  ).filter(([, values]) => values.length > 0);
}

/** The threshold with the run that it was chosen on, in the keys of the JSON reports. */
function thresholdObject(report: RunResult, found: RunThreshold) {
  return {
    model: report.backendName,
    model_ids: report.extras.model_ids,
    suite: report.suiteName,
    suite_hash: report.suiteHash,
    prompt_sha256: promptHashes(report),
    confidence_source: report.confidenceSource,
    status: report.status,
    run_file_verdict: report.verification?.verdict ?? null,
    created_at: report.createdAt,
    ...toFile(runThresholdSchema, found),
  };
}

function listWarnings(
  { status, extras }: RunResult,
  { isContradicted, unit }: RunThreshold,
): readonly string[] {
  return shown([
    status !== 'complete' && `The run is ${inWords(status)}: cases that were not asked count as deferred.`,
    extras.simulated && 'A simulated model: the numbers show how the command works.',
    isContradicted && 'The calibration part does not describe the cases of the evaluation part.',
    unit === 'call' && 'Cases were asked several to a call, so calls were split and drawn, not patients.',
  ]);
}
