import { percent, whole } from '../../reports/charts/number-text.ts';
import { numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { counted, DASH, levelText } from '../../reports/words.ts';
import type { Ranked, RankIntervals } from './rank-intervals.ts';

/** Ranks with their intervals, one table for each metric. */
export function rankSection({ ranked, level, seed }: RankIntervals): Section | null {
  return section({ id: 'ranks', title: 'How sure are the ranks?' }, [
    ...ranked.flatMap((one) => rankBlocks(one, level)),
    paragraph(
      `Rank 1 is best; equal models share the mean of their ranks. Only cases that every model scored are ranked. Intervals: ${levelText(level)} percentiles over resamples of whole cases, with all their repeats, and of whole clusters (seed ${seed}). "First" is the share of resamples in which the model is best. "Failed calls allow" is the range of ranks over all cases, whatever the failed cases would have been. Where models are nearly equal, such intervals are too short: read paired differences first.`,
      { tone: 'small', except: ['text'] },
    ),
  ]);
}

const REASONS: Readonly<Record<string, string>> = {
  resampling_off: 'no intervals, because there are no resamples',
  too_few_units: 'no intervals, because fewer than 10 cases or clusters can be drawn',
  too_many_undefined: 'no intervals, because too many resamples have no value',
};

function rankBlocks(one: Ranked, level: number): Block[] {
  const { label, better, models, nRecords, nUnits, nLeftOut, reason } = one;
  const hasFailed = models.some(({ nFailed }) => nFailed > 0);
  const units = nUnits === nRecords ? '' : ` in ${counted(nUnits, 'cluster')}`;
  const ordered = [...models].sort((a, b) => a.rank - b.rank);
  return [
    paragraph(`${label}, ${better} is better: ${leadText(one, level)}`, { tone: 'lead' }),
    table(
      `Ranks by ${label.toLowerCase()}`,
      [
        'model',
        ...numbers('value', 'rank', 'interval', 'first'),
        ...(hasFailed ? numbers('failed', 'failed calls allow') : []),
      ],
      ordered.map(({ name, value, rank, lower, upper, best, nFailed, rankBounds }) => [
        name,
        percent(value),
        rankText(rank),
        lower === null ? DASH : `${rankText(lower)} to ${rankText(upper!)}`,
        best === null ? DASH : percent(best),
        ...(hasFailed ? [whole(nFailed), `${rankBounds.best} to ${rankBounds.worst}`] : []),
      ]),
    ),
    paragraph(
      `${counted(nRecords, 'case')}${units} scored by every model${nLeftOut === 0 ? '' : `; ${counted(nLeftOut, 'case')} left out, because a call of some model failed or never ran`}${reason === null ? '' : `; ${REASONS[reason]}`}.`,
      { tone: 'small' },
    ),
  ];
}

function leadText({ models, reason }: Ranked, level: number): string {
  if (reason !== null) return 'nothing is shown about the order.';
  const first = models.filter(({ lower }) => lower! < 2).map(({ name }) => name);
  return first.length === 1
    ? `${first[0]} is first in the ${levelText(level)} interval, and no other model is.`
    : `${first.length} of ${models.length} models may be first (${levelText(level)} intervals): ${first.join(', ')}.`;
}

/** Ranks are whole, or half where two share them. */
function rankText(rank: number): string {
  return String(Math.round(rank * 100) / 100);
}
