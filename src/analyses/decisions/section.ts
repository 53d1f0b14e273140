import type { DecisionShare } from '../../metrics/deferral/decision-groups.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { percent, whole } from '../../reports/charts/number-text.ts';
import {
  columns,
  figure,
  numbers,
  paragraph,
  section,
  shown,
  table,
  texts,
} from '../../reports/document/blocks.ts';
import type { Block, Figure, Section, Table } from '../../reports/document/document.ts';
import { findScore, inWords, number, range, shortName } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { rowSection } from '../../runs/sections/row-section.ts';

/** Reasons and classes come from data. */
const MAX_DRAWN = 24;
const MAX_LISTED = 200;

/** The parts of a result that the section needs. */
type Decided = Pick<RunResult, 'decisions' | 'decisionsAtPrevalence'> & {
  readonly card: Pick<Scorecard, 'scores'> & { readonly method: Pick<Scorecard['method'], 'cluster'> };
};

/** Right decisions by reason to defer and by class, and at other shares of must-defer rows. Null without deferral labels. */
export function decisions(report: Decided): Section | null {
  const { decisions: found, card } = report;
  if (found === null) return null;
  const overall = findScore(card, 'decision_accuracy')?.value ?? null;
  return section({ id: 'decisions', title: 'Right decisions, by reason and by right answer' }, [
    paragraph(
      'A decision is right when a case that must be deferred is deferred, and when a case that must be answered is answered rightly.',
      { except: ['text'] },
    ),
    columns('charts', [
      ...(found.byReason.length === 0
        ? []
        : [
            shareFigure(
              'Deferred, by reason to defer',
              'reason',
              found.byReason,
              found.mustDefer.value,
              'Of the cases that must be deferred. A case with several reasons counts under each.',
            ),
          ]),
      shareFigure(
        'Right decisions, by right answer',
        'right answer',
        found.byClass,
        overall,
        'Of all cases with a deferral label, by the answer that is right for what they show.',
      ),
    ]),
    ...prevalence(report),
  ]);
}

function shareFigure(
  title: string,
  of: string,
  shares: readonly DecisionShare[],
  overall: number | null,
  note: string,
): Figure {
  const named = shares.map((share) => ({ ...share, group: groupName(share.group, of) }));
  const caption = shown([
    note,
    named.length > MAX_DRAWN && `The first ${MAX_DRAWN} of ${whole(named.length)} groups are drawn.`,
  ]).join(' ');
  return figure(
    {
      chart: 'dots',
      data: {
        title,
        dots: named.slice(0, MAX_DRAWN).map((share) => ({ ...share, n_successes: share.nRight })),
        overall,
      },
    },
    caption,
    table(
      title,
      [of, ...numbers('value', 'interval', 'n')],
      named.map(({ group, value, lower, upper, nRight, n }) => [
        group,
        number(value),
        range({ lower, upper }),
        `${whole(nRight)}/${whole(n)}`,
      ]),
      { most: { text: MAX_LISTED, md: MAX_LISTED, html: MAX_LISTED } },
    ),
  );
}

function groupName(group: string, of: string): string {
  if (of === 'right answer') return group === 'null' ? 'no derivable answer' : shortName(group);
  return shortName(inWords(group));
}

function prevalence({ decisionsAtPrevalence: at, card }: Decided): Block[] {
  if (at.length === 0) return [];
  const rows: Table = table(
    'By share of must-defer cases',
    ['must-defer cases', ...numbers('decision accuracy', 'interval'), ...texts('share of')],
    at.map(({ prevalence: share, from, value, lower, upper }) => [
      percent(share),
      number(value),
      range({ lower, upper }),
      from === 'suite' ? 'this suite' : 'stated',
    ]),
    { showCaption: true },
  );
  const isWithout = at.every(({ lower }) => lower === null);
  const isClustered = card.method.cluster !== null && card.method.cluster !== 'id';
  return [
    rows,
    paragraph(
      `The expected accuracy is the share times "deferred where needed" plus the rest times "right where an answer is called for". ${isWithout ? 'No interval holds after an early stop.' : isClustered ? 'The interval takes the two parts as dependent, because cases were drawn in clusters.' : 'The interval combines those of the two parts.'}`,
      { tone: 'small', except: ['text'] },
    ),
  ];
}

/** Whether acting on the stated probabilities would do more good than treating all or none. Null unless the task has a positive label and confidences. */
export function decisionCurve(
  report: Pick<RunResult, 'figures' | 'backendName'> & Partial<Pick<RunResult, 'published'>>,
): Section | null {
  const points = report.figures?.decisionCurve ?? null;
  if (points === null || report.figures === null) return null;
  const head = { id: 'decision-curve', title: 'Would acting on it help?', except: ['text'] as const };
  return rowSection(head, report, () => [
    figure(
      { chart: 'decisionCurve', data: { name: report.backendName, points } },
      `Net benefit: share of true positives less share of false positives x threshold / (1 - threshold). The curve of a model that helps lies above both treating all and treating none, over the thresholds a clinician would use. A deferral and an invalid answer lead to no treatment; cases without a derivable answer are left out.`,
      table(
        'Net benefit by threshold',
        ['threshold', ...numbers('this model', 'treat all', 'treat none')],
        points
          .filter(({ threshold }) => Math.round(threshold * 100) % 5 === 0)
          .map(({ threshold, net_benefit: own, treat_all: all, treat_none: none }) => [
            threshold.toFixed(2),
            number(own),
            number(all),
            number(none),
          ]),
      ),
      true,
    ),
  ]);
}
