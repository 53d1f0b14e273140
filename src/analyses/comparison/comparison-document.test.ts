import { describe, expect, it } from 'vitest';
import { rowsFrom, runOf } from '../../../test/compare-fixture.ts';
import { HOSTILE } from '../../../test/report-fixture.ts';
import { renderComparison } from '../../runs/report-formats.ts';
import type { ReportOptions } from '../../runs/report-options.ts';
import { compareRuns } from './compare-runs.ts';
import type { Comparison } from './comparison.ts';

const primaryEndpoint = { metric: 'accuracy', arm: 'natural', why: 'a demonstration' };
const first = runOf(rowsFrom('+-o!+-'.repeat(10)), { backendName: 'first', primaryEndpoint });
const second = runOf(rowsFrom('++-+x-'.repeat(10)), { backendName: HOSTILE, primaryEndpoint });
const published = runOf([], {
  backendName: 'published',
  suiteHash: null,
  figures: null,
  imported: { format: 'python_metrics', source: 'p.json', sha256: 'ab', hasRows: false },
});
const reports = [first, second, published];
const comparison = compareRuns(reports, { resamples: 100 });
const compareText = (of: Comparison) => renderComparison(of, 'text', { width: 1000 });
const compareHtml = (of: Comparison, given: ReportOptions['reports'], more: ReportOptions = {}) =>
  renderComparison(of, 'html', { reports: given, ...more });
const verdicts = [{ text: 'second: accuracy > 0.9', status: 'fail' as const, message: 'accuracy is 0.5' }];

