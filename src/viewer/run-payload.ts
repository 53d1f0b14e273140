import type { Stratum } from '../core/index.ts';
import { RowTableBuilder } from '../metrics/index.ts';
import { metricsJsonReport } from '../reports/index.ts';
import { confidenceSteps, OverviewBuilder, readRun } from '../results/index.ts';
import { RunFile } from '../store/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import type { RunLine, RunPayload } from './api.ts';
import { inReadingOrder } from './in-reading-order.ts';
import { scoreLine } from './run-line.ts';

/** Everything a page says of one run, counted from its rows. While it is being written, intervals that need resampling are left out: they would be out of date before they are there. */
export function runPayload(path: string, run: RunLine): RunPayload {
  const report = readRun(path, run.status === 'running' ? { resamples: 0 } : {});
  try {
    const { provenance, execution } = JSON.parse(metricsJsonReport(report));
    return {
      run,
      scores: report.card.scores.map(scoreLine),
      warnings: report.warnings.map(({ code, message }) => ({ code, message })),
      figures: report.figures,
      n_scored: report.card.nScored,
      labels: (report.task?.labels ?? []).map(String),
      ...countedIn(path, report.repeats, stratumOf(report.task)),
      execution,
      provenance,
      templates: report.extras.prompt_templates,
      hides_text: run.sensitivity === 'protected',
    };
  } finally {
    report.close();
  }
}

/** What the end of a run writes down, of one that has not ended or is older than that. */
function countedIn(
  path: string,
  repeats: number,
  stratum: Stratum,
): Pick<RunPayload, 'confidence_steps' | 'facets' | 'subgroups'> {
  const overview = new OverviewBuilder(stratum);
  const table = new RowTableBuilder();
  const file = RunFile.read(path);
  try {
    for (const { result } of file.results(repeats)) {
      overview.add(result);
      table.add(result);
    }
  } finally {
    file.close();
  }
  return {
    confidence_steps: confidenceSteps(table.finish()),
    ...inReadingOrder({
      facets: { ...overview.facets(), stage: overview.facets().stratum },
      subgroups: overview.subgroups(),
    }),
  };
}
