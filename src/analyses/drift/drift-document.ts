import { basename } from 'node:path';
import { toFile } from '../../core/codec.ts';
import type { HistoryPoint } from '../../reports/charts/history-chart.ts';
import { percent, whole } from '../../reports/charts/number-text.ts';
import {
  code,
  figure,
  list,
  numbers,
  paragraph,
  section,
  shown,
  strong,
  table,
} from '../../reports/document/blocks.ts';
import type { Block, ReportDocument, Row } from '../../reports/document/document.ts';
import { counted, dateText, levelText, number, pText } from '../../reports/words.ts';
import { type DriftEntry, type RunDrift, runDriftSchema } from './run-drift.ts';

const MEASURES = { decision_accuracy: 'decision accuracy', accuracy: 'accuracy' } as const;

/** Runs of one suite and model over time: which differ from the reference, and what would have been found. */
export function driftDocument(drift: RunDrift): ReportDocument {
  const { suite, model, reference, runs, leftOut, alpha } = drift;
  const verdict = verdictText(drift);
  return {
    title: `${model} on ${suite}, over time`,
    summary: [`${suite}, ${model}: ${counted(runs.length, 'later run')} beside the reference`],
    badges: shown([drift.isAlarm && { tone: 'bad' as const, text: 'differs from the reference' }]),
    facts: [
      ['Suite', code(suite)],
      ['Model', code(model)],
      ['Reference', code(basename(reference.path))],
      ['Reference started', dateText(reference.createdAt)],
      ['Error over all looks', String(alpha)],
    ],
    warnings: [
      ...runs.flatMap(({ isModelIdChanged, modelIds, path }) =>
        isModelIdChanged
          ? [
              `${basename(path)}: the provider reports another model, ${modelIds.join(', ') || 'none'} (reference: ${reference.modelIds.join(', ') || 'none'}).`,
            ]
          : [],
      ),
      ...runs.flatMap(({ path, createdAt }) =>
        createdAt < reference.createdAt
          ? [`${basename(path)} is older than the reference: "then" and "lost" are said of the reference.`]
          : [],
      ),
      ...leftOut.map(({ path, reason }) => `${basename(path)} is left out: ${reason}.`),
    ],
    sections: [
      section({ id: 'drift', title: 'Verdict' }, [
        paragraph(verdict, { tone: 'lead' }),
        runsTable(drift),
        list(runs.map((run) => runLine(run, drift))),
      ]),
      section({ id: 'chart', title: 'Control chart' }, chartBlocks(drift)),
      section({ id: 'method', title: 'Method' }, [paragraph(methodText(drift), { tone: 'small' })]),
    ],
    footer: `Made by Krisis. ${verdict} Scores alone show no cause. An evaluation of a model on a benchmark: not a medical device, not a clinical study, and no advice for any patient.`,
  };
}

/** Drift as JSON prints it: files by their names. */
export function driftObject({ reference, runs, leftOut, ...drift }: RunDrift) {
  const named = <T extends { readonly path: string }>(entry: T): T => ({
    ...entry,
    path: basename(entry.path),
  });
  return toFile(runDriftSchema, {
    ...drift,
    reference: named(reference),
    runs: runs.map(named),
    leftOut: leftOut.map(named),
  });
}

function verdictText(drift: RunDrift): string {
  const { runs, isAlarm, measure, alpha } = drift;
  const judged = runs.filter(({ test }) => test !== null);
  if (judged.length === 0) return 'No verdict: no later run can be paired with the reference.';
  const found = judged.filter(({ test }) => test!.signal);
  const last = judged.at(-1)!;
  if (!isAlarm)
    return `No change was shown in ${MEASURES[measure]}, at an error of ${levelText(alpha)} over all looks. That is not "no drift": at look ${last.look} it takes at least ${last.fewestFlips} ${nameUnits(drift)} in one direction to show a change${tooFew(last)}.`;
  const names = found.map(({ path, test }) => `${basename(path)} (${test!.direction})`).join(', ');
  return `Alarm: ${MEASURES[measure]} differs from the reference in ${names}, at an error of ${levelText(alpha)} over all looks.`;
}

/** What has to change for a signal. */
function nameUnits({ repeats, isBatched }: RunDrift): string {
  return isBatched ? 'calls that changed' : repeats > 1 ? 'cases that changed' : 'flips';
}

/** Where no outcome could have been an alarm. */
function tooFew({ nUnits, fewestFlips }: DriftEntry): string {
  return nUnits < fewestFlips! ? `, more than were paired (${nUnits})` : '';
}

const STATES = {
  in: 'in',
  warning: 'warning',
  two_of_three: 'two of three',
  action: 'action',
} as const;

