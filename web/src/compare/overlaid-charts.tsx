import { useMemo } from 'react';
import { curveCharts, reliabilityDiagram, riskCoverageChart } from '../../../src/viewer/browser.ts';
import type { ComparePayload } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { letterOf } from './run-choices.tsx';

/** The curves of runs on the same records in one chart each. Names runs that cannot be drawn, for lack of rows or confidences. */
export function OverlaidCharts({ payload }: { payload: ComparePayload }) {
  const { charts, reason, notDrawn } = useMemo(() => draw(payload), [payload]);
  return (
    <section aria-labelledby="curves-title">
      <h2 id="curves-title">Curves</h2>
      {notDrawn.length > 0 && (
        <p className="quiet">
          <OutsideText text={`Not drawn, for lack of rows or confidences: ${notDrawn.join(', ')}.`} />
        </p>
      )}
      {reason !== null && (
        <p>
          <OutsideText text={`Drawn in ${charts.length} charts, because ${reason}.`} />
        </p>
      )}
      {charts.map(({ title, risk, reliability }) => (
        <div key={title}>
          {title !== null && (
            <h3>
              <OutsideText text={title} />
            </h3>
          )}
          <div className="charts">
            <Chart
              title="Risk and coverage"
              svg={risk}
              caption="Answers are accepted in order of confidence, highest first; coverage is the share of all scored rows. Lower is better."
            />
            <Chart
              title="Reliability"
              svg={reliability}
              caption="Share of right answers by stated confidence, with Wilson intervals. Below the diagonal a model is overconfident."
            />
          </div>
        </div>
      ))}
    </section>
  );
}

function draw({ runs, figures, record_sets: sets }: ComparePayload) {
  const models = runs.map((run, i) => ({
    name: `${letterOf(i)}: ${run.model}`,
    figures: figures[i] ?? null,
  }));
  const { charts, ...rest } = curveCharts(models, sets);
  return {
    ...rest,
    charts: charts.map(({ title, drawn }) => ({
      title,
      risk: riskCoverageChart(drawn, document),
      reliability: reliabilityDiagram(drawn, document),
    })),
  };
}
