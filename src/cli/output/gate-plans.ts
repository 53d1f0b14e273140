import { snakeKeys, toFile } from '../../core/codec.ts';
import type { RunPlan } from '../../engine/plan-run.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { numbers, paragraph, section, table } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { renderText } from '../../reports/formats/text.ts';
import { DASH, levelText, share } from '../../reports/words.ts';
import { type PlannedGate, plannedGateSchema } from '../../runs/gates/plan-gate.ts';
import type { PlannedNonInferiority } from '../../runs/gates/plan-non-inferiority.ts';

/** What `krisis plan` found. */
export interface GatePlans {
  readonly gates: readonly PlannedGate[];
  /** The suite that was named: its records, and its patients where some have several records; null where none was named. */
  readonly suite: { readonly records: number; readonly patients: number | null } | null;
  /** What a margin of non-inferiority to a run needs; null where none was asked for. */
  readonly nonInferior:
    | (PlannedNonInferiority & { readonly reference: string; readonly discordant: number })
    | null;
  /** Records that two models need for differences to show; null where no number suffices. */
  readonly differences: readonly {
    readonly difference: number;
    readonly discordant: number;
    readonly power: number;
    readonly records: number | null;
  }[];
  /** What asking all records of the suite would cost, for each model. */
  readonly costs: readonly RunPlan[];
}

/** What conditions need, for people. */
export function gatePlansText(plans: GatePlans, width?: number): string {
  const sections = [
    ...plans.gates.map((gate) => gateSection(gate, plans)),
    ...(plans.nonInferior === null ? [] : [marginSection(plans.nonInferior)]),
    differenceSection(plans),
  ];
  const what = ['a difference needs', 'a condition needs'][plans.gates.length] ?? 'the conditions need';
  const summary = [
    `How many cases ${what}`,
    'Cases count as independent; with several cases of a patient, count patients.',
  ];
  return renderText({ summary, sections }, width);
}

/** How many cases decide a margin, and how many the run has. */
function marginSection(planned: NonNullable<GatePlans['nonInferior']>): Section {
  const { margin, metric, fewest, likely, nCounted, clusters, reference, discordant } = planned;
  const unit = clusters === null ? 'cases' : `clusters of cases (${clusters.key})`;
  const has = clusters === null ? whole(nCounted) : `${whole(nCounted)} in ${whole(clusters.n)} clusters`;
  return section({ id: 'margin', title: `At most ${margin} worse than ${reference} on ${metric}` }, [
    paragraph(
      `About ${whole(likely)} ${unit} decide it with a chance of 80 %, if the two models are equally good and differ on ${share(discordant, 1)} of the cases; at least ${whole(fewest)} are needed, if they never differ. ${reference} has ${has} that ${metric} counts.`,
    ),
  ]);
}

function gateSection(gate: PlannedGate, { costs, suite: size }: GatePlans): Section {
  const { powers, expected, metric, suite, fewestRows, limit, level, alphaSide } = gate;
  const isHopeless = powers.every(({ rows }) => rows === null);
  const percent = (value: number) => share(value, 1);
  const blocks: (Block | false)[] = [
    isHopeless &&
      paragraph(
        gate.isMet
          ? `${expected} is so close to ${limit} that more than 1,000,000 cases would be needed.`
          : `If ${metric} really is ${expected}, no number of cases shows that it is on the right side of ${limit}: the condition passes by chance at most.`,
      ),
    !isHopeless &&
      table(
        `If ${metric} is ${expected}`,
        [
          'to pass with',
          ...numbers('all asked', 'stopping early, of', 'asks on average', 'half ask at most'),
        ],
        powers.map(({ power, rows, early }) => [
          levelText(power),
          rows === null ? DASH : whole(rows),
          early === null ? DASH : whole(early.rows),
          early === null ? DASH : whole(Math.round(early.meanRows)),
          early === null ? DASH : whole(early.medianRows),
        ]),
      ),
    paragraph(
      [
        `${levelText(level)} interval; early stopping spends ${Number(alphaSide.toPrecision(4))} on each side.`,
        fewestRows === null
          ? 'It can never pass early.'
          : `All right, it can pass after ${whole(fewestRows)} cases.`,
        gate.isOverAnswered ? 'These are answered cases: divide by the share that the model answers.' : '',
      ]
        .filter(Boolean)
        .join(' '),
      { tone: 'small' },
    ),
    suite !== null && paragraph(suiteText(suite, size, percent)),
    ...costs.map((cost) => paragraph(costText(cost, gate, size))),
  ];
  return section({ id: 'gate', title: `${gate.gate}, if ${metric} is ${expected}` }, blocks);
}

