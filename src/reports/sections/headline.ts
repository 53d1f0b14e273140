import type { MetricScore, Scorecard } from '../../metrics/index.ts';
import { comparedModel, type RunResult } from '../../results/index.ts';
import { percent, whole } from '../charts/number-text.ts';
import { paragraph, section, shown } from '../document/blocks.ts';
import type { Block, Card, Section } from '../document/document.ts';
import { HEADLINE_TITLES, HEADLINES } from '../headline-names.ts';
import { levelText, nullBandOf, number, range, scoreOf, why, yardsticks } from '../words.ts';
import { markdownModels } from './models.ts';

const TITLES: Readonly<Record<string, string>> = { ...HEADLINE_TITLES, accuracy: 'Accuracy' };

/** The numbers that belong together: in sentences, as cards, and as the row for a table of models. */
export function headline(report: RunResult): Section {
  const { card } = report;
  return section({ id: 'headline', title: 'Headline' }, [
    ...sentences(card),
    {
      kind: 'cards',
      except: ['text', 'md'],
      cards: headlines(report).map((score) => toCard(score, report)),
    },
    markdownModels([comparedModel(report)]),
    paragraph(
      `n: rows that could be scored, of ${card.n}; coverage: share of them that was answered; ECE: expected calibration error; AUGRC: area under the generalised risk-coverage curve (lower is better for both).`,
      { except: ['text', 'html'] },
    ),
  ]);
}

/** Decision accuracy where there are deferral labels, else accuracy; then the rest. A primary endpoint that is not among them comes first. */
function headlines({ card, primaryEndpoint }: RunResult): readonly MetricScore[] {
  const isLabelled = scoreOf(card, 'decision_accuracy')?.value != null;
  const names = isLabelled ? HEADLINES : ['accuracy', ...HEADLINES.slice(1)];
  const primary = primaryEndpoint?.metric;
  const ordered = primary === undefined || names.includes(primary) ? names : [primary, ...names];
  const found = ordered.map((name) => scoreOf(card, name)).filter((score) => score !== undefined);
  return found.length > 0 ? found : card.scores.slice(0, HEADLINES.length);
}

function toCard(score: MetricScore, { primaryEndpoint, arm }: RunResult): Card {
  const { value, interval, bounds } = score;
  const lines = [
    interval && `${levelText(interval.level)} interval ${range(interval)}`,
    interval === null && value !== null && `no interval: ${why(score.intervalReason)}`,
    `n = ${whole(score.nEvaluated)}`,
    bounds && `bounds with unscored rows ${range(bounds)}`,
    ...(value !== null && nullBandOf(score) !== null ? yardsticks(score) : []),
    value === null ? `no value: ${why(score.reason)}` : score.reads,
  ];
  return {
    title: TITLES[score.name] ?? score.label,
    value: number(value),
    lines: shown(lines).filter((line) => line !== ''),
    isPrimary: primaryEndpoint?.metric === score.name && primaryEndpoint.arm === arm,
  };
}

/** Coverage, accuracy of the answers and decision accuracy in sentences. */
export function sentences(card: Pick<Scorecard, 'scores' | 'nScored'>): Block[] {
  const [answered, selective, decision] = ['answer_rate', 'selective_accuracy', 'decision_accuracy'].map(
    (name) => scoreOf(card, name),
  );
  const lines: string[] = [];
  if (answered?.value != null && card.nScored > 0) {
    const right =
      selective?.value == null
        ? ''
        : `; ${countOf(selective, 'n_correct')} of those answers were right (${percent(selective.value)}${within(selective)})`;
    lines.push(
      `The model answered ${countOf(answered, 'n_answered')} of ${whole(card.nScored)} scored rows (${percent(answered.value)})${right}.`,
    );
  }
  if (decision?.value != null)
    lines.push(
      `On the ${whole(decision.nEvaluated)} rows with a deferral label it made the right decision (a right answer, or a deferral where one was called for) in ${percent(decision.value)}${within(decision)}.`,
    );
  return lines.length === 0 ? [] : [paragraph(lines.join(' '), { tone: 'lead' })];
}

function countOf({ value, nEvaluated, details }: MetricScore, key: string): string {
  return whole(Number(details[key] ?? Math.round(value! * nEvaluated)));
}

function within({ interval }: MetricScore): string {
  return interval === null ? '' : `, ${percent(interval.lower)} to ${percent(interval.upper)}`;
}
