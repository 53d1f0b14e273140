import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import type { Figures } from '../../metrics/figures.ts';
import { groups } from './groups.ts';

const textOf = (report: ReturnType<typeof reportOf>) => htmlOf(groups(report).blocks);

describe('groups', () => {
  it('draws every measure of every kind of group, with the data below', () => {
    const text = textOf(reportOf());
    expect([...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => title)).toEqual([
      'By right answer',
      'By sex, as recorded with each case',
    ]);
    expect(text.match(/<svg/g)!.length).toBe(text.match(/<details>/g)!.length);
    expect(text).toContain('No gap is stated: fewer than two groups have 30 cases.');
  });

  it('says the gap, the lowest group, and each against the rest', () => {
    const text = textOf(reportOf({}, [...rows, ...rows]));
    expect(text).toMatch(/Gap 0\.\d{3}; lowest: (fe)?male\./);
    expect(text).toMatch(/[+-]0\.\d{3} \([+-]0\.\d{3} to [+-]0\.\d{3}\)/);
  });

  it('gives the reason where a group has no value', () => {
    const few = rows.map((row, i) => ({ ...row, metadata: { site: i < 3 ? 'small' : 'large' } }));
    expect(textOf(reportOf({}, few, { groupBy: ['site'], resamples: 0 }))).toContain(
      'no value: too few cases of this group count for it',
    );
  });

  it('does not call a group small that has no deferral labels', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: { site: 'large' } }));
    const text = textOf(reportOf({}, unlabelled, { groupBy: ['site'], resamples: 0 }));
    expect(text).toContain('no value: no deferral labels');
    expect(text).not.toContain('too few');
  });

  it('draws and lists only so many groups, and says how many there are', () => {
    const many = rows.flatMap((row, i) =>
      Array.from({ length: 10 }, (_, j) => ({ ...row, metadata: { site: `site ${i}-${j}` } })),
    );
    const text = textOf(reportOf({}, many, { groupBy: ['site'], resamples: 0 }));
    expect(text).toContain(
      'The first 24 of 400 groups are drawn. The table lists 200; the JSON report has all of them.',
    );
  });

  it('draws a group once that is both stratum and subgroup', () => {
    const { figures } = reportOf();
    const doubled: Figures = { ...figures!, dots: [...figures!.dots, ...figures!.dots] };
    expect(textOf(reportOf({ figures: doubled }))).toBe(textOf(reportOf()));
  });

  it('says so when there is nothing to compare', () => {
    const { figures } = reportOf();
    expect(textOf(reportOf({ figures: { ...figures!, dots: [] } }))).toContain(
      'No strata, classes or subgroups',
    );
  });
});
