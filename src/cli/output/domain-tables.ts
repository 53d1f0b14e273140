import { dirname, relative } from 'node:path';
import pc from 'picocolors';
import { plain } from '../../core/index.ts';
import { DOMAINS } from '../../domains/domains.ts';
import type { FileRun } from '../../engine/index.ts';
import { warningLines } from '../../reports/formats/text.ts';
import { borderlessTable } from '../../reports/layout/borderless-table.ts';
import { TEXT_WIDTH } from '../../reports/layout/text-width.ts';
import { wrap } from '../../reports/layout/wrap.ts';
import { cachedRepliesText } from '../../runs/cached-replies.ts';
import { harmTexts } from '../../runs/first-screen/grouped-warnings.ts';
import { scoreColumns } from './models-table.ts';

/**
 * Several suites at once: one table per domain, a row per task and model, and no number over several tasks. Where tasks of a domain share people, a line says so, because their scores are then not independent.
 */
export function domainTables(runs: readonly FileRun[], width = TEXT_WIDTH): string {
  const byDomain = Map.groupBy(runs, ({ suiteName }) => suiteName.split('/')[0]!);
  const parts = [...byDomain].flatMap(([name, own]) => [
    pc.bold(titleOf(name, own)),
    ...tableLines(own, width),
    ...harmTexts(own.map((run) => ({ ...run, backendName: `${run.suiteName}, ${run.backendName}` }))).flatMap(
      (harm) => warningLines(harm, width, pc.red),
    ),
    ...sharedLines(name, own, width),
    ...cachedLines(own, width),
    '',
  ]);
  const folders = new Set(runs.map(({ path }) => dirname(relative('.', path))));
  return [
    ...parts,
    `${runs.length} run ${runs.length === 1 ? 'file' : 'files'} in ${[...folders].join(', ')} (krisis list names them)`,
    ...wrap('Scores of different tasks are not pooled: they answer different questions.', width),
    '',
  ].join('\n');
}

/** One model is named in the title, several in a column. */
function titleOf(name: string, runs: readonly FileRun[]): string {
  const models = new Set(runs.map(({ backendName }) => backendName));
  return plain(models.size === 1 ? `${name}, ${[...models][0]}` : name);
}

function tableLines(runs: readonly FileRun[], width: number): string[] {
  const labelled = runs.filter(({ judging }) => judging === null);
  const lines = labelled.length === 0 ? [] : labelledLines(labelled, width);
  const judged = runs.filter(({ judging }) => judging !== null);
  return [
    ...lines,
    ...judged.flatMap(({ suiteName, backendName, path, n }) =>
      wrap(
        `${plain(suiteName)}, ${plain(backendName)}: ${n} questions judged; krisis report ${relative('.', path)} shows the traits`,
        width,
      ),
    ),
  ];
}

function labelledLines(runs: readonly FileRun[], width: number): string[] {
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

/** Runs with replies from the cache, each with its own count and age. */
function cachedLines(runs: readonly FileRun[], width: number): string[] {
  return runs.flatMap(({ suiteName, backendName, extras }) => {
    const cached = cachedRepliesText(extras);
    return cached === null ? [] : warningLines(`${suiteName}, ${backendName}: ${cached}`, width);
  });
}

function sharedLines(name: string, runs: readonly FileRun[], width: number): string[] {
  const shared = DOMAINS.find((domain) => domain.name === name)?.shared;
  const nTasks = new Set(runs.map(({ suiteName }) => suiteName)).size;
  return shared === undefined || nTasks < 2 ? [] : wrap(shared, width);
}
