import type { Comparison, EndpointComparison } from '../analyses/comparison/comparison.ts';
import { decimals } from '../reports/charts/number-text.ts';
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
import { DASH, levelText, range } from '../reports/words.ts';
import { addressOf } from './address-of.ts';
import type { RunLine } from './api.ts';

/** As many as fit beside each other; pairs have all endpoints. */
const MAX_ENDPOINTS = 7;

/** All models against the baseline by the endpoints that lead, harms first; null for two models, whose section says the same. The name of a model leads to its pair, and a second link makes it the baseline. */
export function differenceMatrix(
  { pairs, models, primaryEndpoint, method }: Comparison,
  runs: readonly RunLine[],
): Section | null {
  const [baseline] = models;
  if (pairs.length < 2 || baseline === undefined || pairs.length !== runs.length - 1) return null;
  const endpoints = leadingEndpoints(pairs[0]!.endpoints, primaryEndpoint?.metric);
  const ids = runs.map(({ id }) => id);
  const pageOf = (order: readonly string[], more: object = {}) =>
    `/${addressOf('compare', { runs: order, ...more })}`;
  const rows = pairs.map((pair, i): Inline[] => {
    const id = ids[i + 1]!;
    const first = [id, ...ids.filter((other) => other !== id)];
    return [
      [link(pair.model, pageOf(ids, { with: id })), BREAK, link('make it A', pageOf(first))],
      ...endpoints.map(({ metric }) => cell(pair.endpoints.find((one) => one.metric === metric))),
    ];
  });
  return section({ id: 'differences', title: `Every model against ${baseline.name}` }, [
    paragraph(
      `Model minus A, with ${levelText(method.level)} intervals, on the cases that both have scored. A difference in bold has an interval without zero. The name of a model leads to its pair with A.`,
      { tone: 'small' },
    ),
    table(
      'Differences from the baseline',
      ['model', ...numbers(...endpoints.map(({ metric, label }) => SHORT[metric] ?? label.toLowerCase()))],
      [
        [
          [baseline.name, BREAK, muted('values of A')],
          ...endpoints.map(({ baselineValue: value }) => (value === null ? DASH : decimals(value))),
        ],
        ...rows,
      ],
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

function cell(score: EndpointComparison | undefined): Inline {
  if (score === undefined || score.difference === null) return DASH;
  const { difference, interval } = score;
  const text = `${difference > 0 ? '+' : ''}${decimals(difference)}`;
  if (interval === null) return text;
  const isShown = interval.lower > 0 || interval.upper < 0;
  return [isShown ? strong(text) : text, BREAK, muted(range(interval))];
}
