import { bracketed, decimals, percent } from '../../reports/charts/number-text.ts';
import {
  details,
  figure,
  numbers,
  paragraph,
  record,
  section,
  shown,
  table,
  texts,
} from '../../reports/document/blocks.ts';
import type { Block, Section, Table } from '../../reports/document/document.ts';
import { counted, DASH, inWords, levelText, number, pText, range } from '../../reports/words.ts';
import type { Comparison, EndpointComparison, FlipAnswer, PairedComparison } from './comparison.ts';

const MAX_FLIPS = { text: 20, html: 100 };

/** The id of the section of a pair. */
export const pairId = (i: number) => `pair-${i + 1}`;

/** One model against the baseline: every score with its difference, and the records or items on which the two differ. */
export function pairSection(
  pair: PairedComparison,
  i: number,
  { primaryEndpoint, level }: { readonly level: number } & Pick<Comparison, 'primaryEndpoint'>,
): Section {
  const { model, baseline, itemFlips } = pair;
  const lines = pair.endpoints.map((score) => [score.label, score] as const);
  const about = { first: itemFlips ? 'score' : 'endpoint', level, primary: primaryEndpoint?.metric };
  return section({ id: pairId(i), title: `${model} against ${baseline}` }, [
    paragraph(
      itemFlips
        ? `Items scored in both: ${itemFlips.nCompared}.`
        : `${pairedText(pair)}. Differences are ${model} minus ${baseline}.`,
    ),
    differenceTable(`${model} against ${baseline}`, lines, about),
    differencePlot(lines, `${model} minus ${baseline}`),
    ...correctedBlocks(pair),
    flipBlock(`Only ${baseline} is right`, pair, 'onlyBaselineRight'),
    flipBlock(`Only ${model} is right`, pair, 'onlyModelRight'),
  ]);
}

type Lines = readonly (readonly [name: string, EndpointComparison])[];

/** Values, difference, test and verdict, a line each. */
function differenceTable(
  caption: string,
  lines: Lines,
  {
    first,
    level,
    primary,
  }: { readonly first: string; readonly level: number; readonly primary?: string | undefined },
): Table {
  return table(
    caption,
    [
      first,
      ...numbers('n', 'baseline', 'model'),
      // The words have these numbers too.
      ...numbers(`difference (${levelText(level)} interval)`, 'p', 'p (Holm)').map((column) => ({
        ...column,
        isSpare: true,
      })),
      { title: 'detectable', kind: 'number', except: ['text', 'html'] },
      ...texts('in words'),
    ],
    lines.map(([name, score]) => [
      score.metric === primary ? `${name} (primary endpoint)` : name,
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
  );
}

/** The differences that are shares, around zero: whether an interval holds it is seen at once. */
function differencePlot(lines: Lines, title: string): Block | null {
  const dots = lines.flatMap(([group, { difference: value, interval, n }]) =>
    value === null || Math.abs(value) > 1
      ? []
      : [{ group, n, value, lower: interval?.lower ?? null, upper: interval?.upper ?? null }],
  );
  if (dots.length === 0) return null;
  const ends = dots.flatMap(({ value, lower, upper }) => [value, lower ?? 0, upper ?? 0]);
  const reach = Math.min(1, Math.max(0.01, ...ends.map(Math.abs)));
  const drawn = {
    title,
    axis: 'difference',
    dots,
    overall: 0,
    overallName: 'equal',
    domain: [-reach, reach],
  } as const;
  return {
    ...figure(
      { chart: 'dots', data: drawn },
      'Each difference with its interval. An interval that holds zero shows no difference; it does not show that there is none.',
      table(
        title,
        ['score', ...numbers('difference', 'interval')],
        dots.map(({ group, value, ...ends }) => [group, number(value), range(ends)]),
      ),
      true,
    ),
    except: ['text', 'md'],
  };
}

/** All models against the baseline by one score; nothing for two models, whose section says the same. */
export function againstSection({
  pairs,
  baseline,
  primaryEndpoint,
  method,
}: Pick<Comparison, 'pairs' | 'baseline' | 'primaryEndpoint' | 'method'>): Section | null {
  const metric = primaryEndpoint?.metric ?? pairs[0]?.endpoints[0]?.metric;
  const lines = pairs.flatMap(({ model, endpoints }) => {
    const found = endpoints.find((one) => one.metric === metric);
    return found === undefined ? [] : [[model, found] as const];
  });
  if (lines.length < 2) return null;
  const title = `All models against ${baseline}`;
  return section({ id: 'against', title }, [
    paragraph(`By ${lines[0]![1].label}. p (Holm) is adjusted for the number of models.`),
    differenceTable(title, lines, { first: 'model', level: method.level }),
    differencePlot(lines, `${lines[0]![1].label}, minus ${baseline}`),
  ]);
}

/** Corrected scores, where a run was reviewed. */
function correctedBlocks({ corrected }: PairedComparison): Block[] {
  if (corrected.length === 0) return [];
  const found = table(
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
  return [
    found,
    paragraph(
      'By labels of people on items of both runs. The table above has the scores as judged; a corrected score is never compared with one as judged.',
      { tone: 'small' },
    ),
  ];
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
        ['case', 'truth', pair.baseline, pair.model],
        pair.flips[which].map(({ id, groundTruth, baseline, model }) => [
          record(id),
          String(groundTruth ?? 'none'),
          answersText(baseline),
          answersText(model),
        ]),
        { most: MAX_FLIPS },
      );
  return details(summary, [flips], { isList: true });
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
    `${counted(nPaired, 'case')} scored in both runs${flips.nCompared < nPaired ? `, ${flips.nCompared} of them with a verdict by ${inWords(flips.by)}` : ''}`,
    left.length === 0 ? 'none left out' : `left out: ${left.join(', ')}`,
    flips.by === 'decision_accuracy' && 'a case that was deferred where it should be is right',
    hasRepeats && 'a repeated case counts once, by the mean of its repeats',
    clusters &&
      `${clusters.key === 'call' ? 'cases that shared a prompt in either run' : `cases with the same ${clusters.key}`} are taken together (${counted(clusters.n, 'cluster')}), and each limit of a share is the outer one of two score intervals that allow for them`,
  ]).join('; ');
}

/** `G3a (0.85)`, `abstained`, `invalid`; several repeats separated by slashes. */
function answersText(answers: readonly FlipAnswer[]): string {
  return answers
    .map(({ state, prediction, confidence }) =>
      state === 'answered'
        ? `${prediction}${confidence === null ? '' : ` (${decimals(confidence, 2)})`}`
        : state,
    )
    .join(' / ');
}
