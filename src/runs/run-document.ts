import { basename } from 'node:path';
import { PLACES, type Place, type Sections } from '../analyses/analysis.ts';
import { forGood } from '../analyses/failures/section.ts';
import { JUDGE_STATUS, judgeText } from '../analyses/judging/judge-section.ts';
import { isJudged, type JudgedResult } from '../analyses/judging/judged-result.ts';
import { roles } from '../analyses/judging/roles-section.ts';
import { sectionsAt } from '../analyses/registry.ts';
import { isScored } from '../core/states.ts';
import { isHarmWarning, nameFaults } from '../metrics/warning.ts';
import { casesText } from '../reports/charts/number-text.ts';
import { code, shown } from '../reports/document/blocks.ts';
import type { Fact, ReportDocument, Section } from '../reports/document/document.ts';
import { counted, dateText, inWords, ledgerText } from '../reports/words.ts';
import { methodText } from './method-text.ts';
import type { ReportOptions } from './report-options.ts';
import type { RunResult } from './run-result.ts';
import {
  cachedSummary,
  cardSummary,
  isEmpty,
  listMessages,
  methodSection,
  NOTHING_SCORED,
} from './scorecard-text.ts';
import { checklist } from './sections/checklist.ts';
import { calibration, riskCoverage } from './sections/confidence.ts';
import { execution } from './sections/execution.ts';
import { gates } from './sections/gates.ts';
import { groups } from './sections/groups.ts';
import { headline } from './sections/headline.ts';
import { ledger } from './sections/ledger.ts';
import { confusion, deferral } from './sections/matrices.ts';
import { metrics } from './sections/metrics.ts';
import { prompts } from './sections/prompts.ts';
import { provenance } from './sections/provenance.ts';
import { verificationAlert } from './unproven-file.ts';

/** The report of a run, for text, Markdown and HTML. */
export function runDocument(
  report: RunResult,
  { verdicts = [], isBrief = false }: ReportOptions = {},
): ReportDocument {
  const version = report.krisisVersion === null ? '' : ` (run by version ${report.krisisVersion})`;
  return {
    title: `${report.backendName} on ${report.suiteName}`,
    summary: writeSummary(report),
    badges: listBadges(report),
    facts: isBrief ? [] : listFacts(report),
    alerts: listAlerts(report),
    warnings: listWarnings(report),
    sections: runSections(report, { verdicts, isBrief }),
    footer: `Made by Krisis${version}. An evaluation of a model on a benchmark: not a medical device, not a clinical study, and no advice for any patient.`,
  };
}

/** The sections of a run's report, which its page shows too. */
export function runSections(
  report: RunResult,
  { verdicts = [], isBrief = false }: ReportOptions = {},
): readonly Section[] {
  const options = { verdicts, isBrief };
  const at = (place: Place) => [
    ...(OWN[report.task?.kind ?? 'labels'][place]?.(report, options) ?? []),
    ...sectionsAt(place, report, options),
  ];
  return shown([
    ...(isWithoutScores(report) ? emptySections(at) : PLACES.flatMap(at)),
    isBrief ? methodSection(methodText(report)) : null,
  ]);
}

/** Whether a run has nothing to show numbers of: no answers, or no verdict because the calls of the judge failed. Answers that were not judged yet are something. */
function isWithoutScores(report: RunResult): boolean {
  if (!isEmpty(report) || !isJudged(report)) return isEmpty(report);
  return (
    report.judging.answers.every(({ state }) => !isScored(state)) ||
    forGood(report.failures).some(({ role }) => role === 'judge')
  );
}

/** Why there are no numbers, in place of tables of nothing. */
function emptySections(at: (place: Place) => readonly (Section | null)[]): (Section | null)[] {
  const places: readonly Place[] = ['conditions', 'flow', 'ledger', 'details'];
  return [...at('problems'), NOTHING_SCORED, ...places.flatMap(at)];
}

/** The sections of a run that no analysis has, by what it answered with. */
const OWN: Readonly<Record<'labels' | 'text', OwnSections>> = {
  labels: {
    headline: (run) => [headline(run)],
    conditions: (_, { verdicts = [] }) => [gates(verdicts)],
    ledger: (run) => [ledger(run)],
    confidence: (run) => [calibration(run), riskCoverage(run)],
    decisions: (run) => [confusion(run), deferral(run)],
    groups: (run) => [groups(run)],
    scores: ({ card }) => [metrics(card.scores, card.method.level)],
    details: (run, { isBrief }) =>
      isBrief ? [] : [execution(run.extras), provenance(run), prompts(run), checklist(run)],
  },
  text: {
    conditions: (_, { verdicts = [] }) => [gates(verdicts)],
    ledger: (run) => [roles(run.extras), ledger(run)],
    details: (run, { isBrief }) => (isBrief ? [] : [execution(run.extras), provenance(run), prompts(run)]),
  },
};

