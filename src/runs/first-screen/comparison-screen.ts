import type { Comparison } from '../../analyses/comparison/comparison.ts';
import { questionModelTables } from '../../analyses/comparison/models-section.ts';
import type { ModelOrder, ModelOrders } from '../../analyses/model-order/model-order.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import { isHarmWarning, nameFaults } from '../../metrics/warning.ts';
import { decimals, whole } from '../../reports/charts/number-text.ts';
import { facts, list, paragraph, section, shown, table } from '../../reports/document/blocks.ts';
import type { Block, Inline, Section } from '../../reports/document/document.ts';
import type { TextDocument } from '../../reports/formats/text.ts';
import { MAX_COMPARISON_LINES, TEXT_WIDTH } from '../../reports/layout/text-width.ts';
import { displayWidth } from '../../reports/layout/wrap.ts';
import { counted } from '../../reports/words.ts';
import { fitScreen, type ScreenLimits } from './fit-screen.ts';
import { comparedWarnings } from './grouped-warnings.ts';
import { columnTitle, countText, screenName, screenScores } from './harm-tables.ts';
import { release } from './release.ts';
import { ASKED, faultLine, type ScreenOptions } from './run-screen.ts';

/** Columns of the plot: what the other columns leave, within these bounds. */
const MIN_PLOT = 9;
const MAX_PLOT = 25;
const GAP = 2;
/** Said by the other lines, the title, or every row of the table. */
const SAID: ReadonlySet<string> = new Set(['few_records', 'not_ranked', 'recorded_answers']);

/** The first screen of a comparison: conditions, a line for each model with its interval, whether the order is real, and what to do next. */
export function comparisonScreen(comparison: Comparison, options: Omit<ScreenOptions, 'title'>): string {
  const { width = TEXT_WIDTH, lines = MAX_COMPARISON_LINES } = options;
  const order = KINDS[comparison.kind].order(comparison);
  return fitScreen((limits) => screenDocument(comparison, { ...options, width }, limits, order), {
    width,
    lines,
  });
}

function screenDocument(
  comparison: Comparison,
  options: Omit<ScreenOptions, 'title'>,
  limits: ScreenLimits,
  order: readonly string[],
): TextDocument {
  const { verdicts = [], example = null, next = [], more, width = TEXT_WIDTH } = options;
  const { warnings, suiteName, models, notPaired } = comparison;
  const harms = nameFaults(warnings);
  const { unit, tables, pairs } = KINDS[comparison.kind];
  const notes = [
    ...harmNotes(comparison),
    ...comparedWarnings(
      warnings.filter((warning) => !isHarmWarning(warning) && !SAID.has(warning.code)),
      { nModels: models.length, width: width - 2 },
    ),
    ...notPaired.map(({ model, message }) => `${model} is in the table only: ${message}.`),
  ];
  return {
    summary: [`${suiteName}: ${models.length} models${pairedText(comparison, unit)}`],
    sections: shown([
      release(verdicts, { limits, example, more, baseline: comparison.baseline }),
      section({ id: 'models', title: '' }, [
        ...tables(comparison, limits, { width, more }),
        harms.length > 0 && list(faultLines(harms, limits, more)),
      ]),
      order.length === 0 ? null : section({ id: 'order', title: 'ORDER' }, [list(order)]),
      pairs(comparison, limits, more),
      notes.length === 0
        ? null
        : section({ id: 'notes', title: 'HOW SURE' }, [list(cutList(notes, limits.sure, 'more note', more))]),
      next.length === 0
        ? null
        : section({ id: 'next', title: 'NEXT' }, [
            facts(
              'What to do next',
              next.map(([what, command]) => [what, command.replaceAll(' ', '\u00a0')]),
            ),
          ]),
    ]),
  };
}

/** What the screen shows of runs of each kind of task. */
const KINDS: Readonly<Record<Comparison['kind'], ScreenKind>> = {
  labels: {
    unit: ASKED.labels.unit,
    tables: (comparison, limits, { width, more }) => {
      const left = comparison.models.length - limits.models;
      return [
        modelTable(comparison, limits, width),
        left > 0 && paragraph(`${counted(left, 'more model')}: ${more}`),
      ];
    },
    order: orderLines,
    pairs: () => null,
  },
  text: {
    unit: ASKED.text.unit,
    tables: (comparison) => questionModelTables(comparison).slice(0, 1),
    order: () => [],
    pairs: pairLines,
  },
};

interface ScreenKind {
  readonly unit: string;
  tables(
    comparison: Comparison,
    limits: ScreenLimits,
    how: { readonly width: number; readonly more: string },
  ): readonly (Block | null | false)[];
  /** Whether the order of the models is more than chance. */
  order(comparison: Comparison): readonly string[];
  /** Each model against the baseline. */
  pairs(comparison: Comparison, limits: ScreenLimits, more: string): Section | null;
}

