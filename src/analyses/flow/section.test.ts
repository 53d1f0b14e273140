import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { Figure } from '../../reports/document/document.ts';
import { renderMarkdown } from '../../reports/formats/markdown.ts';
import { renderText } from '../../reports/formats/text.ts';
import { flow } from './section.ts';

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
const total = (...names: readonly string[]) => [names.reduce((sum, name) => sum + cells.get(name)![0]!, 0)];

describe('flow section', () => {
  it('lists steps whose numbers add up', () => {
    expect(data.columns.map(({ title }) => title)).toEqual(['step', 'n']);
    expect(cells.get('in the run')).toEqual([41]);
    expect(total('can answer', 'either is defensible', 'should defer')).toEqual([41]);
    expect(total('reason: near line', 'reason: several reasons')).toEqual(cells.get('should defer'));
    expect(cells.get('rightly deferred')).toEqual(cells.get('should defer'));
    expect(cells.get('failed call')).toEqual([1]);
    expect(cells.get('cases read')![0]).toBe(cells.get('to learn from')![0]! + cells.get('to evaluate')![0]!);
  });

  it('is a figure with a text alternative in HTML', () => {
    const markup = htmlOf(section.blocks);
    expect(markup).toContain('role="img"');
    expect(markup).toMatch(
      /<desc>cases read: 51; to learn from: 10; to evaluate: 41; in the run: 41; should defer: 8; .*rightly deferred: 8; can answer: 25; /,
    );
    expect(markup).toContain('can answer: 25</text>');
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
    expect(markdown).toMatch(/^\| · · · should defer \| 8 \|$/m);
  });

  it('names emergencies and records that never ran only where they occur', () => {
    const metadata = { must_act: true };
    const more = [
      ...labelled,
      evaluationResult({ groundTruth: 'G1', state: 'refused', metadata }),
      evaluationResult({ groundTruth: 'G1', state: 'not_run' }),
    ];
    const namesIn = (figure: Figure) =>
      figure.data.groups[0]!.rows.map(([name]) => String(name).replace(/^[· ]+/, ''));
    const shown = namesIn(flow(reportOf({}, more)).blocks[0] as Figure);
    expect(shown).toEqual(expect.arrayContaining(['emergency', 'missed emergency', 'not run']));
    expect(namesIn(section.blocks[0] as Figure)).not.toContain('emergency');
  });

  it('does not call a case defensible where nothing is labelled, and says so without rows', () => {
    const plain = rows.map((row) => ({ ...row, metadata: {} }));
    expect(htmlOf(flow(reportOf({}, plain)).blocks)).toMatch(/no deferral label: 40/);
    expect(htmlOf(flow(reportOf({ flow: null })).blocks)).toContain('came without its cases');
  });
});
