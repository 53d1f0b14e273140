import { dirname, relative } from 'node:path';
import pc from 'picocolors';
import { adviceText, forGood, replyText } from '../../analyses/failures/section.ts';
import { plain } from '../../core/index.ts';
import type { FileRun, RunPlan } from '../../engine/index.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { warningLines } from '../../reports/formats/text.ts';
import { TEXT_WIDTH } from '../../reports/layout/text-width.ts';
import { wrap } from '../../reports/layout/wrap.ts';
import { renderReport } from '../../runs/report-formats.ts';
import { scorecardText } from '../../runs/scorecard-text.ts';
import { RUNS_FOLDER } from '../../store/list-runs.ts';
import { groupedWarnings, harmTexts } from './grouped-warnings.ts';
import { modelsTable } from './models-table.ts';

/** What `krisis run` prints at its end: one model in full, several side by side; then where the runs are and how to look closer; nothing where every model was left out. Commands and paths are not broken. */
export async function runsText(runs: readonly FileRun[], width = TEXT_WIDTH): Promise<string> {
  if (runs.length === 0) return '';
  const unfinished = runs.some(({ status }) => status !== 'complete' && status !== 'stopped_early');
  return [
    await textOf(runs, width),
    ...filesText(runs),
    ...(unfinished
      ? wrap(`${pc.yellow('not finished')}: the same command continues where it stopped`, width)
      : []),
    ...nextLines(runs, width),
    '',
  ].join('\n');
}

async function textOf(runs: readonly FileRun[], width: number): Promise<string> {
  if (runs.every(({ judging }) => judging === null))
    return runs.length === 1 ? oneModel(runs[0]!, width) : sideBySide(runs, width);
  const texts = await Promise.all(runs.map((run) => renderReport(run, 'text', { isBrief: true, width })));
  return texts.join('\n');
}

/** Where the runs are: one file by its path, several by their folder. */
function filesText(runs: readonly FileRun[]): string[] {
  const paths = runs.map(({ path }) => relative('.', path));
  const folders = new Set(paths.map(dirname));
  if (paths.length < 2 || folders.size > 1) return paths.map((path) => `run file: ${path}`);
  return [`${paths.length} run files in ${[...folders][0]} (krisis list names them)`];
}

/** One run is reported; several are compared, each with the first. */
function nextLines(runs: readonly FileRun[], width: number): string[] {
  const paths = runs.map(({ path }) => quoted(relative('.', path)));
  if (paths.length === 0) return ['next: krisis list'];
  const view = `in a browser: ${viewCommand(runs)}`;
  if (paths.length === 1) return [view, `next: krisis report ${paths[0]} --format html -o report.html`];
  const areListed = runs.every(({ path }) => dirname(relative('.', path)) === RUNS_FOLDER);
  return areListed
    ? wrap('look closer: krisis view (in a browser), or krisis\u00a0compare\u00a0--last', width).map((line) =>
        line.replaceAll('\u00a0', ' '),
      )
    : [view, `next: krisis compare ${paths.join(' ')}`];
}

