import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { type PanelLabel, panelLabels, parsePanelLabels } from '../results/index.ts';
import { RunFile } from '../store/index.ts';
import { type Review, readReview, reviewPath } from '../store/review/index.ts';

/** The review that a report uses: null for none; undefined for the file beside the run. */
export function reviewOption(given: string | boolean | undefined): Review | null | undefined {
  if (given === false) return null;
  return typeof given === 'string' ? readReview(asReview(given)) : undefined;
}

/** The decisions of a panel, from review files and JSONL files. Review files must be of the run's suite. */
export function panelOption(files: readonly string[] | undefined, runPath: string): PanelLabel[] | undefined {
  return files?.flatMap((file) => {
    if (/\.(jsonl|ndjson|json)$/i.test(file)) return parsePanelLabels(readFileSync(file, 'utf8'), file);
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
  const own = RunFile.use(runPath, (run) => run.manifest().identity.suite_hash);
  if (suiteHash === null || own === null || suiteHash === own) return;
  throw new KrisisError(`${path}: is a review of another suite; its records are not those of ${runPath}`, {
    code: 'ERR_DIFFERENT_SUITES',
    value: path,
  });
}
