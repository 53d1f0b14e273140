import type { Figures } from '../../metrics/index.ts';
import {
  type ChartDocument,
  decimals,
  reliabilityDiagram,
  riskCoverageChart,
  whole,
} from '../charts/index.ts';
import { figure } from './figure.ts';
import { html, type Markup } from './html.ts';
import { table } from './table.ts';
import { number, range } from './words.ts';

interface Drawn {
  readonly name: string;
  readonly figures: Figures;
}

/** Reliability and risk-coverage of all models in one frame each. A run without rows, or without confidences, is named instead. */
export function overlaidCharts(
  models: readonly { readonly name: string; readonly figures: Figures | null }[],
  document: ChartDocument,
): Markup {
  const drawn = models.filter(
    (model): model is Drawn => model.figures !== null && model.figures.riskCoverage.nUsable > 0,
  );
  const missing = models.filter((model) => !drawn.some(({ name }) => name === model.name));
  const note =
    missing.length === 0
      ? null
      : html`<p>Not drawn, for want of rows or of confidences: ${missing.map(({ name }) => name).join(', ')}.</p>`;
  if (drawn.length === 0) return html`${note}`;
  return html`${note}<div class="charts">
${figure({
  svg: reliabilityDiagram(
    drawn.map(({ name, figures }) => ({ name, bins: figures.reliability })),
    document,
  ),
  caption:
    'Share of answers that were right, by stated confidence, with Wilson intervals. Below the diagonal a model is surer than it is right.',
  data: reliabilityTable(drawn),
})}
${figure({
  svg: riskCoverageChart(
    drawn.map(({ name, figures }) => ({ name, curve: figures.riskCoverage })),
    document,
  ),
  caption:
    'Answers are accepted from the surest down; coverage is of all scored rows, so a model that abstains ends before 1. Lower is better.',
  data: riskTable(drawn),
})}
</div>`;
}

function reliabilityTable(drawn: readonly Drawn[]): Markup {
  return table({
    caption: 'Reliability',
    hideCaption: true,
    columns: ['confidence', 'answers', 'mean confidence', 'share right', 'interval'].map(numeric),
    rows: drawn.map(({ name, figures }) => ({
      title: name,
      rows: figures.reliability
        .filter(({ count }) => count > 0)
        .map(({ low, high, count, mean_confidence: mean, accuracy, lower, upper }) => [
          `${decimals(low)} to ${decimals(high)}`,
          whole(count),
          number(mean),
          number(accuracy),
          range(lower === null || upper === null ? null : { lower, upper }),
        ]),
    })),
  });
}

const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The curves at every tenth of the coverage; a dash where a model does not answer so much. */
function riskTable(drawn: readonly Drawn[]): Markup {
  const riskAt = ({ riskCoverage }: Figures, share: number) =>
    riskCoverage.points.find(({ coverage }) => coverage >= share - 1e-9)?.selective_risk ?? null;
  return table({
    caption: 'Share wrong among the accepted, by coverage',
    hideCaption: true,
    columns: [{ title: 'coverage, at least' }, ...drawn.map(({ name }) => numeric(name))],
    rows: SHARES.map((share) => [
      decimals(share, 1),
      ...drawn.map(({ figures }) => number(riskAt(figures, share))),
    ]),
  });
}

function numeric(title: string) {
  return { title, kind: 'number' as const };
}
