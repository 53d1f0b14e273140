import type { MetricScore } from '../../metrics/index.ts';
import type { RunReport } from '../../results/index.ts';
import { decimals, percent, whole } from '../charts/index.ts';
import { HEADLINES } from '../headline-names.ts';
import { html, type Markup } from './html.ts';
import { DASH, levelText, nullBandOf, number, range, scoreOf, why } from './words.ts';

const TITLES: Record<string, string> = {
  decision_accuracy: 'Decision accuracy',
  answer_rate: 'Coverage',
  selective_accuracy: 'Selective accuracy',
  unsafe_answer_rate: 'Unsafe answer rate',
  augrc: 'AUGRC',
  expected_calibration_error: 'Calibration error (ECE)',
  accuracy: 'Accuracy',
};

export function headlineCards(report: RunReport): Markup {
  const scores = headlines(report);
  return html`<div class="cards">${scores.map((score) => card(score, report))}</div>`;
}

/** Decision accuracy where there are deferral labels, accuracy where there are none; then the rest, and before them the primary endpoint if it is another. */
function headlines({ card: scorecard, primaryEndpoint }: RunReport): MetricScore[] {
  const labelled = scoreOf(scorecard, 'decision_accuracy')?.value != null;
  const names = labelled ? HEADLINES : ['accuracy', ...HEADLINES.slice(1)];
  const primary = primaryEndpoint?.metric;
  const ordered = primary === undefined || names.includes(primary) ? names : [primary, ...names];
  const found = ordered.map((name) => scoreOf(scorecard, name)).filter((score) => score !== undefined);
  return found.length > 0 ? found : scorecard.scores.slice(0, HEADLINES.length);
}

function card(score: MetricScore, { primaryEndpoint, arm }: RunReport): Markup {
  const primary = primaryEndpoint?.metric === score.name && primaryEndpoint.arm === arm;
  const band = nullBandOf(score);
  const lines = [
    score.interval === null
      ? score.value === null
        ? null
        : `no interval: ${why(score.intervalReason)}`
      : html`${levelText(score.interval.level)} interval <span class="keep">${range(score.interval)}</span>`,
    `n = ${whole(score.nEvaluated)}`,
    score.bounds === null
      ? null
      : html`bounds with unscored rows <span class="keep">${range(score.bounds)}</span>`,
    band !== null && score.value !== null
      ? `by chance ${decimals(band.ece_null_mean)}, up to ${decimals(band.ece_null_p95)}`
      : null,
    score.value === null ? `no value: ${why(score.reason)}` : score.reads,
  ];
  return html`<div class="card"><h3>${TITLES[score.name] ?? score.label}</h3>
<div class="value">${score.value === null ? DASH : number(score.value)}</div>
${lines.map((line) => (line === null || line === '' ? null : html`<p>${line}</p>`))}${primary ? html`<p class="tag">primary endpoint</p>` : null}</div>`;
}

/** The three numbers that belong together, as sentences. */
export function sentences({ card: scorecard }: RunReport): Markup | null {
  const answered = scoreOf(scorecard, 'answer_rate');
  const selective = scoreOf(scorecard, 'selective_accuracy');
  const decision = scoreOf(scorecard, 'decision_accuracy');
  const lines: string[] = [];
  if (answered?.value != null && scorecard.nScored > 0) {
    const right =
      selective?.value == null
        ? ''
        : `; of its answers ${percent(selective.value)} were right${within(selective)}`;
    lines.push(
      `The model answered ${percent(answered.value)} of ${whole(scorecard.nScored)} scored rows${right}.`,
    );
  }
  if (decision?.value != null) {
    lines.push(
      `On the ${whole(decision.nEvaluated)} rows with a deferral label it did the right thing, answering rightly or deferring, ${percent(decision.value)} of the time${within(decision)}.`,
    );
  }
  return lines.length === 0 ? null : html`<p class="lead">${lines.join(' ')}</p>`;
}

function within({ interval }: MetricScore): string {
  return interval === null ? '' : ` (${percent(interval.lower)} to ${percent(interval.upper)})`;
}
