import type { Figures, MetricScore, Scorecard } from '../../metrics/index.ts';
import type { RunResult } from '../../results/index.ts';
import { columns, numbers, paragraph, table, texts } from '../document/blocks.ts';
import type { Block, Section, Table } from '../document/document.ts';
import { DASH, number, range, scoreOf, shortName, trivialPolicies, why } from '../words.ts';
import { rowSection } from './row-section.ts';

/** Truth by answer. */
export function confusion(report: RunResult): Section {
  return rowSection({ id: 'confusion', title: 'Truth and answer' }, report, (figures) => [
    confusionMatrix(figures.confusion),
    paragraph(
      'Counts, and shares of the row. Right answers are framed; abstained and invalid (refusals among them) are set apart, for they are not answers.',
      { tone: 'small', except: ['text'] },
    ),
  ]);
}

export function confusionMatrix({ truths, answers, counts }: Figures['confusion']): Block {
  // `abstained` and `invalid` come last.
  const firstApart = answers.length - 2;
  return {
    kind: 'matrix',
    label: 'Confusion matrix',
    caption: 'Truth (rows) by answer (columns)',
    columns: ['truth', ...answers.map(shortName)],
    firstApart,
    rows: truths.map((truth, r) => {
      const isDerivable = truth !== 'null' || answers.includes('null');
      const right = answers.slice(0, firstApart).indexOf(truth);
      return {
        title: isDerivable ? shortName(truth) : 'no derivable answer',
        counts: counts[r]!,
        right: isDerivable ? right : -1,
      };
    }),
  };
}

/** Whether it deferred where it should have, beside what the two policies that need no model would have scored. */
export function deferral(report: RunResult): Section {
  const head = { id: 'deferral', title: 'Does it defer where it should?' };
  return rowSection(
    head,
    report,
    ({ deferral: counts }) => [
      counts === null
        ? paragraph(
            'No row says whether deferring was called for (metadata.should_abstain), so deferral cannot be judged.',
          )
        : columns('beside', [deferralMatrix(counts), policies(report.card)]),
    ],
    ({ deferral: counts }) => (counts === null ? [] : [deferralMatrix(counts)]),
  );
}

function deferralMatrix(counts: NonNullable<Figures['deferral']>): Block {
  return {
    kind: 'matrix',
    label: 'Deferral matrix',
    caption: 'What was called for (rows) by what was done (columns)',
    columns: ['called for', 'deferred', 'answered'],
    firstApart: 2,
    rows: [
      {
        title: 'should defer',
        counts: [counts.defer_when_needed, counts.answer_when_should_defer],
        right: 0,
      },
      {
        title: 'should answer',
        counts: [counts.abstain_when_should_answer, counts.answer_when_safe],
        right: 1,
      },
    ],
  };
}

/** The model beside the two policies that need none. */
export function policies(card: Pick<Scorecard, 'scores'>): Table {
  const alignment = scoreOf(card, 'deferral_alignment');
  const trivial = alignment && trivialPolicies(alignment);
  const cost = scoreOf(card, 'deferral_cost_normalised');
  const costs =
    cost &&
    `missed ${cost.details.cost_missed_deferral}, needless ${cost.details.cost_needless_deferral}; below 1 is better than the better trivial policy`;
  return table(
    'Deferral against the trivial policies',
    ['what', ...numbers('value', 'interval'), ...texts('reads as')],
    [
      scoreLine('Alignment of this model', alignment),
      ['Alignment of never deferring', number(trivial?.never_defer), '', 'needs no model'],
      ['Alignment of always deferring', number(trivial?.always_defer), '', 'needs no model'],
      scoreLine('Matthews correlation (MCC)', scoreOf(card, 'deferral_mcc'), '0 is no skill'),
      scoreLine('Normalised cost', cost, costs),
    ],
    { showCaption: true },
  );
}

function scoreLine(name: string, score: MetricScore | undefined, reads?: string): string[] {
  if (score === undefined) return [name, DASH, '', 'not computed in this run'];
  if (score.value === null) return [name, DASH, '', `no value: ${why(score.reason)}`];
  return [name, number(score.value), range(score.interval), reads ?? score.reads];
}
