import * as Plot from '@observablehq/plot';
import type { Figures } from '../../metrics/figures.ts';
import { axisBelow, GRID, upLabel } from './axes.ts';
import { type ChartLink, linkMarks } from './chart-links.ts';
import { type LegendEntry, legendHeight, legendMarks } from './legend.ts';
import { decimals, percent, whole } from './number-text.ts';
import { CONTROL, MIN_CURVE_CASES, MUTED, type Series, SHADE, SMALL, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

/** More dots than this hide the line. */
const MAX_DOTS = 30;
const MIN_TOP = 0.05;
const ORACLE_DASH = '10 3 2 3';
/** The least share of the coverage axis between two links of a curve that is too dense for dots. */
const LINK_STEP = 1 / 25;

type Curve = Figures['riskCoverage'];
type Point = Curve['points'][number];

interface RiskCoverageLinks {
  /** Where a point of a single series leads. */
  readonly linkOf?: ((point: Point, words: string) => ChartLink | null) | undefined;
}

/**
 * How many accepted answers are wrong, or given where the case should have been deferred, when only the surest share of all rows is accepted. Coverage is of all scored rows, so a model that abstains ends before 1. A single
 * series is drawn between its two controls: accepting at random, and the best order that its errors allow.
 */
export function riskCoverageChart(
  series: readonly Series<'riskCoverage'>[],
  document: ChartDocument,
  { linkOf }: RiskCoverageLinks = {},
): string {
  const single = series.length === 1 ? series[0]! : null;
  const references = single?.references ?? [];
  const legend: LegendEntry[] = [
    ...series.map(({ name }, i) => ({ name, ...seriesStyle(i) })),
    ...(single === null
      ? []
      : [
          { name: 'control: answers accepted at random', color: MUTED, dash: CONTROL.strokeDasharray },
          { name: 'control: the best order these errors allow', color: MUTED, dash: ORACLE_DASH },
        ]),
    ...references.map(({ name }, i) => ({ name, ...referenceStyle(i) })),
  ];
  const marginTop = legendHeight(legend);
  const top = Math.min(
    1,
    Math.max(MIN_TOP, ...series.flatMap(risks), ...references.map(({ risk }) => risk)) * 1.08,
  );
  return svgChart(document, {
    title: `Risk-coverage curve${single === null ? `s of ${series.length} series` : ''}: share of accepted answers that are wrong or should have been deferred, by share of cases accepted`,
    description: series.map(inWords).join(' '),
    height: 320 + marginTop,
    marginTop,
    x: { domain: [0, 1] },
    y: { domain: [0, top] },
    marks: [
      single && unreachable(single),
      Plot.gridY(GRID),
      axisBelow('coverage: share of all scored cases that is accepted'),
      Plot.axisY({ ticks: 5, label: null }),
      single && controls(single),
      ...series.flatMap((one, i) => seriesMarks(one, i, single !== null)),
      ...references.map((point, i) => {
        const { color, symbol } = referenceStyle(i);
        return Plot.dot([point], { x: 'coverage', y: 'risk', symbol, stroke: color, fill: color, r: 4.5 });
      }),
      upLabel('share wrong or to be deferred'),
      ...legendMarks(legend),
      single && pointLinks(single, linkOf),
    ],
  });
}

function seriesMarks(
  { name, figures }: Series<'riskCoverage'>,
  index: number,
  single: boolean,
): Plot.Markish[] {
  const points = listDrawn(figures.riskCoverage);
  const { color, dash, symbol } = seriesStyle(index);
  const at = { x: 'coverage', y: 'selective_risk', stroke: color };
  const dots = points.length <= MAX_DOTS ? points : points.slice(-1);
  return [
    Plot.line(points, { ...at, strokeWidth: 2, strokeDasharray: dash }),
    // Symbols of other series below must stay visible.
    Plot.dot(dots, { ...at, fill: color, fillOpacity: single ? 1 : 0.3, symbol, r: 3.5 }),
    Plot.dot(spaced(points), {
      ...at,
      stroke: 'none',
      fill: 'transparent',
      r: 7,
      title: (point: Point) => `${name}: ${describePoint(point, figures.riskCoverage)}`,
    }),
  ];
}

/** Symbols in the colour of controls. */
function referenceStyle(index: number) {
  return { color: MUTED, symbol: seriesStyle(index + 1).symbol };
}

/** Each point is linked from the column around it. A dense curve has only as many links as are easy to hit, the last point among them. */
function pointLinks(
  { figures: { riskCoverage: curve } }: Series<'riskCoverage'>,
  linkOf: RiskCoverageLinks['linkOf'],
): Plot.Markish[] {
  const chosen = spaced(listDrawn(curve));
  const middle = (from: number, to: number) => (chosen[from]!.coverage + chosen[to]!.coverage) / 2;
  const columns = chosen.map((point, i) => ({
    point,
    from: i === 0 ? point.coverage - LINK_STEP / 2 : middle(i - 1, i),
    to: i === chosen.length - 1 ? point.coverage : middle(i, i + 1),
  }));
  return linkMarks(
    columns,
    linkOf && (({ point }) => linkOf(point, describePoint(point, curve))),
    ({ from, to }, { x, frame }) => ({
      ...frame,
      x1: x(from),
      x2: x(to),
    }),
  );
}

/** The points that rest on enough answers. */
function listDrawn(curve: Curve): Point[] {
  return curve.points.filter((point) => countAccepted(point, curve) >= MIN_CURVE_CASES);
}

/** How many answers a point accepts: the last point accepts all that have a confidence. */
function countAccepted({ coverage }: Point, { points, nUsable }: Curve): number {
  return Math.round((coverage / points.at(-1)!.coverage) * nUsable);
}

function describePoint(point: Point, curve: Curve): string {
  const { threshold, coverage, selective_risk: risk } = point;
  return `Accepting from confidence ${decimals(threshold, 2)}: share wrong ${decimals(risk)} of ${whole(countAccepted(point, curve))} answers, coverage ${decimals(coverage)}`;
}

function spaced(points: readonly Point[]): readonly Point[] {
  if (points.length <= MAX_DOTS) return points;
  const chosen: Point[] = [];
  for (const point of points.toReversed()) {
    const next = chosen[0];
    if (next === undefined || next.coverage - point.coverage >= LINK_STEP - 1e-9) chosen.unshift(point);
  }
  return chosen;
}

function controls(series: Series<'riskCoverage'>): Plot.Markish[] {
  const { random, oracle } = series.figures.riskCoverage;
  return [
    ...(random === null ? [] : [Plot.ruleY([random], { ...CONTROL, x1: 0, x2: reach(series) })]),
    Plot.line(oracle, { ...CONTROL, x: 'coverage', y: 'selective_risk', strokeDasharray: ORACLE_DASH }),
  ];
}

/** The rows without an answer to accept, shaded: no curve can reach there. Emergencies among them are named, since a lower curve does not make them safe. */
function unreachable(series: Series<'riskCoverage'>): Plot.Markish[] {
  const from = reach(series);
  const { n, unanswered } = series.figures.riskCoverage.emergencies;
  if (from > 0.995 && unanswered === 0) return [];
  const emergencies = n === 0 ? '' : `, ${unanswered} of ${n} emergencies`;
  return [
    Plot.rect([0], { x1: from, x2: 1, fill: SHADE }),
    Plot.text([`no answer: ${percent(1 - from)}${emergencies}`], {
      ...SMALL,
      x: (from + 1) / 2,
      frameAnchor: 'middle',
      rotate: 90,
      // A narrow strip has no room for words; the caption says the same.
      fillOpacity: 1 - from < 0.05 ? 0 : 1,
    }),
  ];
}

/** The largest coverage that the answers allow. */
function reach({ figures }: Series<'riskCoverage'>): number {
  return figures.riskCoverage.points.at(-1)?.coverage ?? 0;
}

function risks({ figures: { riskCoverage: curve } }: Series<'riskCoverage'>): number[] {
  return [...listDrawn(curve).map((point) => point.selective_risk), curve.random ?? 0];
}

function inWords(series: Series<'riskCoverage'>): string {
  const { random, oracle, nUsable } = series.figures.riskCoverage;
  if (nUsable === 0) return `${series.name}: no answer has a usable confidence.`;
  const points = listDrawn(series.figures.riskCoverage);
  if (points.length === 0)
    return `${series.name}: ${whole(nUsable)} answers have a usable confidence; a curve is drawn from ${MIN_CURVE_CASES}.`;
  const chosen = [0.25, 0.5, 0.75].map((share) => points[Math.floor((points.length - 1) * share)]!);
  const at = [...new Set([points[0]!, ...chosen, points.at(-1)!])].map(
    ({ coverage, selective_risk: risk }) => `${decimals(risk)} at coverage ${decimals(coverage)}`,
  );
  const control = random === null ? '' : ` Accepting at random: ${decimals(random)} throughout.`;
  const errorFree = oracle.findLast((point) => point.selective_risk === 0)?.coverage ?? 0;
  const best =
    oracle.length === 0
      ? ''
      : ` In the best order there would be no error up to coverage ${decimals(errorFree)}.`;
  const rules = (series.references ?? []).map(
    ({ name, coverage, risk }) => ` ${name}: ${decimals(risk)} at coverage ${decimals(coverage)}.`,
  );
  const { n, unanswered } = series.figures.riskCoverage.emergencies;
  const beyond = n === 0 ? '' : ` Without an answer to accept: ${unanswered} of ${n} emergencies.`;
  return `${series.name}: share wrong ${at.join(', ')}; coverage cannot exceed ${decimals(reach(series))}.${beyond}${control}${best}${rules.join('')}`;
}
