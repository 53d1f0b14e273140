import type { KrisisError } from '../../core/errors.ts';
import { labelKey } from '../../core/label.ts';
import { counted } from '../../core/wording.ts';
import { accountLines, readResults } from '../../files/read-results.ts';
import { attempt, type CheckedFile, countsText, formatPercent } from './checked-file.ts';

const MAX_KEPT = 1000;

/** Checks a file of rows: answers of a model, as `krisis score` reads them. */
export function checkAnswers(path: string): Promise<CheckedFile> {
  return attempt('answers', 'Answers of a model.', () => readAnswers(path));
}

async function readAnswers(path: string): Promise<CheckedFile> {
  const problems: string[] = [];
  let nProblems = 0;
  let n = 0;
  const labels = new Map<string | number, { name: string; n: number }>();
  const counts = { abstained: 0, failed: 0, confident: 0, deferral: 0 };
  const onProblem = ({ message }: KrisisError) => {
    nProblems += 1;
    if (problems.length < MAX_KEPT)
      problems.push(message.startsWith(path) ? message.slice(path.length + 1).trim() : message);
  };
  const account = await readResults(
    path,
    (row) => {
      n += 1;
      if (row.groundTruth !== null) {
        const key = labelKey(row.groundTruth);
        const label = labels.get(key) ?? { name: String(row.groundTruth), n: 0 };
        label.n += 1;
        labels.set(key, label);
      }
      if (row.abstained) counts.abstained += 1;
      if (row.state.startsWith('failed')) counts.failed += 1;
      if (row.confidence !== null) counts.confident += 1;
      if (typeof row.metadata.should_abstain === 'boolean') counts.deferral += 1;
    },
    { onProblem },
  );
  const found = [...labels.values()].sort((a, b) => b.n - a.n);
  const failed = counts.failed === 0 ? '' : `, ${counts.failed} failed`;
  return {
    kind: 'answers',
    problems: problems.map((problem) => (/^\d+:/.test(problem) ? `line ${problem}` : problem)),
    nProblems,
    text:
      n === 0
        ? ['Answers of a model.']
        : [
            ...(account === null
              ? []
              : accountLines([{ path: '', account }]).map((line) => line.replace(/^: /, ''))),
            `Answers of a model: ${counted(n, 'row')}, ${counted(found.length, 'label')}: ${countsText(found)}. ${counts.abstained} abstained${failed}. ` +
              `Confidence is missing in ${formatPercent(n - counts.confident, n)} of the rows, should_abstain in ${formatPercent(n - counts.deferral, n)}.`,
          ],
    json: {
      rows: n,
      labels: Object.fromEntries(found.map((label) => [label.name, label.n])),
      n_abstained: counts.abstained,
      n_failed: counts.failed,
      n_without_confidence: n - counts.confident,
      n_without_should_abstain: n - counts.deferral,
    },
  };
}
