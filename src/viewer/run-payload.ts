import { readRun } from '../benchmark/read-run.ts';
import { metricsJsonReport } from '../reports/json-report.ts';
import type { RunLine, RunPayload } from './api.ts';
import { confidenceSteps } from './confidence-steps.ts';
import { compareTexts } from './filter-records.ts';
import type { RecordIndex } from './record-index.ts';
import { scoreLine } from './run-line.ts';

const MOST_VALUES = 50;

/** Everything a page says of one run. While it is being written, intervals that need resampling are left out: they would be out of date before they are there. */
export function runPayload(path: string, run: RunLine, index: RecordIndex): RunPayload {
  const report = readRun(path, run.status === 'running' ? { resamples: 0 } : {});
  try {
    const { provenance, execution } = JSON.parse(metricsJsonReport(report));
    return {
      run,
      scores: report.card.scores.map(scoreLine),
      warnings: report.warnings.map(({ code, message }) => ({ code, message })),
      figures: report.figures,
      confidence_steps: confidenceSteps(index),
      n_scored: report.card.nScored,
      labels: (report.task?.labels ?? []).map(String),
      facets: facetsOf(index),
      subgroups: Object.fromEntries(
        [...index.subgroups].map(([key, values]) => [key, [...values].sort(compareTexts)]),
      ),
      execution,
      provenance,
      templates: report.extras.prompt_templates,
      hides_text: run.sensitivity === 'protected',
    };
  } finally {
    report.close();
  }
}

/** The values there are, the commonest 50 of each, in reading order. */
function facetsOf({ db, lines }: RecordIndex): RunPayload['facets'] {
  const values = (column: string, table = 'lines') => {
    const found = db
      .prepare(
        `SELECT ${column} AS value, min(n) AS n FROM ${table} GROUP BY 1 ORDER BY count(*) DESC LIMIT ?`,
      )
      .all(MOST_VALUES) as { value: string; n: number }[];
    return found;
  };
  const sorted = (texts: readonly string[]) => [...texts].sort(compareTexts);
  // Labels are compared in a plain form, and shown as the first row has them.
  const labels = (column: 'label' | 'prediction') =>
    sorted(values(column).map(({ n }) => String(JSON.parse(lines[n]!)[column])));
  return {
    outcome: sorted(values('outcome').map(({ value }) => value)),
    label: labels('label'),
    prediction: labels('prediction'),
    stage: sorted(values('stage').map(({ value }) => value)),
    reason: sorted(values('reason', 'reasons').map(({ value }) => value)),
  };
}