/** On how many cases the models are compared with the first. */
function pairedText({ pairs }: Comparison, unit: string): string {
  const counts = pairs.map(({ nPaired }) => nPaired);
  if (counts.length === 0) return '';
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (most === 0) return `, with no ${unit} in common`;
  const text = least === most ? whole(most) : `${whole(least)} to ${whole(most)}`;
  return ` on the same ${text} ${most === 1 ? unit : `${unit}s`}`;
}

function cutList(lines: readonly string[], most: number, noun: string, more: string): string[] {
  const left = lines.length - most;
  return [...lines.slice(0, most), ...(left > 0 ? [`${counted(left, noun)}: ${more}`] : [])];
}

/** The faults of all models, one sentence each; the gravest come first. */
function faultLines(
  faults: readonly string[],
  { harms: most, isShort }: ScreenLimits,
  more: string,
): Inline[] {
  const left = faults.length - most;
  return [
    ...faults.slice(0, most).map((fault) => faultLine(fault, isShort)),
    ...(left > 0 ? [`${counted(left, 'more fault')}: ${more}`] : []),
  ];
}

/** Counts of harm, and the endpoint with its interval on an axis that all models share; the highest value first. */
function modelTable(comparison: Comparison, limits: ScreenLimits, width: number): Block | null {
  const { models, primaryEndpoint } = comparison;
  const primary = endpointName(comparison);
  const listed = models.map(({ name, scores, simulated }) => ({
    name: `${name.startsWith('baseline/') ? `${name.slice('baseline/'.length)} (rule)` : name}`,
    scores,
    simulated,
    own: screenScores(scores, primaryEndpoint?.metric ?? null),
    endpoint: scores.find((score) => score.name === primary),
  }));
  const sorted = listed
    .toSorted((a, b) => (b.endpoint?.value ?? -1) - (a.endpoint?.value ?? -1))
    .slice(0, limits.models);
  const longest = listed.toSorted((a, b) => b.own.length - a.own.length)[0]?.own ?? [];
  const counts = longest.filter(({ name, nSuccesses }) => name !== primary && nSuccesses != null).slice(0, 4);
  const label = listed.flatMap(({ endpoint }) => endpoint ?? [])[0];
  if (counts.length === 0 && label === undefined) return null;
  const cells = sorted.map(({ name, scores, endpoint }) => [
    name,
    ...counts.map((column) => countCell(scores, column.name, sorted)),
    endpoint?.value == null ? '-' : decimals(endpoint.value),
  ]);
  const titles = [
    '',
    ...counts.map((score) => columnTitle(score, sorted)),
    label === undefined ? '' : columnTitle({ ...label, nSuccesses: null }, sorted),
  ];
  const widths = titles.map((title, c) =>
    Math.max(...title.split(' ').map(displayWidth), ...cells.map((row) => displayWidth(row[c]!))),
  );
  // Names are indented by two.
  const rest = width - widths.reduce((sum, each) => sum + each + GAP, 2);
  const columns = Math.min(MAX_PLOT, Math.max(MIN_PLOT, rest));
  const axis = makeAxis(sorted.flatMap(({ endpoint }) => endpoint ?? []));
  return table(
    'Models',
    [
      '',
      ...titles.slice(1).map((title) => ({ title, kind: 'number' as const })),
      { title: axis === null ? '' : axisText(axis, columns), kind: 'number' },
    ],
    sorted.map(({ endpoint }, r) => [
      ...cells[r]!,
      endpoint?.value == null || axis === null ? '' : plot(endpoint, axis, columns),
    ]),
  );
}

function countCell(
  scores: readonly MetricScore[],
  name: string,
  models: readonly { readonly scores: readonly MetricScore[] }[],
): string {
  const score = scores.find((each) => each.name === name);
  if (score?.value == null || score.nSuccesses == null) return '-';
  return score.bounds === null ? countText(score, models) : boundedCountText(score);
}

/** `11-109/306`: where calls failed, a model must not look better than those that answered. */
function boundedCountText({ nSuccesses, nEvaluated, bounds }: MetricScore): string {
  const n = Math.round(nEvaluated / (1 - (bounds!.upper - bounds!.lower)));
  return `${whole(nSuccesses!)}-${whole(nSuccesses! + n - nEvaluated)}/${whole(n)}`;
}

type Axis = readonly [lower: number, upper: number];

