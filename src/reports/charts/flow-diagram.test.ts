import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { flowDiagram } from './flow-diagram.ts';

const { document } = parseHTML('<!doctype html><html></html>');
const diagram = {
  description: 'all of it in words',
  steps: [
    {
      main: ['1,040 records generated'],
      aside: ['30 left out: course between definitions', '10 to learn from'],
    },
    { main: ['1,000 asked'], aside: [] },
  ],
  branches: [
    { head: ['600 must answer'], ends: ['590 answered', '10 abstained'] },
    { head: ['100 grey zone'], ends: ['100 answered', '0 abstained'] },
    {
      head: ['300 must defer', '· 300 change inside reference change value'],
      ends: ['40 answered', '260 abstained'],
    },
  ],
};
const svgOf = (of = diagram) =>
  parseHTML(`<html><body>${flowDiagram(of, document)}</body></html>`).document.querySelector('svg')!;
const textsOf = (svg: ReturnType<typeof svgOf>) =>
  [...svg.querySelectorAll('text')].map(({ textContent }) => textContent!);

describe('flowDiagram', () => {
  it('has a text alternative, a box for each step and each branch, and what was left behind', () => {
    const svg = svgOf();
    expect(svg.getAttribute('role')).toBe('img');
    expect(svg.querySelector('desc')!.textContent).toBe('all of it in words');
    expect(svg.querySelectorAll('rect')).toHaveLength(2 + 1 + 2 * 3);
    expect(textsOf(svg)).toEqual(
      expect.arrayContaining(['600 must answer', '590 answered', '10 to learn from']),
    );
  });

  it('breaks long lines between words, and keeps all of them inside the frame', () => {
    const svg = svgOf();
    const texts = textsOf(svg).map((text) => text.trim());
    expect(texts.join(' ')).toContain('· 300 change inside reference change value');
    expect(texts.join(' ')).toContain('30 left out: course between definitions');
    const [, , width, height] = svg.getAttribute('viewBox')!.split(' ').map(Number);
    for (const box of svg.querySelectorAll('rect')) {
      const at = (name: string) => Number(box.getAttribute(name));
      expect(at('x') + at('width')).toBeLessThanOrEqual(width!);
      expect(at('y') + at('height')).toBeLessThanOrEqual(height!);
    }
  });

  it('cuts a single word that no box could hold', () => {
    const long = { ...diagram, branches: [{ head: ['x'.repeat(200)], ends: ['1 answered'] }] };
    expect(textsOf(svgOf(long)).some((text) => text.endsWith('x…'))).toBe(true);
  });

  it('is the same every time', () => {
    expect(flowDiagram(diagram, document)).toBe(flowDiagram(diagram, document));
  });
});
