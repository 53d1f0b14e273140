import { useMemo } from 'react';
import { type Figures, reliabilityDiagram, riskCoverageChart } from '../../../src/viewer/browser.ts';
import type { ComparePayload } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { letterOf } from './run-choices.tsx';

interface Drawn {
  readonly name: string;
  readonly figures: Figures;
}

/** The curves of both runs in one chart each. Names runs that cannot be drawn, for lack of rows or confidences. */
export function OverlaidCharts({ payload }: { payload: ComparePayload }) {
  const { drawn, missing, charts } = useMemo(() => draw(payload), [payload]);
  return (
    <section aria-labelledby="curves-title">
      <h2 id="curves-title">Curves</h2>
      {missing.length > 0 && (
        <p className="quiet">
          Not drawn, for lack of rows or confidences: {missing.map(({ name }) => name).join(', ')}.
        </p>
      )}
      {drawn.length > 0 && (
        <div className="charts">
          <Chart
            title="Risk and coverage"
            svg={charts.risk}
            caption="Answers are accepted in order of confidence, highest first; coverage is the share of all scored rows. Lower is better."
          />
          <Chart
            title="Reliability"
            svg={charts.reliability}
            caption="Share of right answers by stated confidence, with Wilson intervals. Below the diagonal a model is overconfident."
          />
        </div>
      )}
    </section>
  );
}

function draw({ runs, figures }: ComparePayload) {
  const models = runs.map((run, i) => ({
    name: `${letterOf(i)}: ${run.model}`,
    figures: figures[i] ?? null,
  }));
  const drawn = models.filter((model): model is Drawn => (model.figures?.riskCoverage.nUsable ?? 0) > 0);
  return {
    drawn,
    missing: models.filter((model) => !drawn.some(({ name }) => name === model.name)),
    charts: {
      risk: riskCoverageChart(drawn, document),
      reliability: reliabilityDiagram(drawn, document),
    },
  };
}