/** From below the lowest limit to above the highest, in steps of a twentieth. */
function makeAxis(scores: readonly MetricScore[]): Axis | null {
  const ends = scores.flatMap(({ value, interval }) =>
    value === null ? [] : [interval?.lower ?? value, interval?.upper ?? value],
  );
  if (ends.length === 0) return null;
  const lower = Math.floor(Math.min(...ends) * 20) / 20;
  const upper = Math.ceil(Math.max(...ends) * 20) / 20;
  return [lower, upper > lower ? upper : lower + 0.05];
}

function axisText([lower, upper]: Axis, columns: number): string {
  const [left, right] = [String(Number(lower.toFixed(2))), String(Number(upper.toFixed(2)))];
  return `${left}${'\u00a0'.repeat(Math.max(1, columns - left.length - right.length))}${right}`;
}

/** `--o---` in its place on the axis. */
function plot({ value, interval }: MetricScore, [lower, upper]: Axis, columns: number): string {
  const place = (x: number) => Math.round(((x - lower) / (upper - lower)) * (columns - 1));
  const [from, to, at] = [interval?.lower ?? value!, interval?.upper ?? value!, value!].map(place) as [
    number,
    number,
    number,
  ];
  return Array.from({ length: columns }, (_, c) =>
    c === at ? 'o' : c >= from && c <= to ? '-' : '\u00a0',
  ).join('');
}

function endpointName({ primaryEndpoint, models }: Comparison): string {
  if (primaryEndpoint !== null) return primaryEndpoint.metric;
  const hasDecisions = models.some(({ scores }) =>
    scores.some(({ name, value }) => name === 'decision_accuracy' && value !== null),
  );
  return hasDecisions ? 'decision_accuracy' : 'accuracy';
}

/** Whether the order is more than chance, by the endpoint and by missed emergencies. */
function orderLines(comparison: Comparison): string[] {
  const found = comparison.analyses.modelOrder as ModelOrders | null;
  const orderBy = (name: string) => found?.orders.find(({ metric }) => metric === name);
  const byEndpoint = orderBy(endpointName(comparison));
  const byMissed = orderBy('missed_emergency_rate');
  if (comparison.pairs.every(({ nPaired }) => nPaired === 0))
    return ['No case was answered by two models, so no difference can be tested.'];
  return shown([
    byEndpoint === undefined
      ? 'Whether the order is more than chance is not tested for this score: --full shows the intervals of the differences.'
      : orderSentence(byEndpoint),
    byMissed !== undefined && missedSentence(byMissed),
  ]) as string[];
}

/** `3 of 15 differences in right decisions are shown; the order of the others is not.` */
function orderSentence({ pairs, nShown, metric, label }: ModelOrder): string {
  const name = metric === 'accuracy' ? 'right answers' : screenName({ name: metric, label });
  const nPairs = pairs.length;
  if (nShown === nPairs)
    return nPairs === 1
      ? `The difference in ${name} is shown: this order is real.`
      : `All ${nPairs} differences in ${name} are shown: this order is real.`;
  if (nShown === 0)
    return nPairs === 1
      ? `No difference in ${name} is shown: the order may be chance.`
      : `None of ${nPairs} differences in ${name} is shown: the order may be chance.`;
  return `${nShown} of ${nPairs} differences in ${name} ${nShown === 1 ? 'is' : 'are'} shown; the order of the others is not.`;
}

function missedSentence({ pairs: { length: nPairs }, nShown }: ModelOrder): string {
  if (nShown === nPairs)
    return nPairs === 1
      ? 'The difference in missed emergencies is shown.'
      : `All ${nPairs} differences in missed emergencies are shown.`;
  if (nShown === 0) return 'No difference in missed emergencies is shown.';
  return `${nShown} of ${nPairs} differences in missed emergencies ${nShown === 1 ? 'is' : 'are'} shown.`;
}

/** A model that decides better and does more harm is never called better: both are named. */
function harmNotes({ pairs, primaryEndpoint }: Comparison): string[] {
  return pairs.flatMap(({ model, baseline, endpoints }) => {
    const found = endpoints.find(({ metric }) => metric === (primaryEndpoint?.metric ?? 'decision_accuracy'));
    if (found === undefined || !found.inWords.includes('; but ')) return [];
    const name = screenName({ name: found.metric, label: found.label });
    return [`${model} against ${baseline}, ${name}: ${found.inWords}.`];
  });
}

/** Open questions: each model against the first, score by score. */
function pairLines({ pairs }: Comparison, limits: ScreenLimits, more: string): Section {
  const lines = pairs.flatMap(({ model, endpoints }) =>
    endpoints.flatMap(({ label, inWords, difference }) =>
      difference === null ? [] : [`${model}, ${label}: ${inWords}`],
    ),
  );
  return section({ id: 'order', title: 'ORDER' }, [
    list(
      lines.length === 0 ? ['No two runs can be paired.'] : cutList(lines, limits.harms, 'more score', more),
    ),
  ]);
}
