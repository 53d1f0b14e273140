import type { MetricScore, Scorecard } from '../../metrics/index.ts';
import { comparedModel, type RunResult } from '../../results/index.ts';
import { percent, whole } from '../charts/number-text.ts';
import { paragraph, section, shown } from '../document/blocks.ts';
import type { Block, Card, Section } from '../document/document.ts';
import { headlineCard } from '../headline-cards.ts';
import { headlinesOf } from '../headline-names.ts';
import { runSentence } from '../run-sentence.ts';
import { number, scoreOf } from '../words.ts';
import { sampleSize } from './baselines.ts';
import { markdownModels } from './models.ts';

/** The numbers that belong together: in sentences, as cards, and as the row for a table of models. */
export function headline(report: RunResult): Section {
  const { card } = report;
  const sentence = runSentence({
    model: report.backendName,
    ledger: { ...card.ledger },
    n: report.status === 'stopped_early' ? card.n - card.ledger.not_run : card.n,
    scores: card.scores,
    repeats: report.repeats,
    isRunning: report.status === 'running',
  });
  return section({ id: 'headline', title: 'Headline' }, [
    ...shown([sentence === null ? null : paragraph(sentence, { tone: 'lead' })]),
    ...sentences(card),
    {
      kind: 'cards',
      except: ['text', 'md'],
      cards: headlinesOf(card.scores, report.primaryEndpoint?.metric).map((score) => toCard(score, report)),
    },
    markdownModels([comparedModel(report)]),
    paragraph(
      `n: rows that could be scored, of ${card.n}; usable answers: the share of them with an answer of the task, invalid and refused replies apart; ECE: expected calibration error; AUGRC: area under the generalised risk-coverage curve (lower is better for both).`,
      { except: ['text', 'html'] },
    ),
    ...sampleSize(report),
  ]);
}

function toCard(score: MetricScore, { card, primaryEndpoint, arm, baselines }: RunResult): Card {
  const primary = primaryEndpoint?.arm === arm ? primaryEndpoint.metric : null;
  const { title, lines, isPrimary } = headlineCard(score, { scores: card.scores, baselines, primary });
  return { title, value: number(score.value), lines, isPrimary };
}

function wasRight(score: Parameters<typeof shareText>[0] & Parameters<typeof countOf>[0]): string {
  return `${countOf(score) === 1 ? 'was' : 'were'} right (${shareText(score)})`;
}

/** Usable answers, how many of the answers were right, and decision accuracy in sentences. */
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
  const invalid = found('invalid_rate');
  const nInvalid = invalid === null ? 0 : countOf(invalid);
  // Invalid replies are in the denominators of both accuracies.
  const replies = nInvalid === 0 ? 'answers' : 'replies';
  const lines: string[] = [];
  if (answered !== null && card.nScored > 0) {
    const nUsable = countOf(answered) - nInvalid;
    const right =
      expected !== null || selective === null
        ? ''
        : nInvalid === 0
          ? `; ${countText(selective)} of those answers ${wasRight(selective)}`
          : `. Of its ${whole(selective.nEvaluated)} replies, ${countText(selective)} ${wasRight(selective)}`;
    const apart =
      nInvalid === 0 ? '' : `; ${whole(nInvalid)} ${nInvalid === 1 ? 'reply was' : 'replies were'} invalid`;
    lines.push(
      `Usable answers: ${whole(nUsable)} of ${whole(card.nScored)} scored rows (${percent(nUsable / answered.nEvaluated)})${apart}${right}.`,
    );
  }
  if (expected !== null)
    lines.push(
      `Of its ${whole(expected.nEvaluated)} ${replies} to rows that call for an answer, ${countText(expected)} ${wasRight(expected)}.`,
    );
  if (unanswerable !== null && unanswerable.value > 0)
    lines.push(
      `It ${nInvalid === 0 ? 'answered' : 'did not abstain on'} ${countText(unanswerable)} of the ${whole(unanswerable.nEvaluated)} rows that have no answer (${shareText(unanswerable)}).`,
    );
  if (decision !== null)
    lines.push(
      `On the ${whole(decision.nEvaluated)} rows with a deferral label it made the right decision (a right answer, or a deferral where one was called for) in ${shareText(decision)}.`,
    );
  return lines.length === 0 ? [] : [paragraph(lines.join(' '), { tone: 'lead' })];
}

function countOf({ value, nEvaluated, nSuccesses }: MetricScore): number {
  return nSuccesses ?? Math.round(value! * nEvaluated);
}

function countText(score: MetricScore): string {
  return whole(countOf(score));
}

/** A share with its interval. */
function shareText({ value, interval }: MetricScore): string {
  const within = interval === null ? '' : `, ${percent(interval.lower)} to ${percent(interval.upper)}`;
  return `${percent(value!)}${within}`;
}
