import { riskReferences } from '../../analyses/baselines/section.ts';
import { whyDifferentRecords } from '../../analyses/comparison/comparison-warnings.ts';
import type { RecordSet } from '../../analyses/comparison/record-sets.ts';
import type { Figures } from '../../metrics/figures.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { decimals, percent, whole } from '../../reports/charts/number-text.ts';
import type { Series } from '../../reports/charts/series-style.ts';
import {
  columns,
  figure,
  heading,
  numbers,
  paragraph,
  section,
  shown,
  table,
} from '../../reports/document/blocks.ts';
import type { Block, Figure, Section, SectionHead, Table } from '../../reports/document/document.ts';
import { findScore, levelText, number, pText, range, readNullBand, why } from '../../reports/words.ts';
import type { RunResult } from '../run-result.ts';
import { rowSection } from './row-section.ts';

/** The mark in place of an interval. */
const NOT_VALID = 'fixed-size interval after an early stop: not valid';
/** How right answers are counted wherever confidence is judged. */
const STRICT = 'An answer to a case that should have been deferred counts as wrong, whatever it says.';
/** The most rows of a curve in a table; the JSON report has all of them. */
const MAX_POINTS = 100;

/** Whether confidence is what it says: the diagram, what chance alone would show, and how sure the answers were. */
export function calibration(report: RunResult): Section {
  const { card, backendName: name } = report;
  const head: SectionHead = { id: 'calibration', title: 'Is confidence what it says?', except: ['text'] };
  const intervals =
    report.status === 'stopped_early'
      ? `without intervals (${NOT_VALID})`
      : `with ${levelText(card.method.level)} Wilson intervals`;
  const writeCaption = (nUsable: number) =>
    `Share of answers that were right, by stated confidence, ${intervals}; ${whole(nUsable)} answers with a usable confidence. ${STRICT} Below the diagonal the model is overconfident.`;
  return rowSection(
    head,
    report,
    (figures) => {
      const { nUsable } = figures.riskCoverage;
      if (nUsable === 0) return nothingUsable(card);
      return [
        columns('charts', [
          reliability([{ name, figures }], writeCaption(nUsable)),
          columns('stack', [...floor(card), histogram(figures)]),
        ]),
      ];
    },
    (figures) => {
      const nUsable = figures.reliability.reduce((sum, { count }) => sum + count, 0);
      return nUsable === 0 ? [] : [reliability([{ name, figures }], writeCaption(nUsable))];
    },
  );
}

/** What accepting only the surest answers would bring. */
export function riskCoverage(report: RunResult): Section {
  const { card, backendName: name } = report;
  const title = 'Does it know which answers to doubt?';
  return rowSection({ id: 'risk-coverage', title, except: ['text'] }, report, (figures) => {
    const { riskCoverage: curve } = figures;
    if (curve.nUsable === 0) return nothingUsable(card);
    const nRows = card.nScored - card.nWithoutLabel;
    const { n: nEmergencies, unanswered } = curve.emergencies;
    const facts = shown([
      `Answers are accepted from the surest down; coverage is of all ${whole(nRows)} scored cases, of which ${percent(curve.nUsable / nRows)} have an answer with a confidence.`,
      nEmergencies > 0 &&
        `${whole(unanswered)} of ${whole(nEmergencies)} emergencies are among the cases without one, where the curve shows nothing.`,
      STRICT,
      curve.random !== null && `Accepted at random, ${number(curve.random)} would be wrong throughout.`,
      'A curve near the best order means that the model knows which answers to doubt.',
      ...['augrc_strict', 'augrc'].map((name) => scoreWithInterval(report, name)),
    ]);
    const chart = {
      chart: 'riskCoverage',
      data: [{ name, figures, references: riskReferences(report) }],
    } as const;
    return [figure(chart, facts.join(' '), pointTable(curve), true)];
  });
}

function scoreWithInterval({ card, status }: RunResult, name: string): string | null {
  const score = findScore(card, name);
  if (score?.value == null) return null;
  const isStopped = score.interval === null && status === 'stopped_early';
  return `${score.label} ${number(score.value)} (${isStopped ? NOT_VALID : range(score.interval)}).`;
}

