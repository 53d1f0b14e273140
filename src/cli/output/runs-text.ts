import { dirname, relative } from 'node:path';
import { plain } from '../../core/plain-text.ts';
import { counted } from '../../core/wording.ts';
import type { RunPlan } from '../../engine/plan-run.ts';
import type { FileRun } from '../../engine/run-options.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { TEXT_WIDTH } from '../../reports/layout/text-width.ts';
import type { GateVerdict } from '../../runs/conditions/verdict.ts';
import { ASKED, exampleCondition, firstScreen, runTitle } from '../../runs/first-screen/run-screen.ts';
import { writeLead } from '../../runs/sections/traits.ts';
import { findRun } from '../../store/find-run.ts';
import { RUNS_FOLDER } from '../../store/list-runs.ts';
import { quoted } from '../print.ts';
import { getTaskKind, PRINTED_KINDS } from './run-kinds.ts';

interface RunsTextOptions {
  readonly verdicts?: readonly GateVerdict[];
  readonly width?: number;
  /** Whether everything follows the first screen. Default: no. */
  readonly isFull?: boolean;
  /** Lines of the first screen at most. Default: 40. */
  readonly lines?: number | undefined;
}

/** What `krisis run` prints at its end: the first screen of one model or several; with `isFull`, every number after it. Nothing where every model was left out. */
export async function runsText(
  runs: readonly FileRun[],
  { verdicts = [], width = TEXT_WIDTH, isFull = false, lines }: RunsTextOptions = {},
): Promise<string> {
  if (runs.length === 0) return '';
  const [first] = runs;
  const screen = firstScreen(runs, {
    title: runs.length === 1 ? runTitle(first!) : severalTitle(runs),
    verdicts,
    lead: writeLead(first!),
    example: suggestExample(runs),
    next: nextSteps(runs),
    more: '--full lists all',
    width,
    lines: isFull ? Number.POSITIVE_INFINITY : lines,
  });
  if (!isFull) return screen;
  const full = await Promise.all(runs.map((run) => PRINTED_KINDS[getTaskKind(run)].text(run, width)));
  return [screen, ...full].join('\n');
}

function severalTitle(runs: readonly FileRun[]): string {
  const [first] = runs as [FileRun, ...FileRun[]];
  const { scored: noun } = ASKED[getTaskKind(first)];
  const hasAnswers = runs.every(({ card }) => card.nScored > 0);
  const counts = new Set(runs.map(({ card, nRecords, repeats }) => (repeats > 1 ? nRecords : card.nScored)));
  const cases = counts.size === 1 && hasAnswers ? `${whole([...counts][0]!)} ${noun}` : noun;
  const again = first.repeats === 1 ? '' : `, each asked ${first.repeats} times`;
  const nModels = new Set(runs.map(({ backendName }) => backendName)).size;
  const nArms = new Set(runs.map(({ arm }) => arm)).size;
  const who = nArms === 1 ? `${runs.length} models` : `${counted(nModels, 'model')} in ${nArms} arms`;
  return `${first.suiteName}: ${who} on the same ${cases}${again}`;
}

/** A command that sets a condition on a run that is there. */
function suggestExample(runs: readonly FileRun[]): string | null {
  const run = runs.at(-1);
  if (run!.card.nScored === 0) return null;
  const condition = exampleCondition(run!.card.scores);
  return condition === null ? null : `krisis report ${shortName(run!.path)} --assert '${condition}'`;
}

/** How to look closer. One run is reported; several are compared. */
function nextSteps(runs: readonly FileRun[]): (readonly [string, string])[] {
  const unfinished = runs.some(({ status }) => status !== 'complete' && status !== 'stopped_early');
  const names = runs.map(({ path }) => shortName(path));
  const again = unfinished ? [['continue', 'the same command'] as const] : [];
  const hasRows = runs.some(({ nScored }) => nScored > 0);
  if (runs.length === 1) {
    const [run] = runs;
    const file = ['run file', relative('.', run!.path)] as const;
    if (!hasRows) return [...again, file];
    return [
      ...again,
      ['look at the cases', `krisis view ${names[0]}`],
      ['every number', `krisis report ${names[0]}`],
      ['a page to hand on', `krisis report ${names[0]} -o report.html`],
      file,
    ];
  }
  const folders = [...new Set(runs.map(({ path }) => dirname(relative('.', path))))];
  // The last run of each model is found by its name.
  const areModels = new Set(runs.map(({ backendName }) => backendName)).size === runs.length;
  const areListed = folders.every((folder) => folder === RUNS_FOLDER);
  return [
    ...again,
    ...(hasRows
      ? [
          [
            'which is better',
            areListed && areModels ? 'krisis compare --last' : `krisis compare ${names.join(' ')}`,
          ] as const,
        ]
      : []),
    ['look at the cases', areListed ? 'krisis view' : `krisis view ${quoted(folders[0]!)}`],
    ['run files', `${runs.length} in ${folders.join(', ')}`],
  ];
}

/** A name that finds the run, as a shell takes it for one word: `latest`, or its path. */
function shortName(path: string): string {
  return isLatest(path) ? 'latest' : quoted(relative('.', path));
}

function isLatest(path: string): boolean {
  try {
    return relative('.', findRun('latest')) === relative('.', path);
  } catch {
    return false;
  }
}

/** What a dry run says. */
export function planText(plan: readonly RunPlan[]): string {
  return plan
    .map(({ model, records, judging, ...asked }) => {
      const judged = judging ? `; judged by ${plain(judging.judge)} ${costText(judging)}` : '';
      // An answer must be there before its judge can be asked.
      const rounds = judging?.bulk_cost_usd == null ? '' : '; in bulk jobs two rounds, of up to a day each';
      return `${plain(model)}: ${records} cases ${costText(asked)}${judged}${rounds}; nothing was asked\n`;
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
