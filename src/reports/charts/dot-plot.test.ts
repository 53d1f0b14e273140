import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { dotPlot } from './dot-plot.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const dot = (group: string, value: number | null, n = 40) => ({
  group,
  n,
  value,
  lower: value === null ? null : value - 0.1,
  upper: value === null ? null : value + 0.1,
});
const textsOf = (svg: string) =>
  [...parseHTML(`<html><body>${svg}</body></html>`).document.querySelectorAll('text')].map(
    ({ textContent }) => textContent,
  );

describe('dotPlot', () => {
  it('has a line for each group with its n, and one for all rows', () => {
    const dots = [dot('female', 0.7), dot('male', 0.6, 1200)];
    const svg = dotPlot({ title: 'Accuracy', dots, overall: 0.65 }, document);
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining(['female', 'male', 'n = 40', 'n = 1,200', 'all 0.650', 'Accuracy']),
    );
    expect(svg).toContain(
      '<desc>female: 0.700 (0.600 to 0.800), 40 cases; male: 0.600 (0.500 to 0.700), 1,200 cases. All cases: 0.650.</desc>',
    );
  });

  it('says value, interval and n of a group to who points at it', () => {
    const svg = dotPlot({ title: 'Accuracy', dots: [dot('female', 0.7)], overall: null }, document);
    const { document: page } = parseHTML(`<html><body>${svg}</body></html>`);
    const title = page.querySelector('circle title');
    expect(title?.textContent).toBe('female: 0.700 (0.600 to 0.800), 40 cases');
  });

  it('breaks a long name into two lines', () => {
    const dots = [dot('Answered, should have deferred (per case)', 0.5)];
    const svg = dotPlot({ title: 'Difference', dots, overall: null }, document);
    const { document: page } = parseHTML(`<html><body>${svg}</body></html>`);
    const lines = [...page.querySelectorAll('tspan')].map(({ textContent }) => textContent);
    expect(lines).toEqual(['Answered, should have', 'deferred (per case)']);
  });

  it('keeps the line of a group without a value', () => {
    const svg = dotPlot({ title: 'Accuracy', dots: [dot('few', null, 3)], overall: null }, document);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['few', 'no value', 'n = 3']));
    expect(svg).not.toMatch(/NaN|null/);
  });

  it('does not put two long names that begin alike on one line', () => {
    const dots = ['x', 'y'].map((end) => dot(`a name that is longer than its room ${end}`, 0.5));
    const svg = dotPlot({ title: 'Accuracy', dots, overall: null }, document);
    expect(svg.match(/<circle/g)).toHaveLength(2);
    const heights = [...svg.matchAll(/<circle[^>]* cy="([\d.]+)"/g)].map(([, y]) => y);
    expect(new Set(heights).size).toBe(2);
  });

  it.each([
    ['the upper half', 0.7, '0.5'],
    ['the whole', 0.55, '0.0'],
    ['the lower half', 0.3, '0.0'],
  ])('shows %s of the scale', (_, value, first) => {
    const svg = dotPlot({ title: 'Accuracy', dots: [dot('a', value)], overall: null }, document);
    expect(textsOf(svg)[0]).toBe(first);
    expect(textsOf(svg).includes('1.0')).toBe(value > 0.3);
  });
});
