import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { ledgerBar } from './ledger-bar.ts';

const { document } = parseHTML('<!doctype html><html></html>');

describe('ledgerBar', () => {
  it('gives each part its share of the width', () => {
    const svg = ledgerBar(
      [
        { name: 'right', count: 3, color: 'blue' },
        { name: 'none', count: 0, color: 'red' },
        { name: 'wrong', count: 1, color: 'green' },
      ],
      document,
    );
    const widths = [...svg.matchAll(/<rect[^>]*>/g)].map(([rect]) =>
      Number(/ width="([\d.]+)"/.exec(rect!)![1]),
    );
    expect(widths).toEqual([284.5, 94.5]);
    expect(svg).toContain('<title>How 4 cases ended</title>');
    expect(svg.replaceAll('&#160;', ' ')).toContain(
      'right 3 cases (75.0 %); none 0 cases (0.0 %); wrong 1 case (25.0 %).',
    );
  });

  it('draws nothing of no rows', () => {
    const svg = ledgerBar([{ name: 'right', count: 0, color: 'blue' }], document);
    expect(svg).not.toMatch(/<rect|NaN/);
  });
});
