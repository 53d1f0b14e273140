import { recordIndex } from '../../analyses/record-index/record-index.ts';
import { getStratum } from '../../core/patient-record.ts';
import type { SubgroupGap } from '../../metrics/behaviour/subgroups.ts';
import { type GroupDot, subgroupDots } from '../../metrics/figures/group-dots.ts';
import type { Metric } from '../../metrics/metric.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { findDomain } from '../../reports/charts/dot-plot.ts';
import { decimals, restsOn, whole } from '../../reports/charts/number-text.ts';
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
import type { Block, Figure, Section } from '../../reports/document/document.ts';
import { findScore, inWords, number, range, shortName, why } from '../../reports/words.ts';
import type { RecordFilter } from '../../store/queries/record-filter.ts';
import type { RunResult } from '../run-result.ts';
import { rowSection } from './row-section.ts';

/** Groups come from data: there may be as many as rows. */
const MAX_DRAWN = 24;
const MAX_LISTED = 200;

const HEAD = { id: 'groups', title: 'Strata and subgroups' };

/** The strata of the task, or right answers where it has none, and the subgroups that were asked for: each measure with n, interval and the gap between groups. */
export function groups(report: RunResult): Section {
  const linked = (dots: readonly GroupDot[]) => dots.map((dot) => ({ ...dot, records: rowsIn(report, dot) }));
  return rowSection(
    HEAD,
    report,
    ({ dots }) => groupBlocks(report.card, linked(dots)),
    ({ dots }) => groupBlocks(report.card, dots),
  );
}

const ANSWERED = ['answered_correct', 'answered_wrong', 'invalid', 'refused'];
const ROWS_OF: Readonly<Record<NonNullable<Metric['countedRows']>, RecordFilter>> = {
  not_abstained: { outcome: ANSWERED },
  to_answer: { scored: true, should_abstain: ['false'] },
  to_answer_not_abstained: { outcome: ANSWERED, should_abstain: ['false'] },
  deferral_labels: { scored: true, should_abstain: ['true', 'false'] },
};

/** The rows of a group; null where lists cannot be filtered by its key. */
function rowsIn(report: RunResult, { by, metric, group }: GroupDot): RecordFilter | null {
  const counted = builtInMetric(metric)?.countedRows;
  const rows = counted ? ROWS_OF[counted] : { scored: true };
  if (by === 'ground_truth') return { ...rows, label: [group] };
  if (by === getStratum(report.task).key) return { ...rows, stratum: [group] };
  const { subgroups: keys = {} } = recordIndex(report) ?? {};
  return keys[by]?.includes(group) ? { ...rows, group: [`${by}:${group}`] } : null;
}

/** The same for scores without a run around them. */
export function subgroups(card: Scorecard): Section {
  return section(HEAD, groupBlocks(card, subgroupDots(card.subgroups)));
}

function groupBlocks(card: Scorecard, dots: readonly GroupDot[]): Block[] {
  if (dots.length === 0) return [paragraph('No strata, classes or subgroups were compared.')];
  return [...Map.groupBy(dots, ({ by }) => by)].flatMap(([by, ofKey]) => {
    const plots = [...Map.groupBy(ofKey, ({ metric }) => metric)].map(([metric, own]) => ({
      dots: distinct(own),
      overall: findScore(card, metric)?.value ?? null,
      gap: card.subgroups.find((found) => found.by === by && found.metric === metric),
    }));
    // Plots beside each other share their axis, so that a glance can compare them.
    const domain = findDomain(plots);
    const figures = plots.map(({ dots: own, gap }) => groupFigure(own, gap, card, domain));
    return [
      heading(
        by === 'ground_truth'
          ? 'By right answer'
          : `By ${shortName(inWords(by))}, as recorded with each case`,
      ),
      columns('charts', figures),
    ];
  });
}

function groupFigure(
  dots: readonly GroupDot[],
  gap: SubgroupGap | undefined,
  card: Scorecard,
  domain: readonly [number, number],
): Figure {
  const { metric } = dots[0]!;
  const score = findScore(card, metric);
  const title = score?.label ?? inWords(metric);
  const drawn = dots.slice(0, MAX_DRAWN).map((dot) => ({ ...dot, group: shortName(dot.group) }));
  const listed = dots.slice(0, MAX_LISTED);
  const caption = shown([
    gap !== undefined && gapText(gap),
    drawn.length < dots.length && `The first ${drawn.length} of ${whole(dots.length)} groups are drawn.`,
    listed.length < dots.length && `The table lists ${listed.length}; the JSON report has all of them.`,
  ]);
  return figure(
    { chart: 'dots', data: { title, dots: drawn, overall: score?.value ?? null, domain } },
    caption.join(' '),
    table(
      title,
      ['group', ...numbers('value', 'interval', 'n'), ...(gap === undefined ? [] : ['against the rest'])],
      listed.map(({ group, value, lower, upper, n_successes: successes, n }) => [
        shortName(group),
        number(value),
        range({ lower, upper }),
        restsOn(successes, n),
        ...(gap === undefined ? [] : [againstTheRest(gap, group)]),
      ]),
    ),
  );
}

function gapText(gap: SubgroupGap): string {
  const missing =
    gap.n_without_key === 0 ? '' : ` ${whole(gap.n_without_key)} cases without the key are left out.`;
  if (gap.gap === null) return `No gap is stated: fewer than two groups have ${gap.min_n} cases.${missing}`;
  const worst = gap.metric === 'abstention_rate' ? 'deferred most often' : 'lowest';
  return `Gap ${decimals(gap.gap)}; ${worst}: ${shortName(gap.worst_group ?? '')}. Groups under ${gap.min_n} cases are not ranked.${missing}`;
}

function againstTheRest({ groups: all, min_n: minN }: SubgroupGap, name: string): string {
  const group = all.find((found) => found.group === name);
  if (group === undefined) return '';
  if (group.value === null) return `no value: ${why(group.reason)}`;
  const difference = group.difference_from_rest;
  if (difference === null) return group.ranked ? '' : `fewer than ${minN} cases: not ranked`;
  const sign = (value: number) => `${value < 0 ? '' : '+'}${decimals(value)}`;
  const p =
    difference.p_holm === null
      ? ''
      : `, p ${difference.p_holm < 0.001 ? '< 0.001' : `= ${decimals(difference.p_holm)}`} (Holm)`;
  return `${sign(difference.value)} (${sign(difference.lower)} to ${sign(difference.upper)})${p}`;
}

/** A stratum that was also asked for as a subgroup comes twice. */
function distinct(dots: readonly GroupDot[]): GroupDot[] {
  return [...new Map(dots.map((dot) => [dot.group, dot])).values()];
}
