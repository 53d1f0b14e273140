import type { Figures, GroupDot, Scorecard, SubgroupGap } from '../../metrics/index.ts';
import { type ChartDocument, decimals, dotPlot, whole } from '../charts/index.ts';
import { figure } from './figure.ts';
import { type Content, html, type Markup } from './html.ts';
import { table } from './table.ts';
import { inWords, number, range, scoreOf, shortName, why } from './words.ts';

/** Groups come from data: there may be as many as rows. */
const MAX_DRAWN = 24;
const MAX_LISTED = 200;

/** One dot plot for each measure in each kind of group, with what the comparison of the groups says. */
export function groupCharts(figures: Figures, card: Scorecard, document: ChartDocument): Markup {
  const keys = [...new Set(figures.dots.map(({ by }) => by))];
  if (keys.length === 0) return html`<p>No stages, classes or subgroups were compared.</p>`;
  return html`${keys.map((by) => {
    const ofKey = figures.dots.filter((dot) => dot.by === by);
    const metrics = [...new Set(ofKey.map(({ metric }) => metric))];
    return html`<h3>By ${by === 'ground_truth' ? 'true class' : shortName(inWords(by))}</h3>
<div class="charts">${metrics.map((metric) => {
      const gap = card.subgroups.find((found) => found.by === by && found.metric === metric);
      return groupFigure(distinct(ofKey.filter((dot) => dot.metric === metric)), gap, card, document);
    })}</div>`;
  })}`;
}

function groupFigure(
  dots: readonly GroupDot[],
  gap: SubgroupGap | undefined,
  card: Scorecard,
  document: ChartDocument,
): Markup {
  const { metric } = dots[0]!;
  const score = scoreOf(card, metric);
  const title = score?.label ?? inWords(metric);
  const drawn = dots.slice(0, MAX_DRAWN).map((dot) => ({ ...dot, group: shortName(dot.group) }));
  const listed = dots.slice(0, MAX_LISTED);
  const left = [
    drawn.length < dots.length
      ? `The first ${drawn.length} of ${whole(dots.length)} groups are drawn.`
      : null,
    listed.length < dots.length ? `The table lists ${listed.length}; the JSON report has all.` : null,
  ];
  return figure({
    svg: dotPlot({ title, dots: drawn, overall: score?.value ?? null }, document),
    caption: [gapText(gap), ...left].filter((text) => text !== null).join(' '),
    data: table({
      caption: title,
      hideCaption: true,
      columns: [
        { title: 'group' },
        { title: 'value', kind: 'number' },
        { title: 'interval', kind: 'number' },
        { title: 'n', kind: 'number' },
        ...(gap === undefined ? [] : [{ title: 'against the rest' }]),
      ],
      rows: listed.map(({ group, value, lower, upper, n }): Content[] => [
        shortName(group),
        number(value),
        range(lower === null || upper === null ? null : { lower, upper }),
        whole(n),
        ...(gap === undefined ? [] : [againstTheRest(gap, group)]),
      ]),
    }),
  });
}

function gapText(gap: SubgroupGap | undefined): string | null {
  if (gap === undefined) return null;
  const missing =
    gap.n_without_key === 0 ? '' : ` ${whole(gap.n_without_key)} rows without the key are left out.`;
  if (gap.gap === null) return `No gap is stated: fewer than two groups have ${gap.min_n} rows.${missing}`;
  const worst = gap.metric === 'abstention_rate' ? 'abstained on most often' : 'lowest';
  return `Gap ${decimals(gap.gap)}; ${worst}: ${shortName(gap.worst_group ?? '')}. Groups under ${gap.min_n} rows are not ranked.${missing}`;
}

function againstTheRest({ groups, min_n: minN }: SubgroupGap, name: string): string {
  const group = groups.find((found) => found.group === name);
  if (group === undefined) return '';
  if (group.value === null) return `no value: ${why(group.reason)}`;
  const difference = group.difference_from_rest;
  if (difference === null) return group.ranked ? '' : `fewer than ${minN} rows: not ranked`;
  const sign = (value: number) => `${value < 0 ? '' : '+'}${decimals(value)}`;
  const p =
    difference.p_holm === null
      ? ''
      : `, p ${difference.p_holm < 0.001 ? '< 0.001' : `= ${decimals(difference.p_holm)}`} (Holm)`;
  return `${sign(difference.value)} (${sign(difference.lower)} to ${sign(difference.upper)})${p}`;
}

/** A key that is the stage and was also asked for as a subgroup comes twice. */
function distinct(dots: readonly GroupDot[]): GroupDot[] {
  return [...new Map(dots.map((dot) => [dot.group, dot])).values()];
}
