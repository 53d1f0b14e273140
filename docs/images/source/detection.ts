import { Sample, sensitivity, specificity } from '../../../src/entries/metrics.ts';
import type { EvaluationResult } from '../../../src/index.ts';
import { dotPlot } from '../../../src/reports/charts/dot-plot.ts';
import {
  box,
  chart,
  DEFERRED,
  document,
  FAINT,
  heading,
  picture,
  QUIET,
  RIGHT,
  text,
  WRONG,
} from './picture.ts';
import { times } from './rows.ts';

/** Called present, called absent, abstained on. */
const TABLE = [
  { truth: 'present', counts: [78, 6, 16] },
  { truth: 'absent', counts: [4, 84, 12] },
] as const;
const COLUMNS = ['called present', 'called absent', 'abstained'];
const CELL = { width: 93, height: 54 };

/** The same answers, once without the abstentions and once with them counted against the model. */
export function detection(): string {
  const rows = TABLE.flatMap(({ truth, counts: [present, absent, abstained] }) => [
    ...times(present, { groundTruth: truth, prediction: 'present' }),
    ...times(absent, { groundTruth: truth, prediction: 'absent' }),
    ...times(abstained, { groundTruth: truth, abstained: true }),
  ]);
  return picture({
    title: 'Leaving the hard cases out flatters a detector',
    height: 258,
    parts: [
      heading(20, 66, '200 people, by what was said of them'),
      ...COLUMNS.map((name, i) =>
        text(78 + (i + 0.5) * CELL.width, 94, name, { anchor: 'middle', fill: QUIET, size: 12 }),
      ),
      ...TABLE.map(({ truth, counts }, i) => tableRow(20, 102 + i * CELL.height, truth, counts)),
      text(20, 236, 'With _itd an abstention counts against the model.', { fill: QUIET, size: 12 }),
      heading(380, 66, 'Two readings of each share'),
      chart(
        dotPlot({ title: 'share, with 95 % interval', dots: dots(rows), overall: null }, document),
        374,
        70,
        366,
      ),
    ],
  });
}

function tableRow(x: number, y: number, truth: 'present' | 'absent', counts: readonly number[]): string {
  const right = truth === 'present' ? 0 : 1;
  return [
    text(x, y + 32, truth),
    ...counts.flatMap((count, i) => {
      const left = x + 58 + i * CELL.width;
      const fill = i === 2 ? DEFERRED : i === right ? RIGHT : WRONG;
      return [
        box(left, y, CELL.width, CELL.height, { fill, opacity: 0.14 + (0.35 * count) / 100, stroke: FAINT }),
        text(left + CELL.width / 2, y + 33, String(count), { anchor: 'middle', size: 17 }),
      ];
    }),
  ].join('\n');
}

function dots(rows: readonly EvaluationResult[]) {
  return [sensitivity, specificity].flatMap((metric) =>
    (['answered', 'itd'] as const).map((abstentions) => {
      const of = metric({ positiveLabel: 'present', abstentions });
      const sample = Sample.of(rows);
      const { value, interval } = of.compute(sample);
      return {
        group: of.name,
        n: of.proportion!(sample).n,
        value,
        lower: interval?.lower ?? null,
        upper: interval?.upper ?? null,
      };
    }),
  );
}
