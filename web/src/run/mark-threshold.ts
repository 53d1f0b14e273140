import { type Block, decimals } from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';

/** Sections with the chosen threshold among the rules of the risk-coverage chart: the point of the curve at it, or the next stricter one. */
export function markThreshold(
  sections: RunPayload['sections'],
  { confidence_steps: steps }: Pick<RunPayload, 'confidence_steps'>,
  wanted: string | null,
): RunPayload['sections'] {
  const step = steps[stepAt(steps, wanted)];
  return step === undefined
    ? sections
    : sections.map((section) =>
        section.id === 'risk-coverage'
          ? { ...section, blocks: section.blocks.map((block) => markBlock(block, step.threshold)) }
          : section,
      );
}

function markBlock(block: Block, threshold: number): Block {
  if (block.kind !== 'figure' || block.chart.chart !== 'riskCoverage') return block;
  const data = block.chart.data.map((series) => {
    const { points } = series.figures.riskCoverage;
    const point = points.findLast((one) => one.threshold >= threshold) ?? points[0];
    if (point === undefined) return series;
    const { coverage, selective_risk: risk } = point;
    const name = `chosen threshold ${decimals(threshold, 3)}`;
    return { ...series, references: [...(series.references ?? []), { name, coverage, risk }] };
  });
  return { ...block, chart: { chart: 'riskCoverage', data } };
}

/** The step of a threshold in the address. Without one, all answers are accepted; a number between two steps selects the stricter. */
function stepAt(steps: RunPayload['confidence_steps'], threshold: string | null): number {
  const last = steps.length - 1;
  if (threshold === null || !Number.isFinite(Number(threshold))) return last;
  const place = steps.findLastIndex((step) => step.threshold >= Number(threshold));
  return Math.max(0, place);
}
