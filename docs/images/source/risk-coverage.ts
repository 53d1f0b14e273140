import { augrc, aurocConfidence } from '../../../src/entries/metrics.ts';
import { buildTable } from '../../../src/index.ts';
import { buildFigures } from '../../../src/metrics/figures.ts';
import { riskCoverageChart } from '../../../src/reports/charts/risk-coverage.ts';
import { chart, document, heading, picture, text } from './picture.ts';
import { scoreOf, times } from './rows.ts';

const CONFIDENCES = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6];
const ANSWERS = [30, 30, 25, 25, 20, 15, 15, 10];
const ABSTAINED = 30;

/** Wrong answers at each confidence: 34 of 170 both times. */
const PANELS = [
  { title: 'Its confidence tells right from wrong', name: 'model E', wrong: [0, 1, 2, 4, 6, 7, 8, 6] },
  { title: 'Its confidence tells nothing', name: 'model F', wrong: [6, 6, 5, 5, 4, 3, 3, 2] },
];

/** Two models, equally often right, of which only one knows what to doubt. */
export function riskCoverageCurves(): string {
  return picture({
    title: 'Two models, both wrong in 20 % of their answers',
    height: 468,
    parts: PANELS.map((panel, i) => drawn(20 + i * 370, panel)),
  });
}

function drawn(x: number, { title, name, wrong }: (typeof PANELS)[number]): string {
  const rows = [
    ...CONFIDENCES.flatMap((confidence, i) => [
      ...times(ANSWERS[i]! - wrong[i]!, { groundTruth: 'yes', prediction: 'yes', confidence }),
      ...times(wrong[i]!, { groundTruth: 'yes', prediction: 'no', confidence }),
    ]),
    ...times(ABSTAINED, { groundTruth: 'yes', abstained: true }),
  ];
  const scores = [augrc(), aurocConfidence()].map(
    (metric) => `${metric.name} ${scoreOf(metric, rows).toFixed(3)}`,
  );
  return [
    heading(x, 62, title),
    chart(riskCoverageChart([{ name, figures: buildFigures(buildTable(rows)) }], document), x, 70, 350),
    text(x, 450, scores.join(' · ')),
  ].join('\n');
}
