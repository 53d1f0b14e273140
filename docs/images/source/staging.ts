import {
  maeStages,
  offByOneAccuracy,
  overStagingRate,
  qwk,
  severeUnderStagingRate,
  underStagingRate,
} from '../../../src/entries/metrics.ts';
import { box, heading, picture, QUIET, RIGHT, shareBar, text, WRONG } from './picture.ts';
import { scoreOf, times } from './rows.ts';

const STAGES = [1, 2, 3, 4, 5];
/** Answers (across) to the cases of each stage (down). */
const COUNTS = [
  [52, 6, 1, 0, 0],
  [8, 49, 5, 0, 0],
  [2, 11, 36, 3, 0],
  [0, 3, 9, 22, 1],
  [0, 1, 2, 5, 18],
];
const OVER = '#6b4c9a';
const CELL = 44;
const LEFT = 98;
const TOP = 106;

/** Mistakes on either side of the diagonal are not alike. */
export function staging(): string {
  const rows = COUNTS.flatMap((answers, i) =>
    answers.flatMap((count, j) => times(count, { groundTruth: STAGES[i]!, prediction: STAGES[j]! })),
  );
  const value = (metric: Parameters<typeof scoreOf>[0]) => scoreOf(metric, rows);
  const options = { labels: STAGES };
  return picture({
    title: 'Staging: which way a wrong answer errs',
    height: 350,
    parts: [
      text(LEFT + 2.5 * CELL, 74, 'answer', { anchor: 'middle', fill: QUIET }),
      text(20, TOP + 2.5 * CELL + 5, 'truth', { fill: QUIET }),
      ...STAGES.flatMap((stage, i) => [
        text(LEFT + (i + 0.5) * CELL, TOP - 10, String(stage), { anchor: 'middle', weight: 600 }),
        text(LEFT - 16, TOP + (i + 0.5) * CELL + 5, String(stage), { anchor: 'middle', weight: 600 }),
      ]),
      ...COUNTS.flatMap((answers, i) => answers.map((count, j) => cell(i, j, count))),
      heading(370, 92, 'Called milder than it is: loses time'),
      shareBar(
        370,
        104,
        { name: 'under_staging_rate', value: value(underStagingRate(options)), fill: WRONG },
        BARS,
      ),
      shareBar(
        370,
        128,
        { name: 'severe_under_staging_rate', value: value(severeUnderStagingRate(options)), fill: WRONG },
        BARS,
      ),
      text(370, 158, 'severe: two stages or more, dashed', { fill: QUIET, size: 12 }),
      heading(370, 194, 'Called graver than it is: costs worry and tests'),
      shareBar(
        370,
        206,
        { name: 'over_staging_rate', value: value(overStagingRate(options)), fill: OVER },
        BARS,
      ),
      heading(370, 258, 'Blind to the direction'),
      shareBar(370, 270, { name: 'off_by_one_accuracy', value: value(offByOneAccuracy(options)) }, BARS),
      shareBar(370, 294, { name: 'qwk', value: value(qwk(options)) }, BARS),
      text(370, 329, `mae_stages: ${value(maeStages(options)).toFixed(3)} stages off on average`),
    ],
  });
}

const BARS = { nameWidth: 190, barWidth: 126 };

function cell(truth: number, answer: number, count: number): string {
  const x = LEFT + answer * CELL;
  const y = TOP + truth * CELL;
  const fill = truth === answer ? RIGHT : answer < truth ? WRONG : OVER;
  const severe = truth - answer >= 2;
  return [
    box(x, y, CELL, CELL, { fill, opacity: 0.1 + (0.4 * count) / 52, stroke: '#ffffff' }),
    severe ? box(x + 3, y + 3, CELL - 6, CELL - 6, { fill: 'none', stroke: WRONG, dash: '4 3' }) : '',
    text(x + CELL / 2, y + CELL / 2 + 5, String(count), {
      anchor: 'middle',
      size: 15,
      ...(count === 0 ? { fill: QUIET } : {}),
    }),
  ].join('\n');
}