describe('a comparison as text', async () => {
  const text = await compareText(comparison);

  it('has a table of models, each pair in words, and the flips', () => {
    expect(text).toContain('3 models');
    expect(text).toMatch(/^ {2}first +60 .*0\.\d{3} \(/m);
    expect(text).toContain('published (imported, no cases)');
    expect(text).toContain('50 cases scored in both runs; left out: 10 failed in the model');
    expect(text).toMatch(
      /Accuracy \(over all cases\) \(primary endpoint\) +50 +0\.200 +0\.600 .*higher: \+40\.0 points/,
    );
    expect(text).toContain('Only first is right: 0 of 50 (0.0 %)');
    expect(text).toContain('score interval (Tango) for paired shares');
    expect(text).toMatch(/is right: 20 of 50 \(40\.0 %\)\ncase +truth +first +/);
    expect(text).toContain('published is in the table only');
  });

  it('lists no more than twenty flips of a kind', async () => {
    const runs = ['-', '+'].map((letter) => runOf(rowsFrom(letter.repeat(30)), { primaryEndpoint }));
    const many = compareRuns(runs, { resamples: 10 });
    expect(await compareText(many)).toContain('and 10 more: the JSON report has all of them');
  });

  it('lets nothing through to the terminal', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(text.replace(/\u001b\[\d+m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(text).not.toMatch(/^forged/m);
  });

  it('says so when nothing can be paired', async () => {
    expect(await compareText(compareRuns([first, published]))).toContain('No two runs can be paired');
  });
});

it('refuses a format that has no comparisons', async () => {
  await expect(renderComparison(comparison, 'junit')).rejects.toMatchObject({
    code: 'ERR_FORMAT_NOT_AVAILABLE',
    value: 'junit',
  });
});

describe('a comparison as Markdown', async () => {
  const text = await renderComparison(comparison, 'md', { verdicts });

  it('has the columns of a table of models', () => {
    for (const column of [
      'decision accuracy',
      'accuracy',
      'balanced accuracy',
      'selective accuracy',
      'abstention',
      'usable answers',
      'deferral alignment',
      'ECE',
      'AUGRC',
      'elapsed (s)',
      'tokens',
      'n',
    ])
      expect(text.split('\n').find((line) => line.startsWith('| model'))).toContain(`| ${column} |`);
  });

  it('has tables whose lines have as many cells as their heads', () => {
    const cells = text
      .split('\n')
      .map((line) => (line.startsWith('|') ? line.replaceAll('\\|', '').split('|').length : 0));
    cells.forEach((n, i) => {
      if (n > 0 && cells[i - 1]! > 0) expect(n).toBe(cells[i - 1]);
    });
  });

  it('holds the conditions, and no markup of others', () => {
    expect(text).toContain('- **fail** second: accuracy \\> 0.9: accuracy is 0.5');
    expect(text).not.toContain('<b>');
  });
});

describe('the baselines of the suite', () => {
  const scores = { decision_accuracy: { value: 0.9, lower: 0.8, upper: 0.95, n: 90 } };
  const baselines = [{ model: 'baseline/guideline', n: 100, scores }];
  const textOf = (of: Comparison) =>
    renderComparison(of, 'text', {
      reports: [first, second].map((run) => ({ ...run, baselines })),
      width: 1000,
    });

  it('are lines to read the models against', async () => {
    expect(await textOf(compareRuns([first, second], { resamples: 10 }))).toMatch(
      /Baselines of the suite +Decision Accuracy\n {2}guideline +0\.900 \(n = 90\)/,
    );
  });

  it('are left out where the suites differ', async () => {
    const other = { ...second, suiteHash: 'other' };
    const both = compareRuns([first, other], { resamples: 10, allowDifferentSuites: true });
    expect(await textOf(both)).not.toContain('Baselines of the suite');
  });
});

describe('a comparison as JSON', () => {
  it('is one object with every flip, and gates only where there are some', async () => {
    const object = JSON.parse(await renderComparison(comparison, 'json', { verdicts }));
    expect(object.gates).toEqual(verdicts);
    expect(object.comparisons[0].flips.only_model_right).toHaveLength(20);
    expect(JSON.parse(await renderComparison(comparison, 'json'))).not.toHaveProperty('gates');
  });
});

describe('a comparison as HTML', () => {
  it('overlays the charts, escapes what it is given, and is the same every time', async () => {
    const page = await compareHtml(comparison, reports, { verdicts });
    expect(page).toBe(await compareHtml(comparison, reports, { verdicts }));
    expect(page).toContain('Reliability diagram: share of right answers by stated confidence, 2 series');
    expect(page).toContain('Risk-coverage curves of 2 series');
    expect(page).toContain('Not drawn, because there are no cases or no confidences: published');
    expect(page).not.toContain('<b>');
    expect(page).not.toContain('<script');
    expect(page).not.toMatch(/(src|href)="(?!#)/);
    for (const id of ['models', 'gates', 'pair-1', 'charts', 'method']) expect(page).toContain(`id="${id}"`);
  });

  it('never draws curves of different records in one chart, and says why', async () => {
    const runs = [first, second, { ...first, backendName: 'third', suiteHash: 'other' }];
    const page = await compareHtml(compareRuns(runs, { resamples: 10, allowDifferentSuites: true }), runs);
    expect(page.match(/Risk-coverage curve(s of \d series)?:/g)).toEqual([
      'Risk-coverage curves of 2 series:',
      'Risk-coverage curve:',
    ]);
    expect(page).not.toContain('of 3 series');
    expect(page).toContain('Drawn in 2 charts, because the runs have different cases of ckd/staging.');
    expect(page).toMatch(/third \(ckd\/staging, \d+ cases\)/);
    expect(page).not.toContain('different suites');
  });

  it('shares flips by the records with a verdict, and says how many are paired', async () => {
    const rows = (word: string) => rowsFrom(word).map((row, i) => (i < 4 ? row : { ...row, metadata: {} }));
    const endpoint = { ...primaryEndpoint, metric: 'decision_accuracy' };
    const runs = ['+o+o++++', '-o+o----'].map((word, i) =>
      runOf(rows(word), { backendName: `m${i}`, primaryEndpoint: endpoint }),
    );
    const text = await compareText(compareRuns(runs, { resamples: 10 }));
    expect(text).toContain('8 cases scored in both runs, 4 of them with a verdict by decision accuracy');
    expect(text).toContain('Only m0 is right: 1 of 4 (25.0 %)');
  });

  it('can do without any chart', async () => {
    const silent = [runOf(rowsFrom('oo')), runOf(rowsFrom('oo'))];
    expect(await compareHtml(compareRuns(silent, { resamples: 10 }), silent)).toContain('Not drawn');
  });
});

it('is refused in a format without comparisons', async () => {
  await expect(renderComparison(comparison, 'junit')).rejects.toMatchObject({
    code: 'ERR_FORMAT_NOT_AVAILABLE',
  });
});
