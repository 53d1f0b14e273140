import { dirname, relative } from 'node:path';
import pc from 'picocolors';
import { plain } from '../../core/plain-text.ts';
import { DOMAINS } from '../../domains/domains.ts';
import type { FileRun } from '../../engine/run-options.ts';
import { warningLines } from '../../reports/formats/text.ts';
import { TEXT_WIDTH } from '../../reports/layout/text-width.ts';
import { wrap } from '../../reports/layout/wrap.ts';
import { cachedRepliesText } from '../../runs/execution.ts';
import { harmTexts } from '../../runs/first-screen/grouped-warnings.ts';
import { getTaskKind, PRINTED_KINDS } from './run-kinds.ts';

/**
 * Several suites at once: one table per domain, a row per task and model, and no number over several tasks. Where tasks of a domain share people, a line says so, because their scores are then not independent.
 */
export function domainTables(runs: readonly FileRun[], width = TEXT_WIDTH): string {
  const byDomain = Map.groupBy(runs, ({ suiteName }) => suiteName.split('/')[0]!);
  const parts = [...byDomain].flatMap(([name, own]) => [
    pc.bold(formatTitle(name, own)),
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
function formatTitle(name: string, runs: readonly FileRun[]): string {
  const models = new Set(runs.map(({ backendName }) => backendName));
  return plain(models.size === 1 ? `${name}, ${[...models][0]}` : name);
}

function tableLines(runs: readonly FileRun[], width: number): string[] {
  return Object.entries(PRINTED_KINDS).flatMap(([kind, { lines }]) => {
    const own = runs.filter((run) => getTaskKind(run) === kind);
    return own.length === 0 ? [] : lines(own, width);
  });
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
