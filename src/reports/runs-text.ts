import { dirname, relative } from 'node:path';
import pc from 'picocolors';
import { plain } from '../core/index.ts';
import type { FileRun, RunPlan } from '../engine/index.ts';
import { RUNS_FOLDER } from '../store/index.ts';
import { modelsTable } from './models-table.ts';
import { renderReport } from './report-formats.ts';
import { scorecardText } from './scorecard-text.ts';

/** What `krisis run` prints at its end: one model in full, several side by side; then where the runs lie and what comes next. */
export async function runsText(runs: readonly FileRun[]): Promise<string> {
  const unfinished = runs.some(({ status }) => status !== 'complete');
  return [
    await textOf(runs),
    ...runs.map(({ path }) => `run file: ${relative('.', path)}`),
    ...(unfinished ? [`${pc.yellow('not finished')}: the same command continues where it stopped`] : []),
    ...(runs.length > 0 ? [`in a browser: ${viewCommand(runs)}`] : []),
    `next: ${nextCommand(runs)}`,
    '',
  ].join('\n');
}

async function textOf(runs: readonly FileRun[]): Promise<string> {
  if (runs.every(({ judging }) => judging === null))
    return runs.length === 1 ? oneModel(runs[0]!) : sideBySide(runs);
  const texts = await Promise.all(runs.map((run) => renderReport(run, 'text', { isBrief: true })));
  return texts.join('\n');
}

/** One run is reported; several are compared, each with the first. */
function nextCommand(runs: readonly FileRun[]): string {
  const paths = runs.map(({ path }) => quoted(relative('.', path)));
  if (paths.length === 0) return 'krisis list';
  if (paths.length === 1) return `krisis report ${paths[0]} --format html -o report.html`;
  return `krisis compare ${paths.join(' ')}`;
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

function oneModel(run: FileRun): string {
  const { extras } = run;
  const tokens =
    extras.token_total === null ? 'not reported' : `${extras.token_total} (${extras.wasted_tokens} wasted)`;
  const calls = `calls ${extras.n_calls} (planned ${extras.n_api_batches}, retries ${extras.n_retries}, splits ${extras.n_splits}, single ${extras.n_single_fallbacks})`;
  const text = scorecardText(run.card, {
    source: `${run.suiteName}, ${run.backendName}`,
    positiveLabel: run.task?.positiveLabel,
    warnings: run.warnings,
  });
  return `${text}\n${calls} · ${(extras.elapsed_seconds ?? 0).toFixed(1)} s · tokens ${tokens}`;
}

function sideBySide(runs: readonly FileRun[]): string {
  const { suiteName, primaryEndpoint } = runs[0]!;
  const title = pc.bold(`${plain(suiteName)}: ${runs.length} models on the same records`);
  return [
    `${title} (primary endpoint: ${plain(primaryEndpoint?.metric ?? 'none')}; 95 % intervals)\n`,
    modelsTable(runs),
    ...sharedWarnings(runs),
    '',
  ].join('\n');
}

/** A warning that several models share is said once. */
function sharedWarnings(runs: readonly FileRun[]): string[] {
  const warned = runs.flatMap(({ backendName, warnings }) =>
    warnings.map(({ message }) => ({ message, name: plain(backendName) })),
  );
  return [...Map.groupBy(warned, ({ message }) => message)].map(([message, ofModels]) => {
    const names = ofModels.length === runs.length ? '' : `${ofModels.map(({ name }) => name).join(', ')}: `;
    return `${pc.yellow('!')} ${names}${plain(message)}`;
  });
}

/** What a dry run says. */
export function planText(plan: readonly RunPlan[]): string {
  return plan
    .map(({ model, records, judging, ...asked }) => {
      const judged = judging === undefined ? '' : `; judged by ${plain(judging.judge)} ${costText(judging)}`;
      return `${plain(model)}: ${records} records ${costText(asked)}${judged}; nothing was asked\n`;
    })
    .join('');
}

function costText({
  calls,
  estimated_input_tokens: tokens,
  estimated_cost_usd: cost,
  max_cost_usd: most,
  max_call_cost_usd: mostOfCall,
}: Omit<RunPlan, 'model' | 'records' | 'judging'>): string {
  const bound =
    most === null ? '' : `, at most $${most.toFixed(4)} (up to $${mostOfCall!.toFixed(4)} a call)`;
  const price = cost === null ? '' : `, about $${cost.toFixed(4)} without reasoning${bound}`;
  return `in ${calls} calls, about ${tokens} input tokens${price}`;
}
