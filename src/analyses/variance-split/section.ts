import { decimals, percent, whole } from '../../reports/charts/number-text.ts';
import { numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { counted, DASH, levelText } from '../../reports/words.ts';
import type { VarianceComponent, VarianceSplit, VarianceSplits } from './variance-split.ts';

/** How much cases, models and repeats vary. */
export function varianceSection({ splits, level, seed }: VarianceSplits): Section | null {
  return section({ id: 'variance', title: 'Cases, models or chance?' }, [
    ...splits.flatMap((split) => splitBlocks(split, level)),
    paragraph(
      `Variance components of single replies by the method of moments, over the cases that every model scored; negative estimates count as 0 (marked *). Intervals: ${levelText(level)} percentiles over resamples of whole cases and clusters (seed ${seed}), with the models as they are: they do not say what other models would show.`,
      { tone: 'small', except: ['text'] },
    ),
  ]);
}

function splitBlocks(split: VarianceSplit, level: number): Block[] {
  const { label, nModels, nRecords, n, repeats, casesByModels } = split;
  const rows: readonly [string, VarianceComponent][] = [
    ['cases: hard for every model', split.cases],
    ['models: better over all cases', split.models],
    [
      repeats.reason === 'no_repeats'
        ? 'cases by model, and chance'
        : 'cases by model: hard for one, not for another',
      casesByModels,
    ],
    ['repeats: one model on one case', repeats],
  ];
  return [
    paragraph(`${label}: ${leadText(split, level)}`, { tone: 'lead' }),
    table(
      `Variance of ${label.toLowerCase()}`,
      ['part', ...numbers('share', 'interval', 'variance')],
      rows.flatMap(([name, { variance, share, lower, upper, isTruncated }]) =>
        variance === null
          ? []
          : [
              [
                name,
                share === null ? DASH : `${percent(share)}${isTruncated ? '*' : ''}`,
                lower === null ? DASH : `${percent(lower)} to ${percent(upper!)}`,
                decimals(variance, 4),
              ],
            ],
      ),
    ),
    paragraph(
      `${whole(n)} ${n === 1 ? 'reply' : 'replies'} to ${counted(nRecords, 'case')}, ${nModels === 1 ? 'one model' : `${whole(nModels)} models`}.`,
      {
        tone: 'small',
      },
    ),
  ];
}

function leadText({ cases, models, repeats }: VarianceSplit, level: number): string {
  if (cases.share === null) return 'nothing varies.';
  const said = ({ share, lower, upper }: VarianceComponent) =>
    `${percent(share!)}${lower === null ? '' : ` (${levelText(level)} interval ${percent(lower)} to ${percent(upper!)})`}`;
  const parts = [
    `${said(cases)} of the variance of single replies is between cases`,
    models.share !== null && `${percent(models.share)} between models`,
    repeats.share !== null && `${percent(repeats.share)} between repeats of one case`,
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}
