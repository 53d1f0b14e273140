import * as Plot from '@observablehq/plot';
import { axisBelow } from './axes.ts';
import { decimals } from './number-text.ts';
import { CONTROL, FAINT, SHADE, SMALL, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

interface CalibrationFloor {
  readonly error: number;
  /** What a perfectly calibrated model would show by chance: its mean and 95th percentile. */
  readonly chanceMean: number;
  readonly chanceUpTo: number;
}

/** The calibration error against what chance alone gives: inside the band it cannot be distinguished from perfect calibration. */
export function calibrationFloor(
  { error, chanceMean, chanceUpTo }: CalibrationFloor,
  document: ChartDocument,
): string {
  const { color } = seriesStyle(0);
  const top = Math.max(0.05, error, chanceUpTo) * 1.1;
  return svgChart(document, {
    title: 'Calibration error against chance',
    description: `The calibration error is ${decimals(error)}. A perfectly calibrated model with the same confidences would show ${decimals(chanceMean)} on average by chance, and up to ${decimals(chanceUpTo)} in 95 of 100 cases.`,
    height: 104,
    marginTop: 22,
    x: { domain: [0, top] },
    y: { domain: [0, 1], axis: null },
    marks: [
      Plot.rect([0], { x1: 0, x2: chanceUpTo, y1: 0, y2: 1, fill: SHADE, stroke: FAINT }),
      Plot.ruleX([chanceMean], CONTROL),
      Plot.text(['chance alone'], { ...SMALL, x: 0, frameAnchor: 'top', textAnchor: 'start', dy: -10 }),
      axisBelow('expected calibration error', null),
      Plot.dot([error], { x: error, y: 0.5, fill: color, r: 5 }),
    ],
  });
}
