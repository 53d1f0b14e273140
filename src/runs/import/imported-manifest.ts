import { type Label, sameLabel } from '../../core/label.ts';
import { KNOWN_SCALES } from '../../domains/domains.ts';
import type { TaskName } from '../../metrics/bundle-options.ts';
import { buildTable } from '../../metrics/columns.ts';
import { scoreTable } from '../../metrics/score.ts';
import { scorecardObject } from '../../metrics/scorecard.ts';
import type { RunUpdate } from '../../store/run.ts';
import { scoringFor } from '../scoring-for.ts';
import { finite, type PythonResult } from './python-result.ts';

/** A published value beside what the rows give here. */
export interface ScoreDifference {
  readonly metric: string;
  readonly published: number | null;
  readonly ours: number | null;
}

/** Values closer than this are the same value, written with fewer digits. */
const SAME = 1e-9;

/** What a run file says of an imported run: the file's own words, our names, and our own scores where there are rows. */
export function importedManifest(
  result: PythonResult,
  run: {
    readonly model: string;
    readonly source: string;
    readonly sha256: string;
    readonly task: TaskName | null;
    readonly positiveLabel?: Label | undefined;
  },
): {
  readonly differences: readonly ScoreDifference[];
  readonly nPublished: number | null;
  readonly manifest: RunUpdate;
} {
  const { suite, extras, rows, scores } = result;
  const hasRows = rows.length > 0;
  const task = findTask(result, run.task, run.positiveLabel);
  const own = hasRows ? ownScores(result, task) : null;
  const differences = own === null ? [] : listDifferences(scores, own.values);
  const ledger = own === null ? publishedLedger(scores) : own.ledger;
  return {
    differences,
    nPublished: scores.accuracy?.n_evaluated ?? finite(extras.n_input_records),
    manifest: {
      // Which records these were is not known: without a suite hash no run continues this file, and none is paired with it.
      identity: {
        suiteHash: null,
        task: task?.id ?? null,
        arm: null,
        model: run.model,
        promptHash: null,
        parameters: {},
        batchSize: finite(extras.batch_size),
        repeats: 1,
      },
      imported: { format: result.format, source: run.source, sha256: run.sha256, hasRows: hasRows },
      model: run.model,
      simulated: false,
      suite,
      suiteName: suiteName(suite, task?.id),
      task,
      arm: null,
      status: 'complete',
      createdAt: null,
      seed: finite(suite.seed),
      parameters: {},
      extras,
      scoresAsPublished: scores,
      scoreDifferences: differences,
      ...(own === null && { scores: withoutRows(scores) }),
      ...(ledger && { ledger }),
    },
  };
}

/** In that framework 0 means that the disease is present: its data list `ckd` before `notckd`. */
const PYTHON_LABELS: readonly Label[] = [0, 1];

function findTask({ rows }: PythonResult, pack: TaskName | null, positiveLabel: Label | undefined) {
  if (pack === null) return null;
  const truths = new Map<string, Label>();
  for (const { groundTruth } of rows) if (groundTruth !== null) truths.set(String(groundTruth), groundTruth);
  const found = [...truths].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  const labels = found.map(([, label]) => label);
  const isDetection = pack === 'detection';
  const isPython = isDetection && labels.every((label) => PYTHON_LABELS.some((own) => sameLabel(own, label)));
  return {
    id: pack,
    labels: pack === 'staging' ? KNOWN_SCALES[0]! : isPython ? PYTHON_LABELS : labels,
    positiveLabel: positiveLabel ?? (isPython ? 0 : null),
    labelFromValues: false,
    ordered: pack === 'staging',
    pack,
  };
}

function ownScores({ rows }: PythonResult, task: ReturnType<typeof findTask>) {
  const scoring = task === null ? {} : scoringFor(task);
  const card = scoreTable(buildTable(rows), scoring);
  const { metrics } = scorecardObject(card);
  return {
    ledger: card.ledger,
    scores: metrics,
    values: new Map(card.scores.map(({ name, value }) => [name, value])),
  };
}

function listDifferences(
  scores: PythonResult['scores'],
  ours: ReadonlyMap<string, number | null>,
): ScoreDifference[] {
  return Object.entries(scores).flatMap(([metric, { value: published }]) => {
    const own = ours.get(metric);
    if (own === undefined) return [];
    const same = own === null || published === null ? own === published : Math.abs(own - published) <= SAME;
    return same ? [] : [{ metric, published, ours: own }];
  });
}

function withoutRows(scores: PythonResult['scores']) {
  return Object.fromEntries(
    Object.entries(scores).map(([name, { published_name, ...score }]) => [
      name,
      {
        label: published_name,
        ...score,
        interval: null,
        interval_reason: 'imported_without_rows',
        bounds: null,
      },
    ]),
  );
}

/** What the counts of a metrics-only file say of its rows; null where they do not say enough. */
function publishedLedger({ accuracy, abstention_rate: abstention }: PythonResult['scores']) {
  const n = accuracy?.n_evaluated ?? null;
  const abstained = abstention?.n_abstained ?? accuracy?.n_abstained ?? null;
  const correct = finite(accuracy?.details.n_correct);
  if (n === null || abstained === null || correct === null || correct + abstained > n) return null;
  return { n, answered_correct: correct, answered_wrong: n - abstained - correct, abstained };
}

function suiteName({ name, domain, task: own }: PythonResult['suite'], task = own): string {
  if (typeof name === 'string') return name;
  const said = [domain, task].filter((part) => typeof part === 'string');
  return said.length === 0 ? 'unknown' : said.join(', ');
}
