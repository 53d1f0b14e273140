import type { Figures, MetricScore, Scorecard } from '../../metrics/index.ts';
import { whole } from '../charts/index.ts';
import { html, type Markup } from './html.ts';
import { shadeOf } from './style.ts';
import { scrollBox, table } from './table.ts';
import { number, range, scoreOf, share, shortName, why } from './words.ts';

/** `abstained` and `invalid`: not answers, so they stand apart. */
const APART = 2;

/** Truth by answer: counts, and of each row the share. Right answers are framed; shade follows the share, and the number is always there. */
export function confusionMatrix({ truths, answers, counts }: Figures['confusion']): Markup {
  const firstApart = answers.length - APART;
  const apart = (column: number) => (column === firstApart ? ' apart' : '');
  const rows = truths.map((truth, r) => {
    const row = counts[r]!;
    const total = row.reduce((sum, count) => sum + count, 0);
    const derivable = truth !== 'null' || answers.includes('null');
    const cells = row.map((count, column) => {
      const right = column < firstApart && truth === answers[column] && derivable;
      const kind = column >= firstApart ? 'aside' : right ? 'hit' : 'miss';
      const shade = total === 0 ? 0 : shadeOf(count / total);
      return html`<td class="${shade > 0 ? `${kind}-${shade}` : ''}${right ? ' right' : ''}${apart(column)}">${count === 0 ? html`<span class="muted">0</span>` : html`${whole(count)}<span>${share(count, total)}</span>`}</td>`;
    });
    return html`<tr><th scope="row">${derivable ? shortName(truth) : 'no derivable answer'}</th>${cells}<td class="apart">${whole(total)}</td></tr>
`;
  });
  return html`${scrollBox(
    'Confusion matrix',
    html`<table class="matrix"><caption>Truth (rows) by answer (columns)</caption>
<thead><tr><th scope="col">truth</th>${answers.map((answer, column) => html`<th scope="col" class="${apart(column).trim()}">${shortName(answer)}</th>`)}<th scope="col" class="apart">rows</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  )}
<p class="small muted">Counts, and shares of the row. Right answers are framed; abstained and invalid (refusals among them) stand apart and are nobody's answer.</p>`;
}

/** Should it have deferred, and did it; beside what the two policies that need no model would have scored. */
export function deferralMatrix(deferral: NonNullable<Figures['deferral']>, card: Scorecard): Markup {
  const {
    defer_when_needed: needed,
    answer_when_should_defer: missed,
    abstain_when_should_answer: needless,
    answer_when_safe: safe,
  } = deferral;
  const line = (truth: string, deferred: number, answered: number, deferredIsRight: boolean) => {
    const total = deferred + answered;
    const cell = (count: number, right: boolean) => {
      const shade = total === 0 ? 0 : shadeOf(count / total);
      return html`<td class="${shade > 0 ? `${right ? 'hit' : 'miss'}-${shade}` : ''}${right ? ' right' : ''}">${whole(count)}<span>${share(count, total)}</span></td>`;
    };
    return html`<tr><th scope="row">${truth}</th>${cell(deferred, deferredIsRight)}${cell(answered, !deferredIsRight)}<td class="apart">${whole(total)}</td></tr>
`;
  };
  return html`<div class="beside">${scrollBox(
    'Deferral matrix',
    html`<table class="matrix"><caption>What was called for (rows) by what was done (columns)</caption>
<thead><tr><th scope="col">called for</th><th scope="col">deferred</th><th scope="col">answered</th><th scope="col" class="apart">rows</th></tr></thead>
<tbody>${line('should defer', needed, missed, true)}${line('should answer', needless, safe, false)}</tbody></table>`,
  )}
${policyTable(card)}</div>`;
}

function policyTable(card: Scorecard): Markup {
  const alignment = scoreOf(card, 'deferral_alignment');
  const trivial = alignment?.details.trivial_policies as
    | { never_defer: number | null; always_defer: number | null }
    | undefined;
  const cost = scoreOf(card, 'deferral_cost_normalised');
  const costs =
    cost === undefined
      ? ''
      : `missed ${cost.details.cost_missed_deferral}, needless ${cost.details.cost_needless_deferral}; below 1 is better than the better trivial policy`;
  return table({
    caption: 'Deferral against the trivial policies',
    columns: [
      { title: 'what' },
      { title: 'value', kind: 'number' },
      { title: 'interval', kind: 'number' },
      { title: 'reads as', kind: 'text' },
    ],
    rows: [
      scoreLine('Alignment of this model', alignment),
      ['Alignment of never deferring', number(trivial?.never_defer ?? null), '', 'needs no model'],
      ['Alignment of always deferring', number(trivial?.always_defer ?? null), '', 'needs no model'],
      scoreLine('Matthews correlation (MCC)', scoreOf(card, 'deferral_mcc'), '0 is no skill'),
      scoreLine('Normalised cost', cost, costs),
    ],
  });
}

function scoreLine(name: string, score: MetricScore | undefined, reads?: string): string[] {
  if (score === undefined) return [name, '–', '', 'not computed in this run'];
  if (score.value === null) return [name, '–', '', `no value: ${why(score.reason)}`];
  return [name, number(score.value), range(score.interval), reads ?? score.reads];
}
