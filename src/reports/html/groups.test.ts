import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import type { Figures } from '../../metrics/figures.ts';
import { groupCharts } from './groups.ts';
import { markupText } from './html.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const textOf = ({ figures, card }: ReturnType<typeof reportOf>) =>
  markupText(groupCharts(figures!, card, document));

describe('groupCharts', () => {
  it('draws every measure of every kind of group, with the data below', () => {
    const text = textOf(reportOf());
    expect([...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title)).toEqual([
      'By true class',
      'By sex',
    ]);
    expect(text.match(/<svg/g)!.length).toBe(text.match(/<details>/g)!.length);
    expect(text).toContain('No gap is stated: fewer than two groups have 30 rows.');
  });

  it('says the gap, the lowest group, and each against the rest', () => {
    const text = textOf(reportOf({}, [...rows, ...rows]));
    expect(text).toMatch(/Gap 0\.\d{3}; lowest: (fe)?male\./);
    expect(text).toMatch(/[+-]0\.\d{3} \([+-]0\.\d{3} to [+-]0\.\d{3}\)/);
  });

  it('gives the reason where a group has no value', () => {
    const few = rows.map((row, i) => ({ ...row, metadata: { site: i < 3 ? 'small' : 'large' } }));
    expect(textOf(reportOf({}, few, { groupBy: ['site'], resamples: 0 }))).toContain(
      'no value: group too small',
    );
  });

  it('draws and lists only so many groups, and says how many there are', () => {
    const many = rows.flatMap((row, i) =>
      Array.from({ length: 10 }, (_, j) => ({ ...row, metadata: { site: `site ${i}-${j}` } })),
    );
    const text = textOf(reportOf({}, many, { groupBy: ['site'], resamples: 0 }));
    expect(text).toContain(
      'The first 24 of 400 groups are drawn. The table lists 200; the JSON report has all.',
    );
  });

  it('draws a group once that is there as stage and as subgroup', () => {
    const { figures, card } = reportOf();
    const doubled: Figures = { ...figures!, dots: [...figures!.dots, ...figures!.dots] };
    expect(markupText(groupCharts(doubled, card, document))).toBe(textOf(reportOf()));
  });

  it('says so when there is nothing to compare', () => {
    const { figures, card } = reportOf();
    expect(markupText(groupCharts({ ...figures!, dots: [] }, card, document))).toContain(
      'No stages, classes or subgroups',
    );
  });
});
