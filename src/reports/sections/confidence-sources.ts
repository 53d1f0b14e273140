import type { RunResult, SourceComparison, SourceDifference } from '../../results/index.ts';
import { decimals, whole } from '../charts/number-text.ts';
import { list, numbers, paragraph, section, table } from '../document/blocks.ts';
import type { Section } from '../document/document.ts';
import { counted, number } from '../words.ts';

const NAMES = { stated: 'stated', repeats: 'repeats', logprobs: 'token log-probabilities' } as const;

/** The sources of confidence of a run side by side, where it has several. */
export function confidenceSources(report: RunResult): Section | null {
  const found = report.sources();
  if (found === null) return null;
  const { sources, differences, n, nRight } = found;
  const hasCost = sources.some(({ usdPerRecord }) => usdPerRecord !== null);
  return section({ id: 'sources', title: 'Where confidence comes from' }, [
    paragraph(
      `The same ${counted(n, 'answer')} (the first reply to a record; ${whole(nRight)} right) with the confidence of each source.`,
    ),
    table(
      'Sources of confidence',
      [
        'source',
        ...numbers(
          'Brier',
          'AUROC',
          'calls per record',
          'tokens per record',
          ...(hasCost ? ['USD per record'] : []),
        ),
      ],
      sources.map((source) => [
        NAMES[source.source],
        number(source.brier),
        number(source.auroc),
        perRecord(source.callsPerRecord, 2),
        perRecord(source.tokensPerRecord, 0),
        ...(hasCost ? [perRecord(source.usdPerRecord, 5)] : []),
      ]),
    ),
    list([...differences.map(differenceText), ...noteTexts(found)]),
  ]);
}

function perRecord(value: number | null, digits: number): string {
  return value === null ? '-' : decimals(value, digits);
}

function differenceText({ source, brier, auroc, brierPerExtraCall, interval }: SourceDifference): string {
  const between = ({ lower, upper }: { readonly lower: number | null; readonly upper: number | null }) =>
    lower === null || upper === null ? 'no interval' : `${signed(lower)} to ${signed(upper)}`;
  const brierText = `Brier ${signed(brier.difference)} (${between(brier)})`;
  const aurocText = auroc === null ? '' : `, AUROC ${signed(auroc.difference)} (${between(auroc)})`;
  const perCall = brierPerExtraCall === null ? '' : `; Brier per extra call ${signed(brierPerExtraCall)}`;
  const how = interval === 'paired' ? '' : '; intervals by cluster bootstrap';
  return `${NAMES[source]} minus stated: ${brierText}${aurocText}${perCall}${how}. A lower Brier score and a higher AUROC are better.`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${decimals(value)}`;
}

function noteTexts({ nOftenAbstained, tokens }: SourceComparison): string[] {
  const how = [
    tokens?.afterReasoning && 'after a text of reasoning, which makes them close to 1',
    tokens?.withSchema && 'under a schema, which allows labels only',
  ].filter(Boolean);
  return [
    ...(nOftenAbstained
      ? [
          `${counted(nOftenAbstained, 'answered record')} with at least two abstentions in five replies: a warning even where the answer wins.`,
        ]
      : []),
    ...(how.length > 0 ? [`Token log-probabilities are taken ${how.join(', and ')}.`] : []),
    'Do not choose the source on the rows that it is then reported on.',
  ];
}
