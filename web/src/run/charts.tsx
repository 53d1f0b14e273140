import { useMemo } from 'react';
import {
  confidenceHistogram,
  deferralPolicies,
  type Figures,
  reliabilityDiagram,
  riskCoverageChart,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { ReportTable } from '../parts/report-blocks.tsx';
import { go, hrefOf } from '../router.ts';
import { binLink, type ChartedRun, pointLink, stepLink } from './chart-links.ts';
import { DecisionTable } from './decision-table.tsx';
import { GroupCharts } from './group-charts.tsx';
import { ConfusionMatrix } from './matrices.tsx';
import type { PanelProps } from './panel.ts';
import { PublishedCharts } from './published-charts.tsx';
import { scoreOfLine } from './score-of-line.ts';
import { Threshold } from './threshold.tsx';

/** The charts of the report; every mark links to the records it counts. */
export function Charts({ payload, query }: PanelProps) {
  const { run, figures, published } = payload;
  if (figures === null && published) return <PublishedCharts payload={payload} published={published} />;
  if (figures === null)
    return <p className="empty">This run has no rows to draw. It may have been imported without them.</p>;
  // A run that was imported without rows has scores all the same.
  if (payload.n_scored === 0 && !run.imported) return null;
  return <DrawnCharts payload={payload} figures={figures} query={query} />;
}

function DrawnCharts({ payload, figures, query }: PanelProps & { readonly figures: Figures }) {
  const { run, scores, confidence_steps: steps } = payload;
  const { facets, subgroups, stratum, references } = payload;
  const charted: ChartedRun = useMemo(
    () => ({ id: run.id, figures, facets, subgroups, stratum }),
    [run.id, figures, facets, subgroups, stratum],
  );
  const usable = figures.riskCoverage.nUsable;
  const at = stepAt(steps, query.get('threshold'));
  const chosen = steps[at];
  const drawn = useMemo(
    () => ({
      reliability: reliabilityDiagram([{ name: run.model, figures }], document, (bin) =>
        binLink(charted, bin),
      ),
      histogram: confidenceHistogram(figures.confidence, document, (step, side) =>
        stepLink(charted, step, side),
      ),
    }),
    [charted, figures, run.model],
  );
  const risk = riskCoverageChart([{ name: run.model, figures, references }], document, {
    linkOf: (point) => pointLink(charted, point),
    chosen: chosen === undefined ? null : chosen.n / chosen.n_judged,
  });
  const choose = (place: number) =>
    go(hrefOf('runs/:id', { id: run.id, threshold: steps[place]!.threshold }), { replace: true });
  return (
    <>
      <section aria-labelledby="confidence-title">
        <h2 id="confidence-title">Confidence</h2>
        {usable === 0 ? (
          <p className="empty">
            No answer has a usable confidence, so there is no reliability, risk or threshold to show.
          </p>
        ) : (
          <>
            <Threshold run={charted} payload={payload} at={at} choose={choose} />
            <div className="charts">
              <Chart
                title="Risk and coverage"
                svg={risk}
                caption="Answers are accepted in order of confidence, highest first; coverage is the share of all scored rows. The vertical line is the threshold. Select a column to list its accepted answers."
              />
              <Chart
                title="Reliability"
                svg={drawn.reliability}
                caption={`Share of right answers by stated confidence, ${run.status === 'stopped_early' ? 'without intervals (fixed-size interval after an early stop: not valid)' : 'with Wilson intervals'}; ${whole(usable)} answers. Below the diagonal the model is overconfident. Select a column to list its answers.`}
              />
              <Chart
                title="Stated confidence"
                svg={drawn.histogram}
                caption="Answers by stated confidence. Select a bar to list its answers."
              />
            </div>
          </>
        )}
      </section>
      <section aria-labelledby="matrices-title">
        <h2 id="matrices-title">Answers and decisions</h2>
        <div className="matrices">
          <ConfusionMatrix run={charted} />
          <div>
            {payload.flow && <DecisionTable id={run.id} counts={payload.flow.kinds} />}
            {figures.deferral !== null && (
              <ReportTable table={deferralPolicies({ scores: scores.map(scoreOfLine) })} />
            )}
          </div>
        </div>
      </section>
      <GroupCharts
        dots={figures.dots}
        stratum={stratum}
        scores={scores}
        primary={run.headline?.name ?? null}
        run={charted}
      />
    </>
  );
}

/** The step of a threshold in the address. Without one, all answers are accepted; a number between two steps selects the stricter. */
function stepAt(steps: RunPayload['confidence_steps'], threshold: string | null): number {
  const last = steps.length - 1;
  if (threshold === null || !Number.isFinite(Number(threshold))) return last;
  const place = steps.findLastIndex((step) => step.threshold >= Number(threshold));
  return Math.max(0, place);
}
