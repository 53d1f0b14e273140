import { compareRuns } from '../analyses/comparison/compare-runs.ts';
import type { Comparison, EndpointComparison } from '../analyses/comparison/comparison.ts';
import { pairId } from '../analyses/comparison/pairs-section.ts';
import { harmWarnings } from '../metrics/warnings.ts';
import { decimals, percent, whole } from '../reports/charts/number-text.ts';
import {
  BREAK,
  link,
  muted,
  numbers,
  paragraph,
  section,
  strong,
  table,
} from '../reports/document/blocks.ts';
import type { Inline, Section } from '../reports/document/document.ts';
import { DASH, levelText } from '../reports/words.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import type { FirstComparisonPayload, RunLine } from './api.ts';
import { buildAddress } from './build-address.ts';
import {
  type ComparedRuns,
  comparedNames,
  openResult,
  tableReader,
  whyNotCompared,
} from './compare-payload.ts';
import type { OpenRuns } from './open-runs.ts';

/** As many as fit beside each other; pairs have all endpoints. */
const MAX_ENDPOINTS = 7;

/** What a comparison begins with: each model's harms, and the differences that lead, without the resamples that everything else takes. */
export function firstComparison(
  runs: OpenRuns,
  { runs: ids, analyses }: ComparedRuns & Pick<ReadRunOptions, 'analyses'>,
): FirstComparisonPayload {
  const found = ids.map((id) => runs.find(id));
  const lines = found.map(({ line }) => line);
  if (whyNotCompared(lines) !== null || lines[0]!.kind === 'questions')
    return { runs: lines, faults: [], section: null };
  const options = analyses?.comparison ?? {};
  const make = () => {
    const results = found.map((run) => openResult(runs, run, 0));
    const names = comparedNames(results);
    const comparison = compareRuns(results, {
      ...options,
      resamples: 0,
      baseline: results[0],
      names,
      isBrief: true,
      read: tableReader(runs, found),
    });
    return {
      runs: lines,
      faults: results.flatMap(({ card }, r) => {
        const sentences = harmWarnings(card).map(({ message }) => message);
        return sentences.length === 0 ? [] : [{ model: names[r]!, sentences }];
      }),
      section: differenceMatrix(comparison, lines),
    };
  };
  return runs.cached('first comparison', found, make, JSON.stringify(options));
}

/** All models by the endpoints that lead, harms first, and against the baseline. The name of a model leads to its pair. */
function differenceMatrix(
  { pairs, models, primaryEndpoint, method }: Comparison,
  runs: readonly RunLine[],
): Section | null {
  const [baseline] = models;
  if (pairs.length === 0 || baseline === undefined || pairs.length !== runs.length - 1) return null;
  const endpoints = leadingEndpoints(pairs[0]!.endpoints, primaryEndpoint?.metric);
  const ids = runs.map(({ id }) => id);
  const rows = pairs.map((pair, i): Inline[] => [
    pairs.length === 1
      ? pair.model
      : link(pair.model, `/${buildAddress('compare', { runs: ids, with: ids[i + 1], section: pairId(i) })}`),
    ...endpoints.map(({ metric }) => differenceCell(pair.endpoints.find((one) => one.metric === metric))),
  ]);
  return section({ id: 'differences', title: 'Harms and decisions' }, [
    table(
      'Harms and decisions of each model',
      ['model', ...numbers(...endpoints.map(({ metric, label }) => SHORT[metric] ?? label.toLowerCase()))],
      [
        [
          baseline.name,
          ...endpoints.map(
            (score): Inline => (score.baselineValue === null ? DASH : valueText(score, score.baselineValue)),
          ),
        ],
        ...rows,
      ],
      { layout: 'wide' },
    ),
    paragraph(
      `Each model's value, and below it the difference from A with its ${levelText(method.level)} interval, in percentage points, on the cases that both have scored. A bold difference has an interval without zero.${pairs.length === 1 ? '' : ' The name of a model opens its pair with A.'}`,
      { tone: 'small' },
    ),
  ]);
}

/** So that all columns fit on a screen. */
const SHORT: Readonly<Record<string, string>> = {
  unsafe_decision_rate: 'unsafe',
  answered_should_defer_rate: 'should defer',
  wrong_answer_rate: 'wrong',
  deferred_without_need_rate: 'without need',
};

function leadingEndpoints(
  endpoints: readonly EndpointComparison[],
  primary: string | undefined,
): readonly EndpointComparison[] {
  const first = endpoints.slice(0, MAX_ENDPOINTS);
  const found = endpoints.find(({ metric }) => metric === primary);
  return found === undefined || first.includes(found) ? first : [...first.slice(0, -1), found];
}

/** `7 of 57` of what there should be none of; a share of anything else, and where repeats are counted in part. */
function valueText({ better, n, isShare }: EndpointComparison, value: number): Inline {
  const count = value * n;
  if (!isShare) return decimals(value);
  if (better !== 'lower' || Math.abs(count - Math.round(count)) > 1e-6) return percent(value);
  return `${whole(Math.round(count))} of ${whole(n)}`;
}

function differenceCell(score: EndpointComparison | undefined): Inline {
  if (score === undefined || score.modelValue === null || score.difference === null) return DASH;
  const { difference, interval, isShare } = score;
  const points = (value: number) => (isShare ? decimals(value * 100, 1) : decimals(value)).replace('-', '−');
  const signed = `${difference > 0 ? '+' : ''}${points(difference)}`;
  const isShown = interval !== null && (interval.lower > 0 || interval.upper < 0);
  return [
    valueText(score, score.modelValue),
    BREAK,
    isShown ? strong(signed) : signed,
    ...(interval === null ? [] : [BREAK, muted(`${points(interval.lower)} to ${points(interval.upper)}`)]),
  ];
}
