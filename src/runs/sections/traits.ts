import { answerName, evidenceId } from '../../analyses/judging/evidence-section.ts';
import type { JudgedAnswer } from '../../analyses/judging/judged-answers.ts';
import { isJudged, type JudgedResult } from '../../analyses/judging/judged-result.ts';
import { questionSentence } from '../../analyses/judging/question-sentence.ts';
import {
  answersWithTrait,
  type MetricTraitSummary,
  type OtherTraitSummary,
} from '../../analyses/judging/summarise-traits.ts';
import { correctedHeadline } from '../../analyses/review/section.ts';
import type { Score } from '../../core/score.ts';
import {
  details,
  heading,
  numbers,
  paragraph,
  section,
  shown,
  table,
  texts,
} from '../../reports/document/blocks.ts';
import type { Block, Inline, Section } from '../../reports/document/document.ts';
import { boundedText, counted, inWords, joined, range, scoreText } from '../../reports/words.ts';
import type { TraitMetric } from '../../rubrics/traits/trait.ts';
import type { RunResult } from '../run-result.ts';
import { scoreTable } from './metrics.ts';

/** Every metric trait, pooled and as a mean of questions, then question by question. */
export function traits(report: JudgedResult): Section {
  const { metricTraits, listLevel, answers } = report.judging;
  return section(
    { id: 'traits', title: 'What the answers say' },
    metricTraits.length === 0
      ? [...answersSentence(report), paragraph('No question has a metric trait.')]
      : [
          ...answersSentence(report),
          paragraph(
            'Pooled: every item weighs the same. Mean of questions: every question weighs the same. In square brackets, bounds: the values that unscored items could have led to.',
            { except: ['text'] },
          ),
          ...metricTraits.flatMap((summary) => traitBlocks(summary, answers, report)),
          ...listLevel.flatMap(({ trait, judge, nQuestions, nFailed, metrics }) => [
            heading(
              `${trait}, as ${judge} lists it: ${counted(nQuestions, 'question')}${nFailed === 0 ? '' : `, ${nFailed} without usable lists`} (by its own lists: counts excerpts, not instructions)`,
            ),
            traitTable(trait, { metrics }),
          ]),
        ],
  );
}

/** What leads the first screen of a run whose judge people disagreed with: its raw verdicts are no scores. */
export function writeLead(report: RunResult): Block[] {
  return isJudged(report) && report.judging.judge.headline !== 'raw_first' ? answersSentence(report) : [];
}

/** What happened to the questions, in one sentence that relies on the judge only where people confirmed it. */
function answersSentence({
  judging,
  backendName,
  ledger,
  nRecords,
  repeats,
  status,
  review,
}: JudgedResult): Block[] {
  const items = judging.answers.flatMap((answer) => answer.metricTraits.flatMap((result) => result.items));
  const text = questionSentence({
    model: backendName,
    ledger: { ...ledger },
    n: nRecords * repeats,
    items: items.map(({ kind, class: verdict, counts, critical }) => ({
      kind,
      verdict,
      isScored: counts !== null,
      isCritical: critical === true,
    })),
    repeats,
    isRunning: status === 'running',
    judge: judging.judge,
    corrected: leadingCorrected(review?.items?.corrected ?? []),
  });
  return text === null ? [] : [paragraph(text, { tone: 'lead' })];
}

function traitBlocks(
  summary: MetricTraitSummary,
  answers: readonly JudgedAnswer[],
  { review, judging }: Pick<JudgedResult, 'review' | 'judging'>,
): Block[] {
  const { name, evaluationMode, nQuestions, nScored, nItems } = summary;
  const metrics = Object.keys(summary.metrics) as TraitMetric[];
  return [
    heading(
      `${name} (${evaluationMode}): ${counted(nQuestions, 'question')}, ${nScored} of ${nItems} items scored`,
    ),
    ...shown([correctedHeadline(review, judging.judge, name)]),
    ...(judging.judge.status === 'refuted' ? [paragraph(AS_JUDGED, { tone: 'small' })] : []),
    traitTable(name, summary),
    ...(hasEmptyPrecision(summary) ? [paragraph(TP_ONLY_PRECISION, { tone: 'small' })] : []),
    details('By question', [
      table(
        `${name}, by question`,
        ['question', ...numbers('tp/fn/fp/tn', 'scored', ...metrics)],
        answersWithTrait(answers, summary).map(({ answer, result }): Inline[] => [
          questionLink(answers, answer),
          `${result.counts.tp}/${result.counts.fn}/${result.counts.fp}/${result.counts.tn}`,
          `${result.nScored} of ${result.items.length}`,
          ...metrics.map((metric) => result.scores[metric]).map((score) => (score ? scoreText(score) : '')),
        ]),
        { most: { text: 40 } },
      ),
    ]),
  ];
}

const AS_JUDGED = "The judge's own numbers, with whose verdicts people disagreed:";