function pointTable({ points: all }: Figures['riskCoverage']): Table {
  const points = evenly(all, MAX_POINTS);
  const isCut = points.length < all.length;
  return table(
    `Risk and coverage${isCut ? `: ${points.length} points of ${all.length}` : ''}`,
    [
      ...numbers('accepted from confidence', 'coverage'),
      ...numbers('share wrong among accepted', 'wrong and accepted, of all'),
    ],
    points.map((point) =>
      [point.threshold, point.coverage, point.selective_risk, point.generalized_risk].map(number),
    ),
    { showCaption: isCut, most: { md: 40 } },
  );
}

/** Reliability and risk-coverage of all models on the same records in one frame each; models without rows or confidences are named instead. */
export function overlaidCharts(...compared: Parameters<typeof curveCharts>): Section {
  const { charts, reason, notDrawn } = curveCharts(...compared);
  return section(
    { id: 'charts', title: 'Confidence: what it says, and what it is good for', except: ['text'] },
    [
      notDrawn.length > 0 &&
        paragraph(`Not drawn, because there are no cases or no confidences: ${notDrawn.join(', ')}.`),
      reason !== null && paragraph(`Drawn in ${charts.length} charts, because ${reason}.`),
      ...charts.flatMap(({ title, drawn }) => [
        title !== null && heading(title),
        columns('charts', [
          reliability(
            drawn,
            `Share of answers that were right, by stated confidence, with Wilson intervals. Below the diagonal a model is overconfident.${bareText(drawn)}`,
          ),
          figure(
            { chart: 'riskCoverage', data: drawn },
            'Answers are accepted from the surest down; coverage is of all scored cases, so a model that defers ends before 1. Lower is better among the answers given; it says nothing about emergencies without one.',
            riskTable(drawn),
          ),
        ]),
      ]),
    ],
  );
}

/** Names models whose intervals are left out. */
function bareText(drawn: readonly Series[]): string {
  const bare = drawn.filter(({ figures }) => figures.reliability.every(({ lower }) => lower === null));
  const names = bare.map(({ name }) => name).join(', ');
  return names === '' ? '' : ` Stopped early, so without intervals: ${names}.`;
}

function reliability(drawn: readonly Series<'reliability'>[], caption: string): Figure {
  return figure(
    { chart: 'reliability', data: drawn },
    caption,
    table(
      'Reliability',
      numbers('confidence', 'answers', 'mean confidence', 'share right', 'interval'),
      drawn.map(({ name, figures }) => ({
        title: drawn.length === 1 ? null : name,
        rows: figures.reliability
          .filter(({ count }) => count > 0)
          .map(({ low, high, count, mean_confidence: mean, accuracy, lower, upper }) => [
            `${decimals(low)} to ${decimals(high)}`,
            whole(count),
            number(mean),
            number(accuracy),
            range({ lower, upper }),
          ]),
      })),
    ),
  );
}

function histogram({ confidence }: Figures): Figure {
  return figure(
    { chart: 'confidence', data: confidence },
    'How sure the answers were, right and wrong apart. Here an answer is right if it equals the label, also where the case should have been deferred.',
    table(
      'Stated confidence',
      numbers('confidence', 'right', 'wrong'),
      confidence
        .filter(({ right, wrong }) => right + wrong > 0)
        .map(({ low, high, right, wrong }) => [
          `${decimals(low, 2)} to ${decimals(high, 2)}`,
          whole(right),
          whole(wrong),
        ]),
    ),
  );
}

