import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { Figure } from '../document/document.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { renderText } from '../formats/text.ts';
import { flow } from './flow.ts';

const labelled = rows.map((row, i) => ({
  ...row,
  metadata: {
    ...row.metadata,
    ...(i % 5 === 0 && { should_abstain_reasons: i % 10 === 0 ? ['near_line'] : ['child', 'near_line'] }),
    ...(i % 5 === 4 && { should_abstain: null }),
  },
}));
const failed = evaluationResult({
  id: 'f',
  groundTruth: 'G1',
  state: 'failed',
  stateReason: 'timeout',
  metadata: { should_abstain: false },
});
const report = reportOf({}, [...labelled, failed]);
const section = flow(report);
const { data, chart } = section.blocks[0] as Figure;
const cells = new Map(
  data.groups[0]!.rows.map(([name, ...own]) => [String(name).replace(/^[· ]+/, ''), own.map(Number)]),
);
const total = (...names: readonly string[]) =>
  names.map((name) => cells.get(name)!).reduce((sum, own) => sum.map((n, i) => n + own[i]!));

describe('flow section', () => {
  it('lists steps whose numbers add up', () => {
    expect(data.columns.map(({ title }) => title)).toEqual([
      'step',
      'n',
      'answered',
      'abstained',
      'invalid',
      'failed',
    ]);
    expect(cells.get('in the run')).toEqual([41, 31, 8, 1, 1]);
    expect(total('must answer', 'grey zone', 'must defer')).toEqual(cells.get('in the run'));
    expect(total('near line', 'several reasons')).toEqual(cells.get('must defer'));
    expect(cells.get('records read')![0]).toBe(
      cells.get('to learn from')![0]! + cells.get('to evaluate')![0]!,
    );
  });

  it('is a figure with a text alternative in HTML', () => {
    const markup = htmlOf(section.blocks);
    expect(markup).toContain('role="img"');
    expect(markup).toMatch(
      /<desc>records read: 51; to learn from: 10; to evaluate: 41; in the run: 41 \(answered 31, abstained 8, invalid 1, failed 1\); must answer: 25/,
    );
    expect(markup).toContain('must answer</text>');
    expect(chart.chart).toBe('flow');
  });

  it('is a table of at most 80 columns in text, and a table in Markdown', () => {
    const text = renderText({ summary: ['x'], sections: [section] });
    const lines = text.split('\n').filter((line) => /(\d|-)$/.test(line));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const markdown = renderMarkdown({
      title: 'x',
      summary: [],
      badges: [],
      facts: [],
      warnings: [],
      sections: [section],
      footer: '',
    });
    expect(markdown).toMatch(/^\| · · · must defer \| 8 \| 0 \| 8 \| 0 \| 0 \|$/m);
  });

  it('shows refusals and records that never ran only where they occur', () => {
    const more = [
      ...labelled,
      evaluationResult({ groundTruth: 'G1', state: 'refused' }),
      evaluationResult({ groundTruth: 'G1', state: 'not_run' }),
    ];
    const { data: shown } = flow(reportOf({}, more)).blocks[0] as Figure;
    expect(shown.columns.map(({ title }) => title)).toEqual([
      'step',
      'n',
      'answered',
      'abstained',
      'invalid',
      'refused',
      'failed',
      'not run',
    ]);
  });

  it('has no branches without deferral labels, and says so without rows', () => {
    const plain = rows.map((row) => ({ ...row, metadata: {} }));
    const { data: shown } = flow(reportOf({}, plain)).blocks[0] as Figure;
    expect(shown.groups[0]!.rows.at(-1)![0]).toBe('· · in the run');
    expect(htmlOf(flow(reportOf({}, plain)).blocks)).toContain('40 no deferral label');
    expect(htmlOf(flow(reportOf({ flow: null })).blocks)).toContain('came without rows');
  });
});