/** One run, or all of their folder. */
function viewCommand(runs: readonly FileRun[]): string {
  const path = relative('.', runs[0]!.path);
  if (runs.length === 1) return `krisis view ${quoted(path)}`;
  return dirname(path) === RUNS_FOLDER ? 'krisis view' : `krisis view ${quoted(dirname(path))}`;
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function oneModel(run: FileRun, width: number): string {
  const { extras } = run;
  const tokens =
    extras.token_total === null ? 'not reported' : `${extras.token_total} (${extras.wasted_tokens} wasted)`;
  const calls = `calls ${extras.n_calls} (planned ${extras.n_api_batches}, retries ${extras.n_retries}, splits ${extras.n_splits}, single ${extras.n_single_fallbacks})`;
  const text = scorecardText(run.card, {
    source: `${run.suiteName}, ${run.backendName}`,
    model: run.backendName,
    positiveLabel: run.task?.positiveLabel,
    warnings: run.warnings,
    width,
    status: run.status,
    stopEarly: run.stopEarly,
    repeats: run.repeats,
    failures: run.failures,
    unusableReplies: run.unusableReplies,
    extras,
  });
  const took = `${calls}${madeText(extras.calls_made)} · ${(extras.elapsed_seconds ?? 0).toFixed(1)} s · tokens ${tokens}`;
  return [text, ...wrap(took, width)].join('\n');
}

const MADE: Readonly<Record<string, string>> = { bulk: 'in bulk jobs', http: 'by themselves' };

/** How calls were made, where they were not all made in the same way. */
function madeText(made: FileRun['extras']['calls_made']): string {
  return made
    .map(
      ({ via, worker, n_calls }) =>
        ` · ${n_calls} ${worker === null ? (MADE[via] ?? `by ${via}`) : `by ${plain(worker)}`}`,
    )
    .join('');
}

const NO_RANKING =
  'Runs that stopped early were asked different numbers of records: their scores are no ranking.';

function sideBySide(runs: readonly FileRun[], width: number): string {
  const { suiteName, primaryEndpoint } = runs[0]!;
  const counts = new Set(runs.map(({ card }) => card.nScored));
  const records = counts.size === 1 && !counts.has(0) ? `${whole([...counts][0]!)} records` : 'records';
  const harms = harmTexts(runs);
  const warnings = groupedWarnings(
    // What failed is said by cause.
    runs.map((run) => ({ ...run, warnings: run.warnings.filter(({ code }) => code !== 'nothing_scored') })),
    width - 2,
  );
  const notUsable = notUsableLines(runs, width);
  return [
    ...wrap(`${plain(suiteName)}: ${runs.length} models on the same ${records}`, width).map(pc.bold),
    ...wrap(`primary endpoint: ${plain(primaryEndpoint?.metric ?? 'none')}; 95 % intervals`, width),
    '',
    ...(runs.some(({ nScored }) => nScored > 0)
      ? [modelsTable(runs, width), ...notUsable]
      : [...notUsable, 'No row was scored, so there are no metrics.', '']),
    ...harms.flatMap((harm) => warningLines(harm, width, pc.red)),
    ...warnings.flatMap((warning) => warningLines(warning, width)),
    ...(runs.some(({ status }) => status === 'stopped_early') ? warningLines(NO_RANKING, width) : []),
    ...(harms.length + warnings.length === 0 ? [] : ['']),
  ].join('\n');
}

/** Why rows of each model have no usable answer, with an example. */
function notUsableLines(runs: readonly FileRun[], width: number): string[] {
  const lines = runs.flatMap((run) =>
    causesOf(run).flatMap(({ text, example }) => [
      ...wrap(`${pc.bold(plain(run.backendName))}: ${plain(text)}`, width, { hang: 2 }),
      ...(example === null ? [] : wrap(`  for example: ${plain(example)}`, width, { hang: 4, folds: true })),
    ]),
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

/** Of invalid replies only many, and only those of a model that has a prompt: the report of the run has the others. */
function causesOf({ failures, unusableReplies, status, warnings, extras }: FileRun) {
  const isModel = (extras.n_prompts_captured ?? 1) > 0;
  const isHigh = isModel && warnings.some(({ code }) => code === 'invalid_rate_high');
  return [
    ...forGood(failures)
      .filter(({ nRows }) => nRows > 0 || status !== 'complete')
      .map((failure) => ({ text: adviceText(failure), example: failure.example })),
    ...(isHigh ? unusableReplies : []).map((replies) => ({
      text: replyText(replies),
      example: replies.example,
    })),
  ];
}

/** What a dry run says. */
export function planText(plan: readonly RunPlan[]): string {
  return plan
    .map(({ model, records, judging, ...asked }) => {
      const judged = judging === undefined ? '' : `; judged by ${plain(judging.judge)} ${costText(judging)}`;
      // An answer must be there before its judge can be asked.
      const rounds = judging?.bulk_cost_usd == null ? '' : '; in bulk jobs two rounds, of up to a day each';
      return `${plain(model)}: ${records} records ${costText(asked)}${judged}${rounds}; nothing was asked\n`;
    })
    .join('');
}

function costText({
  calls,
  estimated_input_tokens: tokens,
  estimated_cost_usd: cost,
  max_cost_usd: most,
  max_call_cost_usd: mostOfCall,
  bulk_cost_usd: inBulk,
}: Omit<RunPlan, 'model' | 'records' | 'judging'>): string {
  const bound =
    most === null ? '' : `, at most $${most.toFixed(4)} (up to $${mostOfCall!.toFixed(4)} a call)`;
  const bulk = inBulk == null ? '' : `; in bulk jobs about $${inBulk.toFixed(4)}`;
  const price = cost === null ? '' : `, about $${cost.toFixed(4)} without reasoning${bound}${bulk}`;
  return `in ${calls} calls, about ${tokens} input tokens${price}`;
}
