import { checkGate, parseGate } from '../../../src/entries/results.ts';
import { buildTable, scoreTable } from '../../../src/index.ts';
import { ledgerBar } from '../../../src/reports/charts/ledger-bar.ts';
import { box, chart, document, FAINT, INK, line, picture, QUIET, RIGHT, text, WRONG } from './picture.ts';
import { times } from './rows.ts';

const COUNTS = { right: 168, wrong: 12, failed: 20 };
const FAILED = '#5f6b7a';
const GATE = 'accuracy >= 0.9';

const LEFT = 170;
const SPAN = 550;
/** From this share to 1. */
const FROM = 0.8;

const at = (share: number) => LEFT + ((share - FROM) / (1 - FROM)) * SPAN;

/** A score beside what the rows that failed could have made of it. */
export function bounds(): string {
  const card = scoreTable(
    buildTable([
      ...times(COUNTS.right, { groundTruth: 'yes', prediction: 'yes' }),
      ...times(COUNTS.wrong, { groundTruth: 'yes', prediction: 'no' }),
      ...times(COUNTS.failed, { groundTruth: 'yes', state: 'failed', stateReason: 'timeout' }),
    ]),
    { resamples: 0 },
  );
  const { value, interval, bounds: range } = card.scores.find(({ name }) => name === 'accuracy')!;
  const gate = parseGate(GATE);
  return picture({
    title: 'Of 200 calls, 20 failed: what is the accuracy?',
    height: 310,
    parts: [
      ...ledger(64),
      ...axis(150, 246),
      line([at(0.9), 138], [at(0.9), 246], { stroke: INK, width: 1.5, dash: '5 4' }),
      text(at(0.9), 132, `gate: ${GATE}`, { anchor: 'middle', weight: 600 }),
      text(20, 176, 'on 180 scored rows'),
      line([at(interval!.lower), 171], [at(interval!.upper), 171], { stroke: RIGHT, width: 3 }),
      `<circle cx="${at(value!).toFixed(2)}" cy="171" r="6" fill="${RIGHT}"/>`,
      text(20, 220, 'had all 20 come back'),
      box(at(range!.lower), 206, at(range!.upper) - at(range!.lower), 20, {
        fill: FAILED,
        opacity: 0.35,
        stroke: FAILED,
      }),
      text(at(range!.lower) - 6, 221, 'all wrong', { anchor: 'end', size: 12 }),
      text(at(range!.upper) + 6, 221, 'all right', { size: 12 }),
      text(
        20,
        290,
        `accuracy ${three(value!)}, 95 % interval ${three(interval!.lower)} to ${three(interval!.upper)}; bounds ${three(range!.lower)} to ${three(range!.upper)}; the gate is ${checkGate(gate, card).status}`,
      ),
    ],
  });
}

function ledger(y: number): string[] {
  const parts = [
    { name: 'right', count: COUNTS.right, color: RIGHT },
    { name: 'wrong', count: COUNTS.wrong, color: WRONG },
    { name: 'failed', count: COUNTS.failed, color: FAILED },
  ];
  return [
    chart(ledgerBar(parts, document), 20, y - 14, 720, 22),
    ...parts.flatMap(({ name, count, color }, i) => [
      box(20 + i * 110, y + 18, 12, 12, { fill: color }),
      text(38 + i * 110, y + 29, `${name} ${count}`),
    ]),
  ];
}

function axis(top: number, bottom: number): string[] {
  return [0.8, 0.85, 0.9, 0.95, 1].flatMap((tick) => [
    line([at(tick), top], [at(tick), bottom], { stroke: FAINT }),
    text(at(tick), bottom + 16, tick.toFixed(2), { anchor: 'middle', fill: QUIET, size: 12 }),
  ]);
}

function three(share: number): string {
  return share.toFixed(3);
}
