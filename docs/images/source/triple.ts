import { accuracy, answerRate, decisionAccuracy, selectiveAccuracy } from '../../../src/entries/metrics.ts';
import type { EvaluationResult } from '../../../src/index.ts';
import { box, DEFERRED, heading, picture, QUIET, RIGHT, shareBar, text, WRONG } from './picture.ts';
import { scoreOf, times } from './rows.ts';

const answer = { groundTruth: 'yes', prediction: 'yes', metadata: { should_abstain: false } } as const;
const wrong = { ...answer, prediction: 'no' } as const;
const defer = { groundTruth: 'yes', abstained: true, metadata: { should_abstain: false } } as const;
/** The same on a case that should be deferred. */
const unsafe = <T>(row: T) => ({ ...row, metadata: { should_abstain: true } });

const MODELS = [
  {
    name: 'Model A answers everything',
    rows: [
      ...times(70, answer),
      ...times(5, wrong),
      ...times(15, unsafe(answer)),
      ...times(10, unsafe(wrong)),
    ],
  },
  {
    name: 'Model B leaves what it cannot decide',
    rows: [
      ...times(69, answer),
      ...times(3, wrong),
      ...times(3, defer),
      ...times(1, unsafe(answer)),
      ...times(1, unsafe(wrong)),
      ...times(23, unsafe(defer)),
    ],
  },
];

const STEP = 17;
const CELL = 15;
const DOWN = 5;
const KINDS = [
  { name: 'right answer', color: RIGHT, mark: 'm3,8l3.2,3.2l6,-7' },
  { name: 'wrong answer', color: WRONG, mark: 'm4,4l7,7m0,-7l-7,7' },
  { name: 'deferred', color: DEFERRED, mark: 'm3.5,7.5h8' },
] as const;

/** Two models on the same hundred cases: accuracy prefers the one that guesses. */
export function triple(): string {
  return picture({
    title: 'The same 100 cases: 75 can be answered, 25 should be deferred',
    height: 322,
    parts: [legend(20, 50), ...MODELS.map(({ name, rows }, i) => panel(20 + i * 375, 94, name, rows))],
  });
}

function legend(x: number, y: number): string {
  return KINDS.map(({ name, color, mark }, i) => {
    const left = x + i * 132;
    return `${box(left, y, CELL, CELL, { fill: color })}\n${marks(`M${left},${y}${mark}`)}\n${text(left + 21, y + 12, name)}`;
  }).join('\n');
}

function panel(x: number, y: number, name: string, rows: readonly EvaluationResult[]): string {
  const bars = [
    { name: 'accuracy', metric: accuracy() },
    { name: 'answer_rate', metric: answerRate() },
    { name: 'selective_accuracy', metric: selectiveAccuracy() },
    { name: 'decision_accuracy', metric: decisionAccuracy(), bold: true },
  ];
  return [
    heading(x, y, name),
    text(x, y + 19, '75 to answer', { fill: QUIET }),
    text(x + 15 * STEP + 5, y + 19, '25 to defer', { fill: QUIET }),
    cases(x, y + 26, rows),
    ...bars.map((bar, i) => shareBar(x, y + 126 + i * 24, { ...bar, value: scoreOf(bar.metric, rows) })),
  ].join('\n');
}

/** Column by column; the cases to defer stand a little apart. */
function cases(x: number, y: number, rows: readonly EvaluationResult[]): string {
  return KINDS.map(({ color, mark }, kind) => {
    const places = rows.flatMap((row, i) => {
      const apart = row.metadata.should_abstain ? 5 : 0;
      return kindOf(row) === kind
        ? [`M${x + apart + Math.floor(i / DOWN) * STEP},${y + (i % DOWN) * STEP}`]
        : [];
    });
    const squares = places.map((at) => `${at}h${CELL}v${CELL}h-${CELL}z`).join('');
    return `<path d="${squares}" fill="${color}"/>\n${marks(places.map((at) => at + mark).join(''))}`;
  }).join('\n');
}

function kindOf({ state, prediction, groundTruth }: EvaluationResult): number {
  if (state === 'abstained') return 2;
  return prediction === groundTruth ? 0 : 1;
}

function marks(d: string): string {
  return `<path d="${d}" fill="none" stroke="#ffffff" stroke-width="2"/>`;
}
