import type { Comparison, EndpointComparison, Flip, PairedComparison } from '../../results/index.ts';
import { whole } from '../charts/index.ts';
import { answersText, pairedText, pText } from '../compare-columns.ts';
import { dataDetails } from './figure.ts';
import { html, type Markup } from './html.ts';
import { table } from './table.ts';
import { DASH, levelText, number } from './words.ts';

/** More lines than this nobody reads in a page; the JSON has all of them. */
const MOST_FLIPS = 100;

/** One model against the baseline: every endpoint with its difference, and the records on which the two part. */
export function pairSection(pair: PairedComparison, { primaryEndpoint, method }: Comparison): Markup {
  const numeric = (title: string) => ({ title, kind: 'number' as const });
  const { onlyBaselineRight, onlyModelRight } = pair.flips;
  return html`<p>${pairedText(pair)}. Differences are ${pair.model} minus ${pair.baseline}.</p>
${table({
  caption: `${pair.model} against ${pair.baseline}`,
  hideCaption: true,
  className: 'wide',
  columns: [
    { title: 'endpoint' },
    numeric('n'),
    numeric('baseline'),
    numeric('model'),
    numeric(`difference (${levelText(method.level)} interval)`),
    numeric('p'),
    numeric('p (Holm)'),
    { title: 'in words', kind: 'text' },
  ],
  rows: pair.endpoints.map((endpoint) => [
    `${endpoint.label}${endpoint.metric === primaryEndpoint?.metric ? ' (primary endpoint)' : ''}`,
    whole(endpoint.n),
    number(endpoint.baselineValue),
    number(endpoint.modelValue),
    difference(endpoint),
    pText(endpoint.p),
    pText(endpoint.pHolm),
    endpoint.inWords,
  ]),
})}
${flipDetails(`Only ${pair.baseline} is right`, onlyBaselineRight, pair)}
${flipDetails(`Only ${pair.model} is right`, onlyModelRight, pair)}`;
}

function difference({ difference: value, interval }: EndpointComparison): string {
  if (value === null) return DASH;
  return `${number(value)}${interval === null ? '' : ` (${number(interval.lower)} to ${number(interval.upper)})`}`;
}

function flipDetails(title: string, flips: readonly Flip[], pair: PairedComparison): Markup {
  if (flips.length === 0) return html`<p>${title}: no record.</p>`;
  const left = flips.length - MOST_FLIPS;
  return dataDetails(
    `${title}: ${whole(flips.length)}`,
    html`${table({
      caption: title,
      hideCaption: true,
      columns: [{ title: 'record' }, { title: 'truth' }, { title: pair.baseline }, { title: pair.model }],
      rows: flips
        .slice(0, MOST_FLIPS)
        .map(({ id, groundTruth, baseline, model }) => [
          id,
          String(groundTruth ?? 'none'),
          answersText(baseline),
          answersText(model),
        ]),
    })}${left > 0 ? html`<p class="small muted">And ${whole(left)} more: the JSON has all of them.</p>` : null}`,
  );
}
