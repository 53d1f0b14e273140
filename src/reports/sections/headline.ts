import type { MetricScore, Scorecard } from '../../metrics/index.ts';
import { comparedModel, type RunResult } from '../../results/index.ts';
import { percent, restsOn, whole } from '../charts/number-text.ts';
import { paragraph, section, shown } from '../document/blocks.ts';
import type { Block, Card, Section } from '../document/document.ts';
import { answerableOnly, HEADLINE_TITLES, headlinesOf } from '../headline-names.ts';
import { levelText, nullBandOf, number, range, scoreOf, why, yardsticks } from '../words.ts';
import { sampleSize } from './baselines.ts';
import { markdownModels } from './models.ts';

/** The numbers that belong together: in sentences, as cards, and as the row for a table of models. */
export function headline(report: RunResult): Section {
  const { card } = report;
  return section({ id: 'headline', title: 'Headline' }, [
    ...sentences(card),
    {
      kind: 'cards',
      except: ['text', 'md'],
      cards: headlinesOf(card.scores, report.primaryEndpoint?.metric).map((score) => toCard(score, report)),
    },
    markdownModels([comparedModel(report)]),
    paragraph(
      `n: rows that could be scored, of ${card.n}; coverage: share of them that was answered; ECE: expected calibration error; AUGRC: area under the generalised risk-coverage curve (lower is better for both).`,
      { except: ['text', 'html'] },
    ),
    ...sampleSize(report),
  ]);
}

function toCard(score: MetricScore, { card, primaryEndpoint, arm }: RunResult): Card {
  const { value, interval, bounds } = score;
  const only = answerableOnly(card.scores, score, ({ nEvaluated }) => nEvaluated);
  const lines = [
    interval && `${levelText(interval.level)} interval ${range(interval)}`,
    interval === null && value !== null && `no interval: ${why(score.intervalReason)}`,
    `n = ${restsOn(score.nSuccesses, score.nEvaluated)}`,
    only !== undefined && `answerable rows only: ${number(only.value)} (n = ${whole(only.nEvaluated)})`,
    bounds && `bounds with unscored rows ${range(bounds)}`,
    ...(value !== null && nullBandOf(score) !== null ? yardsticks(score) : []),
    value === null ? `no value: ${why(score.reason)}` : score.reads,
  ];
  return {
    title: HEADLINE_TITLES[score.name] ?? score.label,
    value: number(value),
    lines: shown(lines).filter((line) => line !== ''),
    isPrimary: primaryEndpoint?.metric === score.name && primaryEndpoint.arm === arm,
  };
}

/** Coverage, accuracy of the answers and decision accuracy in sentences. */
export function sentences(card: Pick<Scorecard, 'scores' | 'nScored'>): Block[] {
  const found = (name: string) => {
    const score = scoreOf(card, name);
    return score?.value == null ? null : { ...score, value: score.value };
  };
  const answered = found('answer_rate');
  const decision = found('decision_accuracy');
  const expected = found('answerable_selective_accuracy');
  const selective = found('selective_accuracy');
  const unanswerable = found('unanswerable_answer_rate');
  const lines: string[] = [];
  if (answered !== null && card.nScored > 0) {
    const right =
      expected !== null || selective === null
        ? ''
        : `; ${countOf(selective)} of those answers were right (${percent(selective.value)}${within(selective)})`;
    lines.push(
      `The model answered ${countOf(answered)} of ${whole(card.nScored)} scored rows (${percent(answered.value)})${right}.`,
    );
  }
  if (expected !== null)
    lines.push(
      `Of its ${whole(expected.nEvaluated)} answers to rows that call for one, ${countOf(expected)} were right (${percent(expected.value)}${within(expected)}).`,
    );
  if (unanswerable !== null && unanswerable.value > 0)
    lines.push(
      `It answered ${countOf(unanswerable)} of the ${whole(unanswerable.nEvaluated)} rows that have no answer (${percent(unanswerable.value)}${within(unanswerable)}).`,
    );
  if (decision !== null)
    lines.push(
      `On the ${whole(decision.nEvaluated)} rows with a deferral label it made the right decision (a right answer, or a deferral where one was called for) in ${percent(decision.value)}${within(decision)}.`,
    );
  return lines.length === 0 ? [] : [paragraph(lines.join(' '), { tone: 'lead' })];
}

function countOf({ value, nEvaluated, nSuccesses }: MetricScore): string {
  return whole(nSuccesses ?? Math.round(value! * nEvaluated));
}

function within({ interval }: MetricScore): string {
  return interval === null ? '' : `, ${percent(interval.lower)} to ${percent(interval.upper)}`;
}
