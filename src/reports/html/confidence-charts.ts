import type { Figures, Scorecard } from '../../metrics/index.ts';
import {
  type ChartDocument,
  calibrationFloor,
  confidenceHistogram,
  decimals,
  percent,
  reliabilityDiagram,
  riskCoverageChart,
  whole,
} from '../charts/index.ts';
import { figure } from './figure.ts';
import { html, type Markup } from './html.ts';
import { table } from './table.ts';
import { levelText, nullBandOf, number, range, scoreOf, why } from './words.ts';

/** A table of a curve has at most this many lines; the file has all of them. */
const MAX_LINES = 100;

interface Parts {
  readonly figures: Figures;
  readonly card: Scorecard;
  readonly name: string;
  readonly document: ChartDocument;
}

/** Whether confidence is what it says: the diagram, what chance alone would show, and how sure the answers were. */
export function calibrationCharts({ figures, card, name, document }: Parts): Markup {
  if (figures.riskCoverage.nUsable === 0) return nothingUsable(card);
  const level = levelText(card.method.level);
  return html`<div class="charts">
${figure({
  svg: reliabilityDiagram([{ name, bins: figures.reliability }], document),
  caption: `Share of answers that were right, by stated confidence, with ${level} Wilson intervals; ${whole(figures.riskCoverage.nUsable)} answers with a usable confidence. Below the diagonal the model is surer than it is right.`,
  data: table({
    caption: 'Reliability',
    hideCaption: true,
    columns: ['confidence', 'answers', 'mean confidence', 'share right', 'interval'].map(numeric),
    rows: figures.reliability
      .filter(({ count }) => count > 0)
      .map(({ low, high, count, mean_confidence: mean, accuracy, lower, upper }) => [
        `${decimals(low)} to ${decimals(high)}`,
        whole(count),
        number(mean),
        number(accuracy),
        range(lower === null || upper === null ? null : { lower, upper }),
      ]),
  }),
})}
<div class="stack">${floorFigure(card, document)}
${figure({
  svg: confidenceHistogram(figures.confidence, document),
  caption: 'How sure the answers were, right and wrong apart.',
  data: table({
    caption: 'Stated confidence',
    hideCaption: true,
    columns: ['confidence', 'right', 'wrong'].map(numeric),
    rows: figures.confidence
      .filter(({ right, wrong }) => right + wrong > 0)
      .map(({ low, high, right, wrong }) => [
        `${decimals(low, 2)} to ${decimals(high, 2)}`,
        whole(right),
        whole(wrong),
      ]),
  }),
})}</div>
</div>`;
}

function floorFigure(card: Scorecard, document: ChartDocument): Markup | null {
  const ece = scoreOf(card, 'expected_calibration_error');
  const band = ece === undefined ? null : nullBandOf(ece);
  if (ece?.value == null || band === null) return null;
  const verdict =
    ece.value <= band.ece_null_p95
      ? 'It cannot be told from perfect calibration.'
      : 'It is more than chance gives.';
  const floor = {
    error: ece.value,
    interval: ece.interval,
    chanceMean: band.ece_null_mean,
    chanceUpTo: band.ece_null_p95,
  };
  return figure({
    svg: calibrationFloor(floor, document),
    caption: `ECE ${number(ece.value)}. The band is what a perfectly calibrated model with these confidences shows by chance, up to its 95th percentile; the dashed line is its mean. ${verdict}`,
    data: table({
      caption: 'Calibration error and chance',
      hideCaption: true,
      columns: [{ title: 'what' }, numeric('value')],
      rows: [
        ['ECE', number(ece.value)],
        ['interval', range(ece.interval)],
        ['by chance, mean', number(band.ece_null_mean)],
        ['by chance, 95th percentile', number(band.ece_null_p95)],
        ['simulations', whole(band.simulations)],
        ['seed', String(band.seed)],
      ],
    }),
  });
}

/** What accepting only the surest answers would bring. */
export function riskCoverageFigure({ figures, card, name, document }: Parts): Markup {
  const curve = figures.riskCoverage;
  if (curve.nUsable === 0) return nothingUsable(card);
  const lines = evenly(curve.points, MAX_LINES);
  const thinned =
    lines.length < curve.points.length
      ? html`<p class="small muted">Every ${Math.round(curve.points.length / lines.length)}th point of ${curve.points.length}.</p>`
      : null;
  const augrc = scoreOf(card, 'augrc');
  const facts = [
    `Answers are accepted from the surest down; coverage is of all ${whole(card.nScored)} scored rows, of which ${percent(curve.nUsable / card.nScored)} have an answer with a confidence.`,
    curve.random === null ? null : `Accepted at random, ${number(curve.random)} would be wrong throughout.`,
    'A curve near the best order means that the model knows which answers to doubt.',
    augrc === undefined || augrc.value === null
      ? null
      : `AUGRC ${number(augrc.value)} (${range(augrc.interval)}).`,
  ];
  return figure({
    side: true,
    svg: riskCoverageChart([{ name, curve }], document),
    caption: facts.filter((fact) => fact !== null).join(' '),
    data: html`${thinned}${table({
      caption: 'Risk and coverage',
      hideCaption: true,
      columns: [
        'accepted from confidence',
        'coverage',
        'share wrong among accepted',
        'wrong and accepted, of all',
      ].map(numeric),
      rows: lines.map((point) => [
        number(point.threshold),
        number(point.coverage),
        number(point.selective_risk),
        number(point.generalized_risk),
      ]),
    })}`,
  });
}

function numeric(title: string) {
  return { title, kind: 'number' as const };
}

function nothingUsable(card: Scorecard): Markup {
  return html`<p>No answer states a usable confidence, so there is nothing to draw: ${whole(card.nMissingConfidence)} without one, ${whole(card.nInvalidConfidence)} outside 0 to 1. ${why(scoreOf(card, 'expected_calibration_error')?.reason ?? null)}.</p>`;
}

/** At most `most` of a list, in even steps, both ends among them. */
function evenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  const step = (list.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => list[Math.round(i * step)]!);
}