const TP_ONLY_PRECISION =
  'In tp_only, precision counts contradicted items only as wrong: nothing else that an answer says lowers it. For a list of things to mention it has no meaning; claims that match no item are measured by claim precision, against a source.';

function hasEmptyPrecision({ evaluationMode, metrics }: MetricTraitSummary): boolean {
  return evaluationMode === 'tp_only' && (metrics.precision !== undefined || metrics.f1 !== undefined);
}

function questionLink(answers: readonly JudgedAnswer[], answer: JudgedAnswer): Inline {
  const id = evidenceId(answers, answer);
  const text = answerName(answer);
  return id === null ? text : { text, as: 'link', to: id, record: answer.id };
}

function traitTable(
  caption: string,
  { metrics, contradictionRate = null }: Pick<MetricTraitSummary, 'metrics'> & Partial<MetricTraitSummary>,
) {
  const contradictions = contradictionRate && [
    'contradiction rate',
    ...scoreCells(contradictionRate).slice(0, 2),
    ...['', '', ''],
    String(contradictionRate.nEvaluated),
    noInterval(contradictionRate) || 'required items that the answer denies',
  ];
  // Each title says what its column is about: a narrow table is split between any two of them.
  return table(
    caption,
    [
      'metric',
      ...numbers('pooled', 'interval', 'n', 'mean of questions', 'interval of the mean', 'questions'),
      ...texts('note'),
    ],
    [
      ...Object.entries(metrics).map(([metric, { pooled, mean, nUndefined }]) => {
        const notes = joined([
          noInterval(pooled),
          nUndefined > 0 && `no value in ${counted(nUndefined, 'question')}`,
        ]);
        return [metric, ...scoreCells(pooled), ...scoreCells(mean), notes ?? ''];
      }),
      ...(contradictions === null ? [] : [contradictions]),
    ],
    { layout: 'wide' },
  );
}

function noInterval({ value, interval, intervalReason }: Score): string | false {
  return value !== null && interval === null && `no interval: ${inWords(intervalReason)}`;
}

/** Value, interval and n; the reason in place of a missing value. A value that open items could have changed is never printed without its bounds. */
export function scoreCells(score: Score): string[] {
  return [boundedText(score), range(score.interval), String(score.nEvaluated)];
}

/** Traits that are not counted by item: shares, means and classes. */
export function otherTraits({ judging: { otherTraits: summaries } }: JudgedResult): Section | null {
  if (summaries.length === 0) return null;
  return section({ id: 'other-traits', title: 'Other traits' }, [
    table(
      'Other traits',
      ['trait', 'kind', ...numbers('scored'), ...texts('value (interval) [bounds]', 'unscored')],
      summaries.map((summary) => [
        summary.name,
        summary.source,
        `${summary.nScored} of ${summary.nAnswers}`,
        otherTraitText(summary),
        Object.entries(summary.unscored)
          .map(([reason, n]) => `${inWords(reason)} ${n}`)
          .join(', '),
      ]),
      { layout: 'wide' },
    ),
  ]);
}

/** A trait of another kind in one cell. */
export function otherTraitText({ kind, score, classes }: OtherTraitSummary): string {
  if (classes !== null) return classes.map(({ name, count }) => `${name} ${count}`).join(', ') || '–';
  return score === null ? '–' : `${kind === 'boolean' ? 'true ' : 'mean '}${scoreText(score)}`;
}

/** Whether free text declines where it should, as judged. */
export function abstention({ judging: { abstention: scores, answers }, method }: JudgedResult): Section {
  const about = { id: 'abstention', title: 'Does it decline where it should?' };
  if (answers.length > 0 && answers.every(({ abstainedReason }) => abstainedReason === 'not_asked'))
    return section(about, [paragraph('Not known: a grader decides criteria and nothing else.')]);
  return section(about, [
    paragraph('Free text may decline to answer. Whether it does is judged like a trait of its own.', {
      except: ['text'],
    }),
    scoreTable('Abstention', method.level, [{ title: 'Knows when not to answer (as judged)', scores }]),
  ]);
}

interface Corrected {
  readonly name: string;
  readonly label: string;
  readonly metric: string;
  readonly corrected: {
    readonly value: number;
    readonly lower: number | null;
    readonly upper: number | null;
  } | null;
}

/** The corrected scores that lead where people disagreed with the judge: what answers have of the required items, and avoid of the forbidden ones; any other only where there is neither. */
function leadingCorrected(scores: readonly Corrected[]) {
  const found = scores.flatMap(({ name, label, metric, corrected }) =>
    corrected === null ? [] : [{ name, label, metric, ...corrected }],
  );
  const pooled = found.filter(
    ({ name, metric }) => !name.endsWith('.mean') && (metric === 'recall' || metric === 'specificity'),
  );
  return pooled.length > 0 ? pooled : found.slice(0, 1);
}
