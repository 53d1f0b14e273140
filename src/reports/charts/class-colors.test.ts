import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DECISION_CLASSES } from '../../core/browser.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const page = read('web/src/style/base.css');
const report = read('src/reports/formats/html/style.css');
const board = read('src/reports/charts/board.ts');
// A failed call has the colour of what was not measured.
const classes = DECISION_CLASSES.filter((name) => name !== 'failed').map((name) => name.replaceAll('_', '-'));

describe('the colour of a decision class', () => {
  it.each(classes)('%s is the same on the page, in the report and in a figure of its own', (name) => {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(page)!;
    const inReport = [...report.matchAll(new RegExp(`--${name}: (#\\w+);`, 'g'))].map(([, color]) => color);
    expect(inReport).toEqual([light, dark]);
    expect(board).toContain(`var(--${name}, ${light})`);
  });

  it('is written nowhere else', () => {
    const colors = [...page.matchAll(/--([a-z-]+): light-dark\((#\w+), /g)].flatMap(([, name, light]) =>
      classes.includes(name!) ? [light!] : [],
    );
    expect(colors).toHaveLength(classes.length);
    const others = ['ledger', 'scores', 'record-list', 'first-screen', 'frame'].map((name) =>
      read(`web/src/style/${name}.css`),
    );
    const charts = ['ledger-bar', 'series-style', 'dot-plot'].map((name) =>
      read(`src/reports/charts/${name}.ts`),
    );
    for (const text of [...others, ...charts, read('src/runs/sections/ledger.ts')])
      expect(colors.filter((color) => text.includes(color))).toEqual([]);
  });
});
