import { isJudged, type JudgedResult } from '../../analyses/judging/judged-result.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { pairs } from '../../reports/value-text.ts';
import { counted, dateText, inWords, joined } from '../../reports/words.ts';
import { methodText } from '../method-text.ts';
import type { ReportOptions } from '../report-options.ts';
import type { RunResult } from '../run-result.ts';
import { verificationAlert } from '../unproven-file.ts';

/** How a condition ended, for a paper. */
const OUTCOMES = { pass: 'met', fail: 'not met', undecided: 'not decided' } as const;

/**
 * A paragraph for the methods section of a paper, with what the run says. Nothing is filled in that it does not say; what only the authors know is left to them at the end.
 */
export function methodsText(run: RunResult, { verdicts = [] }: Pick<ReportOptions, 'verdicts'> = {}): string {
  const sentences = [
    evaluated(run),
    asked(run),
    named(run),
    endpoint(run),
    ...(isJudged(run) ? judged(run) : []),
    methodText(run),
    ...counting(run),
    failed(run),
    stopped(run),
    verdicts.length > 0 &&
      `Conditions for release: ${verdicts.map(({ text, status }) => `${text} (${OUTCOMES[status]})`).join('; ')}.`,
    reviewed(run),
    clinicalReview(run),
    run.extras.simulated && 'The model is simulated: no claim about a real one can rest on this run.',
    verificationAlert(run),
    `For the authors: when the endpoint, the number of cases and the conditions were fixed, how many prompts were tried and on which cases, and who checked the reference labels.`,
  ];
  return `${sentences.filter((sentence) => sentence).join(' ')}\n`;
}

/** Which model, on which cases. */
function evaluated(run: RunResult): string {
  const { backendName, suiteName, suiteHash, seed, krisisVersion, nRecords, arm, imported, recorded } = run;
  const version = krisisVersion === null ? '' : ` with Krisis ${krisisVersion}`;
  const cases = isJudged(run) ? counted(nRecords, 'open question') : counted(nRecords, 'case');
  if (imported !== null || recorded !== null) {
    const source = imported ?? recorded!;
    const sha = typeof source.sha256 === 'string' ? `, SHA-256 ${source.sha256}` : '';
    const n = imported?.hasRows === false ? 'published values without single answers' : `answers to ${cases}`;
    return `Recorded ${n} of ${backendName} (${source.source ?? 'source not stated'}${sha}) were scored${version}.`;
  }
  const about = joined(
    [cases, seed !== null && `seed ${seed}`, suiteHash && `SHA-256 ${suiteHash}`, arm && `arm ${arm}`],
    ', ',
  );
  return `${backendName} was evaluated on ${suiteName}${version} (${about}).`;
}

/** How and when it was asked; a file of answers does not say. */
function asked({ imported, recorded, extras, repeats, createdAt, egress }: RunResult): string | false {
  const times = repeats === 1 ? 'once' : `${repeats} times`;
  if (imported !== null || recorded !== null)
    return repeats > 1 && `Each case has ${counted(repeats, 'answer')}.`;
  const size = extras.batch_size;
  const together = size === null ? '' : size === 1 ? ', alone in a call' : `, up to ${size} in a call`;
  const when = createdAt === null ? '' : `; the run began on ${dateText(createdAt)}`;
  const where = egress?.host === undefined ? '' : ` Questions were sent to ${egress.host}.`;
  return `Each was asked ${times}${together}${when}.${where}`;
}

function named({ extras, parameters }: RunResult): string | false {
  const set = Object.keys(parameters).length > 0;
  const parts = joined([
    extras.model_ids.length > 0 && `The provider named the model ${extras.model_ids.join(', ')}`,
    set && `parameters: ${pairs(parameters)}`,
  ]);
  return parts !== null && `${parts[0]!.toUpperCase()}${parts.slice(1)}.`;
}

function endpoint({ primaryEndpoint, scores, arm }: RunResult): string | false {
  if (primaryEndpoint === null) return false;
  const score = scores[primaryEndpoint.metric];
  const n = score === undefined ? '' : ` over ${whole(score.nEvaluated)} cases`;
  const other = arm !== null && arm !== primaryEndpoint.arm ? ` of arm ${primaryEndpoint.arm}` : '';
  return `The suite names ${inWords(primaryEndpoint.metric)}${other}${n} as the primary endpoint.`;
}

function judged({ judging: { judge } }: JudgedResult): string[] {
  return judge.judges
    .filter(({ name }) => judge.names.includes(name))
    .map(
      ({ name, passes, promptHashes }) =>
        `Answers were judged by ${name} in ${passes === 1 ? '1 pass' : `${passes} passes`}${promptHashes.length === 0 ? '' : ` (prompt ${promptHashes.join(', ')})`}.`,
    );
}

/** What counts as wrong. */
function counting(run: RunResult): string[] {
  if (isJudged(run) || run.imported?.hasRows === false) return [];
  return ['Deferrals count as wrong in accuracy, and unusable replies and refusals throughout.'];
}

function failed(run: RunResult): string | false {
  if (run.imported?.hasRows === false) return false;
  const missing = run.n - run.nScored;
  if (missing === 0) return 'No answer is missing.';
  return `${counted(missing, 'answer')} of ${whole(run.n)} failed or never came and ${missing === 1 ? 'is' : 'are'} not scored; bounds say what ${missing === 1 ? 'it' : 'they'} could have changed.`;
}

function stopped({ stopEarly }: RunResult): string | false {
  if (stopEarly === null) return false;
  return `The run was planned to stop early, by anytime-valid bounds, once these conditions were decided: ${stopEarly.gates.join('; ')}.`;
}

function clinicalReview({ suite }: RunResult): string | false {
  const { clinical_review: text } = (suite.provenance ?? {}) as { readonly clinical_review?: unknown };
  return typeof text === 'string' && `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function reviewed({ review, panel }: RunResult): string | false {
  return (
    (review !== null || panel !== null) &&
    'People labelled answers or cases of the run; the report says how many, by which plan and how far they agree.'
  );
}
