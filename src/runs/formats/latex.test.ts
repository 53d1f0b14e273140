import { describe, expect, it } from 'vitest';
import { HOSTILE, smallResult } from '../../../test/report-fixture.ts';
import { REPORT_FORMAT_NAMES, renderReport } from '../report-formats.ts';
import { latexText, renderLatex } from './latex.ts';

const report = await smallResult();

describe('renderLatex', () => {
  it('has the headline numbers with interval and n', () => {
    const text = renderLatex(report);
    const { value, interval, nSuccesses } = report.card.scores.find(({ name }) => name === 'accuracy')!;
    const range = `${interval!.lower.toFixed(3)} to ${interval!.upper.toFixed(3)}`;
    expect(text).toContain(
      `\nAccuracy (over all cases) & ${value!.toFixed(3)} & ${range} & ${nSuccesses}/24 \\\\\n`,
    );
    expect(text).toMatch(/\\caption\{scripted on demo\/yes-no\. 95 \\% intervals: Wilson/);
    for (const row of text.match(/^.* \\\\$/gm)!) expect(row.split(/(?<!\\)&/)).toHaveLength(4);
  });

  it('lets no name become a command', () => {
    const text = renderLatex({ ...report, backendName: `\\input{x}${HOSTILE}` });
    expect(text).not.toContain('\\input');
    expect(text).not.toContain('\u001b');
    expect(latexText('a_b & 5 % ~ ^')).toBe('a\\_b \\& 5 \\% \\textasciitilde{} \\textasciicircum{}');
  });

  it('is one of the formats', async () => {
    expect(REPORT_FORMAT_NAMES).toContain('latex');
    expect(await renderReport(report, 'latex')).toBe(renderLatex(report));
  });
});
