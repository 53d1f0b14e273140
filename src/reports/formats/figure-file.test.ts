import { Resvg } from '@resvg/resvg-js';
import { parseHTML } from 'linkedom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Chart } from '../charts/chart.ts';
import { drawFigure } from './figure-file.ts';

const HOSTILE = '<script>alert(1)</script> & "quoted" \u0007 ]]> –';
const dots: Chart = {
  chart: 'dots',
  data: {
    title: 'share of the cases',
    dots: [{ group: HOSTILE, n: 20, n_successes: 5, value: 0.25, lower: 0.1, upper: 0.4 }],
    overall: null,
    isRoomy: true,
  },
};
const confusion: Chart = {
  chart: 'confusion',
  data: {
    truths: ['yes', 'no'],
    answers: ['yes', 'no', 'abstained', 'invalid'],
    counts: [
      [3, 1, 0, 0],
      [0, 7, 1, 0],
    ],
  },
};

afterEach(() => {
  vi.doUnmock('@resvg/resvg-js');
  vi.resetModules();
});

describe('drawFigure', () => {
  it('escapes names, and needs no page for its colours', async () => {
    const svg = String(await drawFigure(dots, 'svg'));
    expect(svg).not.toMatch(/<script|var\(|currentColor/);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    // A strict reader of XML accepts it.
    expect(new Resvg(svg).width).toBeGreaterThan(300);
    expect(() => new Resvg(svg.replace('</svg>', ''))).toThrow();
  });

  it('is as wide as a name needs', async () => {
    const narrow = String(await drawFigure({ ...dots, data: { ...dots.data, isRoomy: false } }, 'svg'));
    const widthOf = (svg: string) => new Resvg(svg).width;
    expect(widthOf(narrow)).toBe(380);
    expect(widthOf(String(await drawFigure(dots, 'svg')))).toBeGreaterThan(400);
    expect(narrow).toContain('…');
  });

  it('has every count of a confusion matrix, and frames what is right', async () => {
    const { document } = parseHTML(String(await drawFigure(confusion, 'svg')));
    const texts = [...document.querySelectorAll('text')].map(({ textContent }) => textContent);
    expect(texts).toEqual(expect.arrayContaining(['3', '1', '0', '7', 'abstained', 'truth', 'answer']));
    expect(document.querySelectorAll('g[fill="none"] rect')).toHaveLength(2);
    expect(document.querySelector('desc')!.textContent).toContain(
      'yes: yes 3 cases (75.0\u00a0%), no 1 case',
    );
  });

  it('draws PNG at four times the size', async () => {
    const png = Buffer.from((await drawFigure(confusion, 'png')) as Uint8Array);
    const svg = String(await drawFigure(confusion, 'svg'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(4 * new Resvg(svg).width);
  });

  it('says which package is missing, and what works without it', async () => {
    vi.doMock('@resvg/resvg-js', () => {
      throw new Error('not installed');
    });
    vi.resetModules();
    const { drawFigure: draw } = await import('./figure-file.ts');
    await expect(draw(dots, 'png')).rejects.toMatchObject({
      code: 'ERR_PACKAGE_MISSING',
      message: expect.stringContaining('npm install @resvg/resvg-js@2, or write SVG: --format svg'),
    });
    expect(String(await draw(dots, 'svg'))).toContain('<svg');
  });
});
