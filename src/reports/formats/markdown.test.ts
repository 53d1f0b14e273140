import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { HOSTILE, smallResult } from '../../../test/report-fixture.ts';
import { buildTable } from '../../metrics/columns.ts';
import { buildFigures } from '../../metrics/figures.ts';
import { scoreTable } from '../../metrics/score.ts';
import { runDocument } from '../../runs/run-document.ts';
import { inWords } from '../words.ts';
import { renderHtml } from './html/render-html.ts';
import { renderMarkdown } from './markdown.ts';

const report = await smallResult();
const markdownReport = (...args: Parameters<typeof runDocument>) => renderMarkdown(runDocument(...args));
const text = markdownReport(report);
/** The cells of the line after the rule of the first table. */
const tableAfter = (of: string, title: string) => {
  const lines = of.slice(of.indexOf(title)).split('\n');
  const head = lines.findIndex((line) => line.startsWith('| '));
  const end = lines.findIndex((line, i) => i > head && !line.startsWith('|'));
  return lines.slice(head, end).map((line) => line.slice(2, -2).split(' | '));
};

describe('renderMarkdown', () => {
  it('leads with harm, before how often the model was right', () => {
    const [, , ...rows] = tableAfter(text, '## Headline');
    expect(rows.map(([name]) => name).slice(0, 7)).toEqual([
      'Silent in Emergencies',
      'Right in Emergencies',
      'Unsafe Decisions',
      'Answered, Should Have Deferred',
      'Wrong Answers',
      'Deferred Without Need',
      'Accuracy (over all cases)',
    ]);
    const first = text.indexOf('**Missed 1 of 1 emergencies: 1 deferred.**');
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(text.indexOf('## Headline'));
  });

  it('has the line for a table of models', () => {
    const [titles, , row] = tableAfter(text, 'The row for a table of models');
    const [lead, rest] = [titles!.slice(0, titles!.indexOf('n')), titles!.slice(titles!.indexOf('n'))];
    expect(lead).toEqual([
      'model',
      'silent in emergencies',
      'right in emergencies',
      'unsafe decisions',
      'answered, should have deferred',
      'wrong answers',
      'deferred without need',
    ]);
    expect(rest).toEqual([
      'n',
      'decision accuracy',
      'clear cases',
      'answerable accuracy',
      'balanced accuracy',
      'answerable selective accuracy',
      'abstention',
      'answer rate',
      'usable answers',
      'deferral alignment',
      'ECE',
      'AUGRC',
      'elapsed (s)',
      'tokens',
    ]);
    const { value, interval } = report.card.scores.find(({ name }) => name === 'answerable_accuracy')!;
    expect(row![titles!.indexOf('answerable accuracy')]).toBe(
      `${value!.toFixed(3)} (${interval!.lower.toFixed(3)} to ${interval!.upper.toFixed(3)})`,
    );
    expect([row![0], row![titles!.indexOf('n')], row!.at(-2), row!.at(-1)]).toEqual([
      'scripted',
      '24',
      '1.3',
      '96',
    ]);
  });

  it('has every metric, every class of the ledger, and the deferral table', () => {
    const all = text.slice(text.indexOf('## All metrics'), text.indexOf('## Execution'));
    const listed = report.card.scores.filter(({ facts }) => facts?.readBy === undefined);
    const missing = listed.filter(({ value, bounds }) => value === null && bounds === null);
    expect(all).toContain(`JSON also has ${report.card.scores.length - listed.length} metrics`);
    for (const score of listed) expect(all.includes(`\n| ${score.label} | `)).toBe(!missing.includes(score));
    expect(all).toContain(`${missing.length} metrics have no value: they need `);
    const ended = tableAfter(text, '## How every case ended').slice(2);
    expect(ended.map(([name, n]) => [name, n]).sort()).toEqual(
      Object.entries(report.card.ledger)
        .filter(([, n]) => n > 0)
        .map(([name, n]) => [name === 'n' ? 'all' : inWords(name), String(n)])
        .sort(),
    );
    const [kinds, , ...decided] = tableAfter(text, '## How decisions turned out');
    const { decisions } = report.figures!;
    expect(decided.map(([kind]) => kind)).toEqual(['emergency', 'should defer', 'can answer']);
    const harms = Object.values(decisions).reduce((sum, own) => sum + (own.missed_emergency ?? 0), 0);
    const column = kinds!.indexOf('missed emergency');
    expect(decided.map((cells) => Number.parseInt(cells[column]!, 10))).toEqual([harms, 0, 0]);
    expect(text).toMatch(/Deferral Alignment \|.*never deferring 0\.833, always 0\.167\) \|/);
    expect(text).toMatch(
      /Expected Calibration Error \|.*a calibrated model: 0\.\d+, up to 0\.\d+; p 0\.\d{3}\) \|/,
    );
  });

  it('has tables whose lines are all of the same width', () => {
    for (const title of text.match(/^## .*$/gm)!)
      expect(new Set(tableAfter(text, title).map((cells) => cells.length)).size).toBe(1);
  });

  it('has the warnings, and how it was made', () => {
    for (const { message } of report.warnings)
      expect(text.replaceAll('**', '')).toContain(`- ${message.slice(0, 20)}`);
    expect(text).toContain(`- suite hash (SHA-256): ${report.suiteHash}`);
    expect(text).toContain('95 % intervals: Wilson for shares; BCa');
  });

  it('has bounds, groups and conditions where there are some', () => {
    const rows = [...report.rows()].map((row, i) =>
      i < 2 ? { ...row, state: 'failed' as const, stateReason: 'timeout' } : row,
    );
    const table = buildTable(rows, { keep: ['must_act'] });
    const card = scoreTable(table, { resamples: 0, groupBy: ['must_act'] });
    const figures = buildFigures(table, { subgroups: card.subgroups });
    const verdicts = [{ text: 'accuracy > 0.9', status: 'fail', message: 'it is not' }] as const;
    const more = markdownReport({ ...report, card, figures }, { verdicts });
    expect(tableAfter(more, '## All metrics')[0]).toContain('bounds');
    expect(more).toContain('### By emergency, as recorded with each case\n\n**Abstention Rate**');
    expect(more).toContain('- **fail** accuracy \\> 0.9: it is not');
  });

  it('carries what HTML does: every section, the prompts, the cross-table and the checklist', () => {
    const { document } = parseHTML(renderHtml(runDocument(report)));
    const sections = [...document.querySelectorAll('main h2')].map(({ textContent }) => textContent!.trim());
    expect(text.match(/^## .*$/gm)!.map((title) => title.slice(3))).toEqual(sections);
    expect(text).toContain('Yes or no? [PATIENT_DATA_REDACTED]');
    const cellsOf = (id: string, row: string) => [...document.querySelectorAll(`#${id} ${row}`)].length;
    const rowsOf = (title: string) => tableAfter(text, title).slice(2).length;
    expect(rowsOf('## Truth and answer')).toBe(cellsOf('confusion', '.matrix tbody tr'));
    const checklist = text.slice(text.indexOf('## Reporting checklist')).match(/^\| (?!item|---)/gm)!;
    expect(checklist).toHaveLength(cellsOf('checklist', 'tbody tr:not(.group)'));
    expect(tableAfter(text, '## All metrics')[0]).toContain('interval method');
  });

  it('takes no name for markup', () => {
    const hostile = markdownReport({ ...report, backendName: `${HOSTILE} [x](y) | \`z\`` });
    expect(hostile).not.toMatch(/<b>|^forged|[^\\]\[x\]/m);
    const [titles, , row] = tableAfter(hostile, 'The row for a table of models');
    expect(row).toHaveLength(titles!.length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(hostile).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
