import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { checkRegularFile, KrisisError } from '../core/index.ts';
import {
  type PanelLabel,
  panelLabels,
  parsePanelLabels,
  type ReadRunOptions,
  readRun,
} from '../results/index.ts';
import { RunFile } from '../store/index.ts';
import { type Review, readReview, reviewPath } from '../store/review/index.ts';

/**
 * The labels that a report uses: by default those beside the run. Labels of another run on open questions lend the judge's error rates; on records of the same suite they count as they are.
 */
export function reviewOption(
  given: string | boolean | undefined,
  runPath: string,
): Pick<ReadRunOptions, 'review' | 'labelledRun'> {
  if (given === false) return { review: null };
  if (typeof given !== 'string') return {};
  const path = asReview(given);
  const review = readReview(path);
  const { runId, isText } = RunFile.use(runPath, (file) => {
    const { runId, kind } = file.manifest();
    return { runId: runId, isText: kind === 'text' };
  });
  if (review.runId === null || review.runId === runId) return { review };
  if (!isText) {
    checkSuite(review, path, runPath);
    return { review };
  }
  const other = path.replace(/\.review\.db$/, '.db');
  if (!existsSync(other))
    throw new KrisisError(
      `${path}: its labels are on another run, whose verdicts are needed to use them: ${other} is not there`,
      { code: 'ERR_REVIEW_FILE', value: path },
    );
  return { review: null, labelledRun: readRun(other, { resamples: 0, review }) };
}

/** The decisions of a panel, from review files and JSONL files. Review files must be of the run's suite. */
export function panelOption(files: readonly string[] | undefined, runPath: string): PanelLabel[] | undefined {
  return files?.flatMap((file) => {
    if (/\.(jsonl|ndjson|json)$/i.test(file)) {
      checkRegularFile(file);
      return parsePanelLabels(readFileSync(file, 'utf8'), file);
    }
    const path = asReview(file);
    const review = readReview(path);
    checkSuite(review, path, runPath);
    return panelLabels(review, `${basename(path).replace(/\.review\.db$/, '')}/`);
  });
}

/** A run names its own review. */
function asReview(file: string): string {
  return file.endsWith('.review.db') || !file.endsWith('.db') ? file : reviewPath(file);
}

function checkSuite({ suiteHash }: Review, path: string, runPath: string): void {
  const own = RunFile.use(runPath, (run) => run.manifest().identity.suiteHash);
  if (suiteHash === null || own === null || suiteHash === own) return;
  throw new KrisisError(`${path}: is a review of another suite; its records are not those of ${runPath}`, {
    code: 'ERR_DIFFERENT_SUITES',
    value: path,
  });
}