function suiteText(
  { rows, pass, early }: NonNullable<PlannedGate['suite']>,
  size: GatePlans['suite'],
  percent: (value: number) => string,
) {
  const isOfPatients = size !== null && size.patients !== null;
  const units = isOfPatients ? 'patients' : 'cases';
  const has = isOfPatients
    ? `${whole(rows)} patients with ${whole(size.records)} cases, and a patient counts once`
    : `${whole(rows)} cases`;
  const all = `The suite has ${has}. All asked: passes in ${percent(pass)} of runs.`;
  if (early === null) return all;
  const failed = early.failShown + early.failUnreachable + early.failNotShown;
  return `${all} Stopping early: passes in ${percent(early.pass)}, fails in ${percent(failed)}, and asks ${whole(Math.round(early.meanRows))} ${units} on average (half of the runs at most ${whole(early.medianRows)}, nine of ten at most ${whole(early.rows90)}).`;
}

/** Cost of a record, from the prompts of the suite, times the records. */
function costText(
  { model, records, calls, estimated_cost_usd: cost, estimated_input_tokens: tokens }: RunPlan,
  gate: PlannedGate,
  size: GatePlans['suite'],
): string {
  const perRecord = records === 0 ? 0 : tokens / records;
  const start = `${model}: about ${whole(Math.round(perRecord))} input tokens a case`;
  if (cost === null || calls === 0) return `${start}; its price is not known`;
  const each = cost / records;
  const [, most] = gate.powers;
  const money = (usd: number) => `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
  // What is counted is a patient where the suite has several records of some.
  const dollars = (n: number) => money(each * n * (size?.patients ? size.records / size.patients : 1));
  const fixed =
    most?.rows == null ? '' : `; ${levelText(most.power)} power, all asked: ${dollars(most.rows)}`;
  const early = most?.early == null ? '' : `, stopping early: ${dollars(most.early.meanRows)} on average`;
  const suite = gate.suite === null ? '' : `; the whole suite: ${dollars(gate.suite.rows)}`;
  return `${start}, ${money(each)} without reasoning${fixed}${early}${suite}.`;
}

function differenceSection({ differences }: GatePlans): Section {
  const [first] = differences;
  return section({ id: 'difference', title: 'A difference between two models' }, [
    table(
      'difference',
      ['difference', ...numbers('exactly one is right on', 'power', 'cases')],
      differences.map(({ difference, discordant, power, records }) => [
        String(difference),
        levelText(discordant),
        levelText(power),
        records === null ? DASH : whole(records),
      ]),
    ),
    paragraph(
      `Both models on the same cases, two-sided test at 5 %.${differences.some(({ records }) => records === null) ? ` A difference cannot be larger than the share of cases on which exactly one model is right (${levelText(first!.discordant)}).` : ''}`,
      { tone: 'small' },
    ),
  ]);
}

/** The same in file form. */
export function gatePlansObject({ gates, nonInferior, ...plans }: GatePlans): object {
  return {
    gates: gates.map((gate) => toFile(plannedGateSchema, gate)),
    non_inferior: nonInferior && snakeKeys(nonInferior),
    ...plans,
  };
}