type OwnSections = {
  readonly [P in Place]?: (...of: Parameters<NonNullable<Sections[P]>>) => readonly (Section | null)[];
};

function writeSummary(report: RunResult): string[] {
  const { suiteName, backendName, shard } = report;
  const name = [suiteName, backendName, ...(shard === null ? [] : [partText(shard)])].join(', ');
  if (!isJudged(report))
    return [...cardSummary(name, report.card, report.task?.positiveLabel), ...cachedSummary(report)];
  return [
    `${name}: ${counted(report.nRecords, 'question')}${repeatsText(report)}`,
    judgeText(report),
    `cases ${report.ledger.n}: ${ledgerText(report.ledger)}`,
    `items ${report.judging.judge.ledger.n}: ${ledgerText(report.judging.judge.ledger)}`,
    ...cachedSummary(report),
  ];
}

function partText({ index, of }: NonNullable<RunResult['shard']>): string {
  return `part ${index} of ${of}`;
}

function listBadges(report: RunResult): ReportDocument['badges'] {
  const { extras, sensitivity, shard, status, imported, recorded, card, verification } = report;
  const found = isJudged(report) ? report.judging.judge : null;
  const nUnscored = found === null && status === 'complete' ? card.n - card.nScored : 0;
  return shown<ReportDocument['badges'][number]>([
    verification != null &&
      verification.verdict !== 'verified' && { tone: 'bad', text: verification.verdict },
    extras.simulated && { tone: 'caution', text: 'simulated model' },
    found && recorded && { tone: 'plain', text: 'answers recorded elsewhere' },
    found === null && imported && { tone: 'plain', text: `imported from ${imported.format}` },
    sensitivity === 'protected' && { tone: 'plain', text: 'protected data' },
    shard && { tone: 'caution', text: partText(shard) },
    status === 'stopped_early' && { tone: 'caution', text: 'stopped early' },
    status !== 'complete' &&
      status !== 'stopped_early' && { tone: 'bad', text: `incomplete: ${inWords(status)}` },
    nUnscored > 0 && { tone: 'caution', text: `${casesText(nUnscored)} not scored` },
    found !== null &&
      found.status !== 'calibrated' &&
      found.judges.length > 0 && { tone: 'caution', text: JUDGE_STATUS[found.status] },
  ]);
}

function listFacts(report: RunResult): Fact[] {
  const { path, krisisVersion } = report;
  return [
    ['Suite', code(report.suiteName)],
    ...(isJudged(report) ? [] : labelFacts(report)),
    ['Model', code(report.backendName)],
    ['Started', dateText(report.createdAt)],
    ['Status', inWords(report.status)],
    ...(isJudged(report) ? questionFacts(report) : [rowsFact(report)]),
    ['Krisis', krisisVersion === null ? 'version not stated' : `version ${krisisVersion}`],
    ...(path === null ? [] : [['Run file', code(basename(path))] as const]),
  ];
}

function labelFacts({ task, arm }: RunResult): Fact[] {
  const positive = task?.positiveLabel == null ? '' : `, positive: ${task.positiveLabel}`;
  return [
    [
      'Task',
      task === null
        ? 'not stated'
        : `${task.id} (${task.labels.join(', ')}${task.ordered ? ', ordered' : ''}${positive})`,
    ],
    ['Arm', arm ?? 'not stated'],
  ];
}

function rowsFact({ card: { n, nScored } }: RunResult): Fact {
  return ['Cases', `${casesText(n)}, ${nScored === n ? 'all scored' : `${casesText(nScored)} scored`}`];
}

function questionFacts(report: JudgedResult): Fact[] {
  return [
    ['Judge', judgeText(report)],
    ['Questions', `${report.nRecords}${repeatsText(report)}`],
  ];
}

function repeatsText({ repeats }: RunResult): string {
  return repeats === 1 ? '' : `, each asked ${repeats} times`;
}

/** What comes before every number: that the file is not verified, and what could harm a patient. */
function listAlerts(report: RunResult): string[] {
  const alert = verificationAlert(report);
  return [...(alert === null ? [] : [alert]), ...nameFaults(report.warnings)];
}

/** The other warnings of the run and those of its suite, each once. */
function listWarnings(report: RunResult): string[] {
  const { warnings, suite, stoppedBecause } = report;
  const ofSuite = Array.isArray(suite.warnings) ? suite.warnings.map(String) : [];
  const others = warnings.filter((warning) => !isHarmWarning(warning));
  const messages = [...listMessages(others, report), ...ofSuite];
  const isNamed = stoppedBecause === null || messages.some((message) => message.includes(stoppedBecause));
  return [...new Set([...(isNamed ? [] : [`The run did not finish: ${stoppedBecause}`]), ...messages])];
}