function runsTable({ runs, reference }: RunDrift) {
  const row = ({ createdAt, flips, before, now, look, test, state }: DriftEntry, i: number): Row => [
    String(i + 1),
    createdAt.slice(0, 10) || '-',
    number(before),
    number(now),
    flips === null ? '-' : whole(flips.lost),
    flips === null ? '-' : whole(flips.gained),
    test === null ? '-' : pText(test.p),
    test === null ? '-' : `${look}: ${test.alpha.toPrecision(2)}`,
    test === null ? 'no verdict' : test.signal ? strong(test.direction!) : 'not shown',
    state === null ? '-' : STATES[state],
  ];
  return table(
    `Later runs beside ${basename(reference.path)}`,
    [
      ...numbers('run'),
      'started',
      ...numbers('then', 'now', 'lost', 'gained', 'p', 'look: error'),
      'change',
      'chart',
    ],
    runs.map(row),
  );
}

function runLine({ path, flips, nFailed, nRecords, noVerdict, fewestFlips }: DriftEntry, drift: RunDrift) {
  const { repeats, reference } = drift;
  const own =
    reference.ownChurn === null ? '' : ` (between repeats of the reference: ${percent(reference.ownChurn)})`;
  const failed =
    nFailed === 0
      ? ''
      : `; ${whole(nFailed)} of ${whole(nRecords)} cases have no reply in one of the runs (failed, or not asked) and are left out`;
  if (noVerdict === 'nothing_paired')
    return [code(basename(path)), ': no case has a reply in both runs; no verdict'];
  const what = repeats === 1 ? 'cases' : 'replies';
  const paired = `${whole(flips!.n)} ${what} paired, ${whole(flips!.changed)} decisions changed (churn ${percent(flips!.churn)})${own}${failed}`;
  if (noVerdict === 'too_many_failed')
    return [code(basename(path)), `: ${paired}: more than 5 %, so no verdict`];
  return [
    code(basename(path)),
    `: ${paired}; at least ${fewestFlips} ${nameUnits(drift)} in one direction show a change`,
  ];
}

function chartBlocks({ runs, limits, reference, measure, nCharted }: RunDrift): readonly (Block | null)[] {
  if (limits === null) return [paragraph('There is nothing to draw: no case has a reply in all runs.')];
  const charted = runs.flatMap((run, i) => (run.charted === null ? [] : [{ run, name: `run ${i + 1}` }]));
  const point = (date: string, value: number, isAlarm: boolean): HistoryPoint => ({
    date: date.slice(0, 10),
    value,
    lower: null,
    upper: null,
    n: nCharted,
    isAlarm,
  });
  const points = [
    point(reference.createdAt, limits.centre, false),
    ...charted.map(({ run }) => point(run.createdAt, run.charted!, run.test?.signal === true)),
  ];
  const lines = [
    { name: 'reference', value: limits.centre },
    ...limits.warning.map((value) => ({ name: 'warning', value })),
    ...limits.action.map((value) => ({ name: 'action', value })),
  ];
  const rows = [
    ['reference', dateText(reference.createdAt), number(limits.centre), ''],
    ...charted.map(({ run, name }) => [
      name,
      dateText(run.createdAt),
      number(run.charted),
      STATES[run.state!],
    ]),
  ];
  const bounds = ([low, high]: readonly [number, number]) => `${number(low)} to ${number(high)}`;
  return [
    paragraph(
      `Limits around the reference (${number(limits.centre)}): warning ${bounds(limits.warning)}, action ${bounds(limits.action)}, on the ${whole(nCharted)} cases with a reply in all runs.`,
    ),
    {
      ...figure(
        { chart: 'history', data: { title: MEASURES[measure], points, limits: lines } },
        'The reference comes first. A diamond marks a run that differs from it by the paired test, which decides; the limits are a picture, and conservative on the same cases.',
        table('Control chart', ['run', 'started', ...numbers(MEASURES[measure]), 'state'], rows),
      ),
      except: ['text'],
    },
  ];
}

function methodText({ measure, repeats, alpha, isBatched }: RunDrift): string {
  const test = isBatched
    ? 'the sign-flip test on the differences summed over the cases of a call, since answers from one call are not independent'
    : repeats === 1
      ? 'the exact McNemar test on the cases that were right in one of the runs only'
      : `the sign-flip test on the share right of ${repeats} replies per case`;
  const covered = measure === 'decision_accuracy' ? 'cases with a deferral label' : 'cases with a label';
  return `The measure is ${MEASURES[measure]} over ${covered}; deferrals and invalid replies are decisions. The test is ${test}; look k may spend ${alpha} / (k (k + 1)), which adds up to ${alpha} over any number of looks. A run looked at again is the same look as long as its decisions are the same. Chart limits: Wilson intervals of the reference with z = 1.96 √2 (warning) and 3 √2 (action).`;
}
