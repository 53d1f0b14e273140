import type { Comparison } from '../../analyses/comparison/comparison.ts';
import { comparisonDocument } from '../../analyses/comparison/comparison-document.ts';
import { KrisisError } from '../../core/errors.ts';
import type { Score } from '../../core/score.ts';
import type { Chart } from '../../reports/charts/chart.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { drawFigure } from '../../reports/formats/figure-file.ts';
import type { FileContent, ReportContent, ReportOptions } from '../report-options.ts';
import { runSections } from '../run-document.ts';
import type { RunResult } from '../run-result.ts';

/** The charts of one name; several are numbered, or have a name of their own. */
type Charts = readonly (Chart & { readonly part?: string })[];

/** The figures of a run, by name. A new one is a line here. */
const RUN_FIGURES: Readonly<
  Record<string, (facts: { readonly run: RunResult; readonly sections: readonly Section[] }) => Charts>
> = {
  board: ({ sections }) => chartsIn(sections, 'board'),
  flow: ({ sections }) => chartsIn(sections, 'flow'),
  harms: ({ run }) => harmForest(run.metricScores),
  baselines: ({ sections }) => chartsIn(sections, 'dots', /^baselines$/),
  decisions: ({ sections }) => chartsIn(sections, 'dots', /^decisions$/),
  confusion: ({ run: { figures } }) => (figures ? [{ chart: 'confusion', data: figures.confusion }] : []),
  reliability: ({ sections }) => chartsIn(sections, 'reliability'),
  confidence: ({ sections }) => chartsIn(sections, 'confidence'),
  calibration: ({ sections }) => chartsIn(sections, 'calibration'),
  'risk-coverage': ({ sections }) => chartsIn(sections, 'riskCoverage'),
  'decision-curve': ({ sections }) => chartsIn(sections, 'decisionCurve'),
  groups: ({ sections }) => chartsIn(sections, 'dots', /^groups$/),
};

/** The figures of a comparison, by name. A new one is a line here. */
const COMPARISON_FIGURES: Readonly<
  Record<
    string,
    (facts: { readonly comparison: Comparison; readonly sections: readonly Section[] }) => Charts
  >
> = {
  differences: ({ sections }) => chartsIn(sections, 'dots', /^pair-/),
  against: ({ sections }) => chartsIn(sections, 'dots', /^against$/),
  harms: ({ comparison }) => modelForests(comparison),
  reliability: ({ sections }) => chartsIn(sections, 'reliability'),
  'risk-coverage': ({ sections }) => chartsIn(sections, 'riskCoverage'),
};

/** The names of all figures, for help. */
export const FIGURE_NAMES = {
  run: Object.keys(RUN_FIGURES).join(', '),
  comparison: Object.keys(COMPARISON_FIGURES).join(', '),
};

/** Which figures, and as what. */
interface FigureChoice {
  readonly image: 'svg' | 'png';
  readonly figure: string | undefined;
}

/** The figures of a run, or one of them. */
export function runFigures(run: RunResult, choice: FigureChoice): Promise<ReportContent> {
  return drawFigures(RUN_FIGURES, { run, sections: runSections(run) }, choice);
}

/** The figures of a comparison, or one of them. */
export function comparisonFigures(
  comparison: Comparison,
  reports: NonNullable<ReportOptions['reports']>,
  choice: FigureChoice,
): Promise<ReportContent> {
  const { sections } = comparisonDocument(comparison, { reports });
  return drawFigures(COMPARISON_FIGURES, { comparison, sections }, choice);
}

async function drawFigures<Facts>(
  table: Readonly<Record<string, (facts: Facts) => Charts>>,
  facts: Facts,
  { image, figure }: FigureChoice,
): Promise<ReportContent> {
  const named = Object.entries(table).flatMap(([name, find]) => {
    const charts = find(facts);
    return charts.map((chart, i) => {
      const part = chart.part ?? String(i + 1);
      return { name: charts.length === 1 ? name : `${name}-${part}`, chart };
    });
  });
  const chosen = figure === undefined ? named : named.filter(({ name }) => name === figure);
  if (chosen.length === 0)
    throw noFigure(
      figure,
      named.map(({ name }) => name),
    );
  if (figure !== undefined) return drawFigure(roomy(chosen[0]!.chart), image);
  const files: Record<string, FileContent> = {};
  for (const { name, chart } of chosen) files[`${name}.${image}`] = await drawFigure(roomy(chart), image);
  return { files };
}

/** A file is as wide as its names need. */
function roomy(chart: Chart): Chart {
  return chart.chart === 'dots' ? { ...chart, data: { ...chart.data, isRoomy: true } } : chart;
}

function noFigure(figure: string | undefined, names: readonly string[]): KrisisError {
  const known = names.length === 0 ? 'it has none' : `its figures are ${names.join(', ')}`;
  return new KrisisError(
    figure === undefined
      ? `there is no figure of this result`
      : `no figure ${figure} of this result; ${known}`,
    { code: 'ERR_FORMAT_NOT_AVAILABLE', value: figure ?? null },
  );
}

/** The charts of one kind in sections, in the order of the report. */
function chartsIn<Kind extends Chart['chart']>(sections: readonly Section[], kind: Kind, ids = /./): Charts {
  const inBlock = (block: Block): readonly Chart[] =>
    block.kind === 'figure'
      ? [block.chart]
      : block.kind === 'columns' || block.kind === 'details'
        ? block.blocks.flatMap(inBlock)
        : [];
  return sections
    .filter(({ id }) => ids.test(id))
    .flatMap(({ blocks }) => blocks.flatMap(inBlock))
    .filter(({ chart }) => chart === kind);
}

/** What could have harmed a patient, a line each. */
function harmForest(scores: readonly Score[]): Charts {
  const dots = scores.filter(({ facts }) => facts?.harm).map((score) => toDot(score.label, score));
  if (dots.every(({ value }) => value === null)) return [];
  return [
    { chart: 'dots', data: { title: 'share of the cases to which it could happen', dots, overall: null } },
  ];
}

/** Each harm as a figure, with a line for each model. */
function modelForests({ models }: Comparison): Charts {
  const harms = new Map(
    models.flatMap(({ scores }) =>
      scores.filter(({ facts }) => facts?.harm).map(({ name, label }) => [name, label] as const),
    ),
  );
  return [...harms].map(([metric, title]) => ({
    chart: 'dots',
    data: {
      title,
      dots: models.flatMap(({ name, scores }) =>
        scores.filter((score) => score.name === metric).map((score) => toDot(name, score)),
      ),
      overall: null,
    },
    part: metric.replaceAll('_', '-'),
  }));
}

function toDot(group: string, { value, interval, nEvaluated, nSuccesses }: Score) {
  const [lower, upper] = [interval?.lower ?? null, interval?.upper ?? null];
  return { group, n: nEvaluated, n_successes: nSuccesses ?? null, value, lower, upper };
}
