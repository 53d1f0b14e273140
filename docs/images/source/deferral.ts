import {
  deferralAlignment,
  deferralBalanced,
  deferralCostNormalised,
  deferralMcc,
} from '../../../src/entries/metrics.ts';
import { box, FAINT, heading, line, picture, QUIET, RIGHT, text, WRONG } from './picture.ts';
import { scoreOf, times } from './rows.ts';

/** Deferred and answered, of 25 cases to defer and of 75 to answer. */
const POLICIES = [
  { name: 'never defers', toDefer: [0, 25], toAnswer: [0, 75] },
  { name: 'always defers', toDefer: [25, 0], toAnswer: [75, 0] },
  { name: 'model C', toDefer: [8, 17], toAnswer: [10, 65] },
  { name: 'model D', toDefer: [20, 5], toAnswer: [6, 69] },
] as const;

const METRICS = [
  { name: 'deferral_alignment', metric: deferralAlignment() },
  { name: 'deferral_balanced', metric: deferralBalanced() },
  { name: 'deferral_mcc', metric: deferralMcc() },
  { name: 'deferral_cost_normalised', metric: deferralCostNormalised() },
];

const LEFT = 204;
const COLUMN = 138;
const CELL = { width: 58, height: 44 };
const BELOW = 200;

/** Four ways to defer on the same cases. The first two take no skill. */
export function deferral(): string {
  const rows = [
    text(20, 62, 'blue: the right decision', { fill: QUIET, size: 12 }),
    text(20, 82, 'orange: a mistake', { fill: QUIET, size: 12 }),
    text(20, 117, 'should defer'),
    text(20, 165, 'should answer'),
    ...METRICS.map(({ name }, i) => text(20, BELOW + 28 + i * 26, name)),
    line([20, BELOW + 4], [740, BELOW + 4], { stroke: FAINT }),
  ];
  return picture({
    title: 'Deferral on 100 cases, 25 of which should be deferred',
    height: 326,
    parts: [...rows, ...POLICIES.map((policy, i) => column(LEFT + i * COLUMN, policy))],
  });
}

function column(x: number, { name, toDefer, toAnswer }: (typeof POLICIES)[number]): string {
  const rows = [
    ...[true, false].flatMap((shouldDefer) => {
      const [deferred, answered] = shouldDefer ? toDefer : toAnswer;
      const metadata = { should_abstain: shouldDefer };
      return [
        ...times(deferred, { groundTruth: 'yes', abstained: true, metadata }),
        ...times(answered, { groundTruth: 'yes', prediction: 'yes', metadata }),
      ];
    }),
  ];
  return [
    heading(x, 62, name),
    text(x + CELL.width / 2, 82, 'deferred', { anchor: 'middle', fill: QUIET, size: 11.5 }),
    text(x + 62 + CELL.width / 2, 82, 'answered', { anchor: 'middle', fill: QUIET, size: 11.5 }),
    cell(x, 90, toDefer[0], RIGHT),
    cell(x + 62, 90, toDefer[1], WRONG),
    cell(x, 138, toAnswer[0], WRONG),
    cell(x + 62, 138, toAnswer[1], RIGHT),
    ...METRICS.map(({ metric }, i) =>
      text(x + 60, BELOW + 28 + i * 26, scoreOf(metric, rows).toFixed(2), { anchor: 'middle', size: 14 }),
    ),
  ].join('\n');
}

/** The more cases, the darker; every tone leaves dark words readable. */
function cell(x: number, y: number, count: number, color: string): string {
  return [
    box(x, y, CELL.width, CELL.height, {
      fill: count === 0 ? '#ffffff' : color,
      opacity: 0.12 + (0.4 * count) / 75,
      stroke: FAINT,
    }),
    text(x + CELL.width / 2, y + 28, String(count), { anchor: 'middle', size: 16 }),
  ].join('\n');
}
