import { whole } from '../../reports/charts/number-text.ts';
import { code, facts, list, paragraph, section } from '../../reports/document/blocks.ts';
import type { Fact, Section } from '../../reports/document/document.ts';
import { levelText } from '../../reports/words.ts';
import { parseCondition } from '../../runs/conditions/expression.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { StopEarly } from '../../store/run.ts';
import { earlyVerdict, PLURAL } from './early-verdicts.ts';

type Stopping = Pick<RunResult, 'stopEarly' | 'status' | 'repeats'> & {
  readonly ledger: Pick<RunResult['ledger'], 'n' | 'not_run'>;
};

/** How a run that stops early ended, and what may be claimed from it. */
export function earlyStop(report: Stopping): Section | null {
  const { stopEarly, status } = report;
  if (stopEarly === null) return null;
  const verdicts = stopEarly.verdicts.map((verdict) => earlyVerdict(verdict, stopEarly));
  return section({ id: 'early-stop', title: 'Early stop' }, [
    paragraph(`${ENDED[status] ?? 'The run has not ended.'} ${claimText(stopEarly)}`),
    list(
      verdicts.map(({ text, status: found, reason, message }) => [
        { text: found, as: 'status' },
        ' ',
        code(text),
        `: ${message}${reason === undefined ? '' : ` (${reason})`}`,
      ]),
    ),
    facts('Terms', listTerms(report, stopEarly)),
    paragraph(
      status === 'stopped_early'
        ? 'Intervals of shares are anytime-valid. Other scores, groups and charts show none (fixed-size interval after an early stop: not valid). A run that was stopped by a pass overstates the value.'
        : isOfValues(stopEarly)
          ? 'The conditions are on values, and need no interval.'
          : 'Judge the conditions by these bounds alone: all other intervals of this report are for a number of cases that was fixed beforehand, and to choose between the two after a look spends the error twice.',
      { tone: 'small' },
    ),
  ]);
}

const ENDED: Readonly<Partial<Record<RunResult['status'], string>>> = {
  stopped_early: 'The run stopped as soon as its conditions were decided.',
  complete: 'All cases were asked.',
};

/** Whether all conditions are on plain values, so that nothing is claimed beyond the records. */
function isOfValues({ gates, nonInferior }: StopEarly): boolean {
  return nonInferior === null && gates.every((text) => parseCondition(text).of === 'value');
}

/** What the bounds are about. */
function claimText(stopEarly: StopEarly): string {
  const { claim, level, unit, alpha, nModels, gates, nonInferior } = stopEarly;
  if (isOfValues(stopEarly))
    return 'A condition on a plain value has the verdict that asking all cases would give, and claims nothing beyond them.';
  const nGates = gates.length + (nonInferior === null ? 0 : 1);
  const together =
    nGates * nModels === 1
      ? ''
      : alpha === 'each'
        ? ` The error is shared by ${nGates * nModels} tests (${nGates} per model), so all bounds hold together.`
        : ' The error is not shared by the conditions: what is claimed is that a model that meets all of them meets each.';
  const of =
    claim === 'suite'
      ? `exactly the ${PLURAL[unit]} of this suite`
      : 'the population that the cases are a random sample of';
  return `The bounds are anytime-valid at ${levelText(level)}: they hold however often the run was looked at. They are about ${of}${unit === 'patient' ? ', in which every patient weighs the same' : ''}.${together}`;
}

function listTerms({ ledger, repeats }: Stopping, stop: StopEarly): Fact[] {
  const looked = Math.max(0, ...stop.verdicts.map(({ lookedAt }) => lookedAt));
  const nFailed = Math.max(0, ...stop.verdicts.map(({ nFailed: failed }) => failed));
  const repeated = repeats === 1 ? '' : `, each asked ${repeats} times`;
  return [
    [
      'Looked at',
      stop.verdicts.length === 0
        ? 'no look was written yet; the same command continues the run'
        : `${whole(looked)} of ${whole(stop.nTotal)} ${PLURAL[stop.unit]}${repeated}`,
    ],
    ['Cases not asked', `${whole(ledger.not_run)} of ${whole(ledger.n)}`],
    [
      'Failed cases',
      nFailed === 0
        ? 'none'
        : `in ${nFailed} ${PLURAL[stop.unit]}: the worst case for the lower bound, the best for the upper`,
    ],
    ...(isOfValues(stop)
      ? []
      : ([
          ['Error of one side', `${rounded(stop.alphaSide)}, after division`],
          ['Least counted', `${stop.minN}`],
          ['Claim', stop.claim],
        ] as const)),
    ['Order', `seed ${stop.seed}, ${stop.generator}, SHA-256 ${stop.orderSha256.slice(0, 16)}…`],
  ];
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}
