import { relative } from 'node:path';
import { analysesObject } from '../../analyses/registry.ts';
import { pick } from '../../core/collections.ts';
import { plain } from '../../core/plain-text.ts';
import type { FileRun } from '../../engine/run-options.ts';
import { scorecardObject } from '../../metrics/scorecard.ts';
import { borderlessTable } from '../../reports/layout/borderless-table.ts';
import { wrap } from '../../reports/layout/wrap.ts';
import { metricsObject } from '../../runs/formats/json.ts';
import { renderReport } from '../../runs/report-formats.ts';
import { scorecardText } from '../../runs/scorecard-text.ts';
import { scoreColumns } from './models-table.ts';

/** How commands print runs of a kind of task. */
interface PrintedKind {
  /** Every number of a run. */
  text(run: FileRun, width: number): Promise<string>;
  object(run: FileRun): object;
  /** Several runs of one domain. */
  lines(runs: readonly FileRun[], width: number): string[];
}

/** What differs between kinds of tasks where `krisis run` prints its runs, in the order of the lines. */
export const PRINTED_KINDS: Readonly<Record<'labels' | 'text', PrintedKind>> = {
  labels: {
    text: async (run, width) =>
      scorecardText(run.card, {
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
        extras: run.extras,
      }),
    object: (run) => {
      const { ledger, metrics, subgroups, method } = scorecardObject(run.card);
      return {
        run_file: relative('.', run.path),
        status: run.status,
        ...nothingAsked(run),
        suite: run.suite,
        model: run.backendName,
        arm: run.arm,
        ledger,
        metrics,
        subgroups,
        execution: run.extras,
        warnings: run.warnings,
        ...pick(analysesObject(run), ['stop_early', 'failures', 'unusable_replies']),
        method,
      };
    },
    lines: scoreLines,
  },
  text: {
    text: async (run, width) => String(await renderReport(run, 'text', { isBrief: true, width })),
    object: (run) => ({ run_file: relative('.', run.path), ...metricsObject(run), ...nothingAsked(run) }),
    lines: (runs, width) =>
      runs.flatMap(({ suiteName, backendName, path, n }) =>
        wrap(
          `${plain(suiteName)}, ${plain(backendName)}: ${n} questions judged; krisis report ${relative('.', path)} shows the traits`,
          width,
        ),
      ),
  },
};

/** The kind of task of a run. Rows whose task is not stated have labels. */
export function getTaskKind({ task }: Pick<FileRun, 'task'>): keyof typeof PRINTED_KINDS {
  return task?.kind ?? 'labels';
}

function nothingAsked(run: FileRun): { readonly nothing_asked?: true } {
  return run.nothingAsked ? { nothing_asked: true } : {};
}

function scoreLines(runs: readonly FileRun[], width: number): string[] {
  const names = new Set(runs.map(({ backendName }) => backendName));
  const text = (title: string, of: (run: FileRun) => string) => ({
    title,
    isNumber: false,
    cells: runs.map(of),
  });
  return borderlessTable(
    [
      text('task', ({ suiteName }) => plain(suiteName.slice(suiteName.indexOf('/') + 1))),
      ...(names.size === 1 ? [] : [text('model', ({ backendName }) => plain(backendName))]),
      {
        title: 'n',
        isNumber: true,
        isSpare: names.size > 1,
        cells: runs.map(({ card }) => String(card.nScored)),
      },
      ...scoreColumns(runs),
    ],
    width,
  );
}
