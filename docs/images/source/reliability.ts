import { expectedCalibrationError } from '../../../src/entries/metrics.ts';
import { buildTable, type EvaluationResult, evaluationResult } from '../../../src/index.ts';
import type { NullBand } from '../../../src/metrics/calibration/null-band.ts';
import { buildFigures } from '../../../src/metrics/figures.ts';
import { calibrationFloor } from '../../../src/reports/charts/calibration-floor.ts';
import { reliabilityDiagram } from '../../../src/reports/charts/reliability-diagram.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { chart, document, heading, picture, QUIET, text } from './picture.ts';

/** How often each confidence is stated: few values, and high ones, as language models do. */
const STATED = [
  [0.55, 16],
  [0.65, 24],
  [0.75, 36],
  [0.85, 52],
  [0.95, 72],
] as const;

const PANELS = [
  { name: 'well calibrated', surerThanRight: 0, seed: 20 },
  { name: 'overconfident', surerThanRight: 0.16, seed: 20 },
];

/** Two models that state the same confidences; only of one are they true. */
export function reliability(): string {
  return picture({
    title: 'Does 90 % sure mean right in 90 of 100 cases?',
    height: 656,
    parts: PANELS.map((panel, i) => drawn(20 + i * 370, panel)),
  });
}

function drawn(x: number, { name, surerThanRight, seed }: (typeof PANELS)[number]): string {
  const rows = answers(surerThanRight, seed);
  const score = expectedCalibrationError().compute(rows);
  const band = score.details.null_band as NullBand;
  const error = score.value!;
  const within = error <= band.null_p95;
  const floor = {
    error,
    interval: score.interval,
    chanceMean: band.null_mean,
    chanceUpTo: band.null_p95,
  };
  return [
    heading(x, 62, `A model that is ${name}`),
    chart(reliabilityDiagram([{ name, figures: buildFigures(buildTable(rows)) }], document), x, 72, 350),
    heading(
      x,
      516,
      `ECE ${error.toFixed(3)}: ${within ? 'within the noise floor' : 'above the noise floor'}`,
    ),
    chart(calibrationFloor(floor, document), x, 524, 350),
    text(x, 636, `${rows.length} answers; chance alone gives up to ${band.null_p95.toFixed(3)}`, {
      fill: QUIET,
    }),
  ].join('\n');
}

/** Answers that are right as often as they say, less a little. */
function answers(surerThanRight: number, seed: number): EvaluationResult[] {
  const random = createRandom(seed);
  return STATED.flatMap(([confidence, count]) =>
    Array.from({ length: count }, () => {
      const right = random.float() < confidence - surerThanRight;
      return evaluationResult({ groundTruth: 'yes', prediction: right ? 'yes' : 'no', confidence });
    }),
  );
}