/** Plain and strict values in a table; the picture and the sentence use the strict one. */
function floor(card: Scorecard): Figure[] {
  const [plain, strict] = ['expected_calibration_error', 'expected_calibration_error_strict'].map((name) =>
    findScore(card, name),
  );
  const ece = strict ?? plain;
  const band = ece === undefined ? null : readNullBand(ece);
  if (ece?.value == null || band === null) return [];
  const { value: error } = ece;
  const { null_mean: chanceMean, null_p95: chanceUpTo, p_calibrated: p } = band;
  const verdict =
    error <= chanceUpTo
      ? 'It cannot be distinguished from perfect calibration.'
      : 'It is more than chance gives.';
  const others = ['overconfidence_strict', 'overconfidence'].flatMap((name) => findScore(card, name) ?? []);
  return [
    figure(
      { chart: 'calibration', data: { error, chanceMean, chanceUpTo } },
      shown([
        `${ece.label} ${number(error)}${strict && plain ? `, plain ${number(plain.value)}` : ''}.`,
        `The band is what a perfectly calibrated model with these confidences shows by chance, up to its 95th percentile; the dashed line is its mean. ${verdict}`,
        p !== null && `Test that the model is calibrated: p ${pText(p)}.`,
        'There is no interval: that of a calibrated model would never cover 0.',
        strict !== undefined &&
          `${STRICT} The strict error can be the smaller of the two, so read it beside strict overconfidence.`,
      ]).join(' '),
      table(
        'Calibration error and chance',
        ['what', ...numbers('value', 'interval')],
        [
          ...shown([ece, ece === plain ? null : (plain ?? null)]).map(({ label, value }) => [
            label,
            number(value),
            '',
          ]),
          ...others.map(({ label, value, interval }) => [label, number(value), range(interval)]),
          ['by chance, mean', number(chanceMean), ''],
          ['by chance, 95th percentile', number(chanceUpTo), ''],
          ['p-value of the test that the model is calibrated', pText(p), ''],
          ['simulations', whole(band.simulations), ''],
          ['seed', String(band.seed), ''],
        ],
      ),
    ),
  ];
}

const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The curves at every tenth of the coverage; a dash where a model answers less than that. */
function riskTable(drawn: readonly Series[]): Table {
  const riskAt = ({ riskCoverage: { points } }: Figures, coverage: number) =>
    points.find((point) => point.coverage >= coverage - 1e-9)?.selective_risk ?? null;
  return table(
    'Share wrong among the accepted, by coverage',
    ['coverage, at least', ...numbers(...drawn.map(({ name }) => name))],
    SHARES.map((coverage) => [
      decimals(coverage, 1),
      ...drawn.map(({ figures }) => number(riskAt(figures, coverage))),
    ]),
  );
}

function nothingUsable(card: Scorecard): Block[] {
  return [
    paragraph(
      `No answer states a usable confidence, so there is nothing to draw: ${whole(card.nMissingConfidence)} without one, ${whole(card.nInvalidConfidence)} outside 0 to 1. ${why(findScore(card, 'expected_calibration_error')?.reason ?? null)}.`,
    ),
  ];
}

/** At most `most` entries of a list in even steps, both ends among them. */
function evenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  const step = (list.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => list[Math.round(i * step)]!);
}

/** Distributes the curves of compared runs over charts: one for each set of records. */
export function curveCharts(
  models: readonly { readonly name: string; readonly figures: Figures | null }[],
  sets: readonly RecordSet[],
): {
  readonly charts: readonly {
    /** Which runs and records; null where there is one chart. */
    readonly title: string | null;
    readonly drawn: readonly Series[];
  }[];
  /** Why there is more than one chart; null where there is not. */
  readonly reason: string | null;
  /** Models without rows or confidences. */
  readonly notDrawn: readonly string[];
} {
  const isDrawn = (model: (typeof models)[number] | undefined): model is Series =>
    (model?.figures?.riskCoverage.nUsable ?? 0) > 0;
  const drawnSets = sets.flatMap((set) => {
    const drawn = set.runs.map((place) => models[place]).filter(isDrawn);
    return drawn.length === 0 ? [] : [{ set, drawn }];
  });
  const isOne = drawnSets.length < 2;
  return {
    charts: drawnSets.map(({ set: { suiteName, nAsked }, drawn }) => ({
      title: isOne
        ? null
        : `${drawn.map(({ name }) => name).join(', ')} (${suiteName}, ${whole(nAsked)} cases)`,
      drawn,
    })),
    reason: isOne ? null : whyDifferentRecords(drawnSets.map(({ set }) => set)),
    notDrawn: models.filter((model) => !isDrawn(model)).map(({ name }) => name),
  };
}
