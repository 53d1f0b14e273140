import { expect } from 'vitest';
import type { Chart } from '../src/reports/charts/chart.ts';
import type { Block, Section } from '../src/reports/document/document.ts';
import type { RunPayload } from '../src/viewer/api.ts';

type ChartData = { readonly [Name in Chart['chart']]?: Extract<Chart, { chart: Name }>['data'] };

/** The data of the charts in sections, by the name of the chart; of several of one name, the last. */
export function chartsOf(sections: readonly Section[]): ChartData {
  const charts = sections.flatMap(({ blocks }) => blocks.flatMap(chartsIn));
  return Object.fromEntries(charts.map(({ chart, data }) => [chart, data]));
}

function chartsIn(block: Block): readonly Chart[] {
  if (block.kind === 'figure') return [block.chart];
  return block.kind === 'columns' || block.kind === 'details' ? block.blocks.flatMap(chartsIn) : [];
}

/** The payload of a run whose rows were counted, as the page gets it from a report that the run file stores: the report says so. */
export function asStored(payload: RunPayload): RunPayload {
  const text = JSON.stringify(payload);
  const stored = text.replace('"computed from the rows"', '"as the end of the run stored them"');
  expect(stored).not.toBe(text);
  return JSON.parse(stored);
}
