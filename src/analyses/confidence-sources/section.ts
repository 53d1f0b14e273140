import { decimals, percent, whole } from '../../reports/charts/number-text.ts';
import { list, numbers, paragraph, section, shown, table } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import { counted, exactPercent, number } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { SourceComparison, SourceDifference, SourceScore } from './source-comparison.ts';

const NAMES = { stated: 'stated', repeats: 'repeats', logprobs: 'token log-probabilities' } as const;

/** The sources of confidence of a run side by side, where it has several. */
export function confidenceSources(report: Pick<RunResult, 'sources'>): Section | null {
  const found = report.sources();
  if (found === null) return null;
  const { sources, differences, n, nRight } = found;
  const hasCost = sources.some(({ usdPerRecord }) => usdPerRecord !== null);
  return section({ id: 'sources', title: 'Where confidence comes from' }, [
    paragraph(
      `The same ${counted(n, 'answer')} (the first reply to a case; ${whole(nRight)} right) with the confidence of each source.`,
    ),
    table(
      'Sources of confidence',
      [
        'source',
        ...numbers(
          'Brier',
          'AUROC',
          'AUGRC',
          'accepted',
          'calls per case',
          'tokens per case',
          ...(hasCost ? ['USD per case'] : []),
        ),
      ],
      sources.map((source) => [
        NAMES[source.source],
        number(source.brier),
        number(source.auroc),
        number(source.augrc),
        acceptedText(source),
        perRecord(source.callsPerRecord, 2),
        perRecord(source.tokensPerRecord, 0),
        ...(hasCost ? [perRecord(source.usdPerRecord, 5)] : []),
      ]),
    ),
    table(
      'Differences from stated confidence, on the same answers',
      ['measure', ...numbers('difference', '95 % interval', 'per extra call')],
      differences.map((difference) => ({ title: writeTitle(difference), rows: differenceRows(difference) })),
      { showCaption: true },
    ),
    list(noteTexts(found)),
  ]);
}

/** What the threshold of a source accepts. Only the threshold section names the value, next to the emergencies it misses. */
function acceptedText({ coverage, threshold }: SourceScore): string {
  if (coverage === null) return '-';
  return threshold === null ? 'no threshold' : percent(coverage);
}

function perRecord(value: number | null, digits: number): string {
  return value === null ? '-' : decimals(value, digits);
}

/** The source, and what it takes beyond a stated confidence. */
function writeTitle({ source, extraCalls, extraTokens, extraUsd }: SourceDifference): string {
  const extra = shown([
    extraCalls !== null && `${writeMore(extraCalls, 2)} calls`,
    extraTokens !== null && `${writeMore(extraTokens, 0)} tokens`,
    extraUsd !== null && `${writeMore(extraUsd, 5)} USD`,
  ]);
  return `${NAMES[source]} minus stated${extra.length === 0 ? '' : `, per case ${extra.join(', ')}`}`;
}

function writeMore(value: number, digits: number): string {
  return `${value > 0 ? '+' : ''}${decimals(value, digits)}`;
}

function differenceRows(found: SourceDifference): string[][] {
  const isStopped = found.interval === 'not_valid_after_early_stop';
  const row = (name: string, difference: SourceDifference['augrc'] | null, perCall: number | null) =>
    difference === null
      ? []
      : [[name, signed(difference.difference), endsText(difference, isStopped), perCallText(perCall)]];
  return [
    ...row('Brier (lower is better)', found.brier, found.brierPerExtraCall),
    ...row('AUROC (higher is better)', found.auroc, found.aurocPerExtraCall),
    ...row('AUGRC (lower is better)', found.augrc, found.augrcPerExtraCall),
    ...row('accepted (higher is better)', found.coverage, found.coveragePerExtraCall),
  ];
}

function endsText({ lower, upper }: SourceDifference['augrc'], isStopped: boolean): string {
  if (isStopped) return 'not valid';
  return lower === null || upper === null ? 'none' : `${signed(lower)} to ${signed(upper)}`;
}

function perCallText(value: number | null): string {
  return value === null ? '-' : signed(value);
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${decimals(value)}`;
}

function noteTexts(found: SourceComparison): string[] {
  const { nOftenAbstained, tokens, promise, differences } = found;
  const how = [
    tokens?.afterReasoning && 'after a text of reasoning, which makes them close to 1',
    tokens?.withSchema && 'under a schema, which allows labels only',
  ].filter(Boolean);
  const isPaired = differences.some(({ interval }) => interval === 'paired');
  return [
    ...(promise === null
      ? [
          'The run stopped early: differences have no interval (fixed-size interval after an early stop: not valid), and thresholds are not chosen.',
        ]
      : [
          `Accepted: share of ${counted(promise.nEvaluation, 'answer')} at or above the confidence from which at most ${exactPercent(promise.risk)} are wrong or should have been deferred, with ${exactPercent(promise.confidence)} confidence; chosen for each source on ${counted(promise.nCalibration, 'other answer')}. Without a threshold, no answer is accepted. A comparison of sources, not a threshold to deploy: it does not count missed emergencies.`,
          isPaired
            ? 'Intervals: paired normal (Brier), DeLong (AUROC), paired bootstrap over cases (the others).'
            : 'Intervals: bootstrap over clusters of cases, both confidences drawn together.',
        ]),
    ...(nOftenAbstained
      ? [
          `${counted(nOftenAbstained, 'answered case')} with at least two deferrals in five replies: a warning even where the answer wins.`,
        ]
      : []),
    ...(how.length > 0 ? [`Token log-probabilities are taken ${how.join(', and ')}.`] : []),
    'Do not choose the source on the cases that it is then reported on.',
  ];
}
