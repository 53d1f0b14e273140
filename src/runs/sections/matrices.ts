import { MAX_VALUES, type RecordIndex, recordIndex } from '../../analyses/record-index/record-index.ts';
import {
  CASE_KINDS,
  CASE_WORDS,
  type CaseKind,
  DECISION_CLASSES,
  DECISION_WORDS,
  type DecisionClass,
  HARMS,
} from '../../core/browser.ts';
import type { Figures } from '../../metrics/figures.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { numbers, paragraph, table, texts } from '../../reports/document/blocks.ts';
import type { Block, Matrix, Section, Table } from '../../reports/document/document.ts';
import {
  DASH,
  findScore,
  inWords,
  number,
  range,
  shortName,
  trivialPolicies,
  why,
} from '../../reports/words.ts';
import { labelTextKey, type RecordFilter } from '../../store/browser.ts';
import type { RunResult } from '../run-result.ts';
import { rowSection } from './row-section.ts';

/** Truth by answer. */
export function confusion(report: RunResult): Section {
  return rowSection({ id: 'confusion', title: 'Truth and answer' }, report, (figures) => [
    confusionMatrix(figures.confusion, recordIndex(report)),
    paragraph(
      'Counts, and shares of the row. Right answers are framed, also those to cases that should have been deferred; deferrals and invalid replies (refusals among them) are set apart, because they are not answers.',
      { tone: 'small', except: ['text'] },
    ),
  ]);
}

export function confusionMatrix(
  { truths, answers, counts }: Figures['confusion'],
  index: RecordIndex | null = null,
): Block {
  // `abstained` and `invalid` come last.
  const firstApart = answers.length - 2;
  return {
    kind: 'matrix',
    label: 'Confusion matrix',
    caption: 'Truth (rows) by answer (columns)',
    columns: ['truth', ...answers.map((answer, i) => (i < firstApart ? shortName(answer) : inWords(answer)))],
    firstApart,
    rows: truths.map((truth, r) => {
      const isDerivable = truth !== 'null' || answers.includes('null');
      const right = answers.slice(0, firstApart).indexOf(truth);
      return {
        title: isDerivable ? shortName(truth) : 'no derivable answer',
        counts: counts[r]!,
        right: isDerivable ? right : -1,
        links: answers.map((answer, i) =>
          cellRecords({ truth, answer, isApart: i >= firstApart }, answers, index),
        ),
      };
    }),
  };
}

/** The records of a cell; null if it covers more labels than an address can name. */
function cellRecords(
  { truth, answer, isApart }: { readonly truth: string; readonly answer: string; readonly isApart: boolean },
  answers: readonly string[],
  index: RecordIndex | null,
): RecordFilter | null {
  if (truth === 'other' || index === null) return null;
  const label = [truth];
  if (isApart) return { outcome: answer === 'invalid' ? ['invalid', 'refused'] : ['abstained'], label };
  const prediction = answer === 'other' ? otherAnswers(answers, index) : [answer];
  // An answer to a case without a label is neither right nor wrong.
  return prediction && { outcome: ['answered_correct', 'answered_wrong', 'answered'], label, prediction };
}

/** Answers that are not labels of the matrix; null where not all of them are known. */
function otherAnswers(answers: readonly string[], { facets }: RecordIndex): readonly string[] | null {
  if (facets.prediction.length >= MAX_VALUES) return null;
  const named = new Set(answers.map(labelTextKey));
  const others = facets.prediction.filter((text) => !named.has(labelTextKey(text)));
  // An index without texts names none, and a list without a filter would show all answers.
  return others.length === 0 ? null : others;
}

/** What cases called for by how decisions turned out, beside what the two policies that need no model would have scored. */
export function deferral(report: RunResult): Section {
  const head = { id: 'deferral', title: 'How decisions turned out' };
  return rowSection(
    head,
    report,
    ({ deferral: counts, decisions }) => [
      ...(counts === null ? [paragraph(NO_DEFERRAL_LABELS)] : []),
      ...(counts === null && decisions.must_act === undefined
        ? []
        : [
            decisionMatrix(decisions),
            paragraph(
              'Each scored case counts once, under the first class that fits from the left; right decisions are framed. The rates of wrong answers, deferrals and unsafe decisions count other sets of cases, and may differ from these numbers.',
              { tone: 'small', except: ['text'] },
            ),
          ]),
      ...(counts === null ? [] : [policies(report.card)]),
    ],
    ({ deferral: counts }) => (counts === null ? [] : [publishedMatrix(counts)]),
  );
}

const NO_DEFERRAL_LABELS = 'No case says whether deferring was called for, so deferral cannot be judged.';

/** The class that is the right decision; where either is defensible there is none. */
const RIGHT: Partial<Record<CaseKind, DecisionClass>> = {
  must_act: 'right_answer',
  should_defer: 'rightly_deferred',
  can_answer: 'right_answer',
};

function decisionMatrix(decisions: Figures['decisions']): Matrix {
  const kinds = CASE_KINDS.filter((kind) => decisions[kind] !== undefined);
  const classes = DECISION_CLASSES.filter((ended) => kinds.some((kind) => decisions[kind]![ended]));
  const harms = classes.filter((ended) => HARMS.some((harm) => harm === ended));
  return {
    kind: 'matrix',
    label: 'Decisions',
    caption: 'What cases called for (rows) by how decisions turned out (columns)',
    columns: ['called for', ...classes.map((ended) => DECISION_WORDS[ended])],
    firstApart: harms.length,
    rows: kinds.map((kind) => ({
      title: CASE_WORDS[kind],
      counts: classes.map((ended) => decisions[kind]![ended] ?? 0),
      right: classes.indexOf(RIGHT[kind]!),
      links: classes.map((ended) => ({ decision_class: [ended], case_kind: [kind], scored: true })),
    })),
  };
}

/** A published result does not say which of the answers were right, so none is framed. */
function publishedMatrix(counts: NonNullable<Figures['deferral']>): Matrix {
  return {
    kind: 'matrix',
    label: 'Deferral matrix',
    caption: 'What was called for (rows) by what was done (columns)',
    columns: ['called for', 'deferred', 'not deferred'],
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
        right: -1,
      },
    ],
  };
}

/** The model beside the two policies that need none. */
function policies(card: Pick<Scorecard, 'scores'>): Table {
  const alignment = findScore(card, 'deferral_alignment');
  const trivial = alignment && trivialPolicies(alignment);
  const cost = findScore(card, 'deferral_cost_normalised');
  const costs =
    cost &&
    `missed ${cost.details.cost_missed_deferral}, needless ${cost.details.cost_needless_deferral}; below 1 is better than the better trivial policy`;
  return table(
    'Deferral against the trivial policies',
    ['what', ...numbers('value', 'interval'), ...texts('meaning')],
    [
      scoreLine('Alignment of this model', alignment),
      ['Alignment of never deferring', number(trivial?.never_defer), '', 'a rule without a model'],
      ['Alignment of always deferring', number(trivial?.always_defer), '', 'a rule without a model'],
      scoreLine('Matthews correlation (MCC)', findScore(card, 'deferral_mcc'), '0 is no skill'),
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
