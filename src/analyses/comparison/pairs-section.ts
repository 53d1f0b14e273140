import { bracketed, percent } from '../../reports/charts/number-text.ts';
import { details, numbers, paragraph, section, shown, table, texts } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { counted, DASH, inWords, levelText, number, pText } from '../../reports/words.ts';
import type { Comparison, EndpointComparison, FlipAnswer, PairedComparison } from './comparison.ts';

const MAX_FLIPS = { text: 20, html: 100 };

/** One model against the baseline: every score with its difference, and the records or items on which the two differ. */
export function pairSection(
  pair: PairedComparison,
  i: number,
  { primaryEndpoint, level }: { readonly level: number } & Pick<Comparison, 'primaryEndpoint'>,
): Section {
  const { model, baseline, itemFlips } = pair;
  const isPrimary = ({ metric }: EndpointComparison) => metric === primaryEndpoint?.metric;
  return section({ id: `pair-${i + 1}`, title: `${model} against ${baseline}` }, [
    paragraph(
      itemFlips
        ? `Items scored in both: ${itemFlips.nCompared}.`
        : `${pairedText(pair)}. Differences are ${model} minus ${baseline}.`,
    ),
    table(
      `${model} against ${baseline}`,
      [
        itemFlips ? 'score' : 'endpoint',
        ...numbers('n', 'baseline', 'model'),
        // The words have these numbers too.
        ...numbers(`difference (${levelText(level)} interval)`, 'p', 'p (Holm)').map((column) => ({
          ...column,
          isSpare: true,
        })),
        { title: 'detectable', kind: 'number', except: ['text', 'html'] },
        ...texts('in words'),
      ],
      pair.endpoints.map((score) => [
        `${score.label}${isPrimary(score) ? ' (primary endpoint)' : ''}`,
        String(score.n),
        number(score.baselineValue),
        number(score.modelValue),
        score.difference === null ? DASH : `${number(score.difference)}${bracketed(score.interval)}`,
        pText(score.p),
        pText(score.pHolm),
        number(score.minimumDetectableDifference),
        score.inWords,
      ]),
      { layout: 'wide' },
    ),
    correctedBlock(pair),
    flipBlock(`Only ${baseline} is right`, pair, 'onlyBaselineRight'),
    flipBlock(`Only ${model} is right`, pair, 'onlyModelRight'),
  ]);
}

/** Corrected scores, where a run was reviewed. */
function correctedBlock({ corrected }: PairedComparison): Block | null {
  if (corrected.length === 0) return null;
  return table(
    "Corrected for the judge's errors",
    ['score', ...numbers('baseline', 'model', 'difference', 'difference as judged'), ...texts('note')],
    corrected.map(({ label, baselineValue, modelValue, difference, lower, upper, rawDifference, reason }) => [
      label,
      number(baselineValue),
      number(modelValue),
      difference === null ? DASH : `${number(difference)}${bracketed({ lower, upper })}`,
      number(rawDifference),
      reason ?? '',
    ]),
    { layout: 'wide', showCaption: true },
  );
}

function flipBlock(
  title: string,
  pair: PairedComparison,
  which: 'onlyBaselineRight' | 'onlyModelRight',
): Block {
  const { [which]: found, nCompared } = pair.itemFlips ?? pair.flips;
  const n = found.length;
  const summary =
    nCompared === 0 ? `${title}: 0` : `${title}: ${n} of ${nCompared} (${percent(n / nCompared)})`;
  if (n === 0) return paragraph(summary);
  const flips = pair.itemFlips
    ? table(
        title,
        ['question', ...texts('trait', 'kind', 'instruction', 'baseline', 'model')],
        pair.itemFlips[which].map(({ id, trait, kind, instruction, baseline, model }) => [
          id,
          trait,
          kind,
          instruction,
          baseline.map(inWords).join(', '),
          model.map(inWords).join(', '),
        ]),
        { most: MAX_FLIPS },
      )
    : table(
        title,
        ['record', 'truth', pair.baseline, pair.model],
        pair.flips[which].map(({ id, groundTruth, baseline, model }) => [
          id,
          String(groundTruth ?? 'none'),
          answersText(baseline),
          answersText(model),
        ]),
        { most: MAX_FLIPS },
      );
  return details(summary, [flips]);
}

/** `800 records in both runs; left out: 3 failed in the model` */
function pairedText({ nPaired, leftOut, hasRepeats, clusters, flips }: PairedComparison): string {
  const classes: [number, string][] = [
    [leftOut.failedInBaseline, 'failed in the baseline'],
    [leftOut.failedInModel, 'failed in the model'],
    [leftOut.notRunInBaseline, 'never run in the baseline'],
    [leftOut.notRunInModel, 'never run in the model'],
    [leftOut.onlyInBaseline, 'only in the baseline'],
    [leftOut.onlyInModel, 'only in the model'],
    [leftOut.truthDiffers, 'with another truth'],
  ];
  const left = classes.filter(([n]) => n > 0).map(([n, why]) => `${n} ${why}`);
  return shown([
    `${counted(nPaired, 'record')} scored in both runs${flips.nCompared < nPaired ? `, ${flips.nCompared} of them with a verdict by ${inWords(flips.by)}` : ''}`,
    left.length === 0 ? 'none left out' : `left out: ${left.join(', ')}`,
    flips.by === 'decision_accuracy' && 'a record that was deferred where it should be is right',
    hasRepeats && 'a repeated record counts once, by the mean of its repeats',
    clusters &&
      `${clusters.key === 'call' ? 'records that shared a prompt in either run' : `records with the same ${clusters.key}`} are taken together (${counted(clusters.n, 'cluster')}), and each limit of a share is the outer one of two score intervals that allow for them`,
  ]).join('; ');
}

/** `G3a (0.85)`, `abstained`, `invalid`; several repeats separated by slashes. */
function answersText(answers: readonly FlipAnswer[]): string {
  return answers
    .map(({ state, prediction, confidence }) =>
      state === 'answered' ? `${prediction}${confidence === null ? '' : ` (${confidence})`}` : state,
    )
    .join(' / ');
}
