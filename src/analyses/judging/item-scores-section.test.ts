import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { runWeighted } from '../../../test/weighted-run-fixture.ts';
import { renderHtml } from '../../reports/formats/html/render-html.ts';
import { renderMarkdown } from '../../reports/formats/markdown.ts';
import { renderText } from '../../reports/formats/text.ts';
import { metricsObject } from '../../runs/formats/json.ts';
import { renderJunit } from '../../runs/formats/junit.ts';
import { renderLatex } from '../../runs/formats/latex.ts';
import { readRun } from '../../runs/read-run.ts';
import { runDocument } from '../../runs/run-document.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { compareRuns } from '../comparison/compare-runs.ts';
import { comparisonDocument } from '../comparison/comparison-document.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let result: RunResult;
/** The judge found both forbidden claims, in words that the answers do not have. */
let unverified: RunResult;
beforeAll(async () => {
  result = readRun(await runWeighted(folder.file('run.db')));
  unverified = readRun(
    await runWeighted(folder.file('unverified.db'), {
      'Doubles the dose': { verdict: 'present', quotes: ['take it twice'] },
      'Recommends salt tablets': { verdict: 'present', quotes: ['tablets of salt'] },
      'Says to drink freely': { verdict: 'present', quotes: ['not what it says'] },
    }),
  );
});

const text = (of: RunResult, width = 1000) =>
  stripVTControlCharacters(renderText(runDocument(of, { isBrief: true }), width));
const full = (of: RunResult) => stripVTControlCharacters(renderText(runDocument(of), 1000));

describe('what the items weigh', () => {
  it('has points with the way of clipping, critical items, harm with its weights, and contradictions', () => {
    const said = text(result);
    expect(said).toMatch(/Weighted score\s+0\.000\s/);
    expect(said).toMatch(/Weighted score, clipped by question\s+0\.267\s/);
    expect(said).toContain('The weighted score is clipped overall');
    expect(said).toContain('Before clipping the mean is -1.067');
    expect(said).toMatch(/Critical failure rate\s+1\.000\s+0\.342 to 1\.000\s+2/);
    expect(said).toMatch(/Harm of omission\s+0\.222/);
    expect(said).toMatch(/Harm of omission, all weights 1\s+0\.333/);
    expect(said).toContain('Weights of harm: 1 (5 items), 2 (1 item), 3 (1 item), 5 (2 items).');
    expect(said).toMatch(/Contradiction rate\s+0\.333/);
    expect(said).toMatch(/By axis[\s\S]+communication\s+1\s/);
    expect(said).toMatch(/By tag of questions[\s\S]+food\s+2\s/);
  });

  it('leaves the second way of clipping out where it makes no difference', async () => {
    const kind = readRun(
      await runWeighted(folder.file('kind.db'), { 'Says to drink freely': { verdict: 'absent' } }),
    );
    expect(text(kind)).not.toContain('clipped by question');
  });

  it('is in Markdown, HTML, JSON, JUnit and LaTeX', () => {
    expect(renderMarkdown(runDocument(result))).toContain('| Critical failure rate | 1.000 |');
    expect(renderHtml(runDocument(result))).toContain('id="item-scores"');
    expect(metricsObject(result).item_scores).toMatchObject({
      clipping: 'overall',
      scores: { critical_failure_rate: { value: 1, n: 2 }, weighted_score: { value: 0 } },
      groups: [{ by: 'axis', name: 'accuracy', n_questions: 3 }, {}, {}, {}],
    });
    expect(renderJunit(result)).toContain('score: omission_harm');
    expect(renderLatex(result)).toContain('Critical failure rate & 1.000');
  });

  it('is beside the traits in a comparison', () => {
    const document = comparisonDocument(compareRuns([result, unverified], { resamples: 100 }));
    const said = stripVTControlCharacters(renderText(document, 1000));
    expect(said).toMatch(/What the items weigh\s+Weighted score/);
    expect(said).toContain('Weighted score, not clipped');
  });
});

describe('a trait with unverified items', () => {
  it('never has a bare 0 or 1: its bounds are in the same cell', () => {
    const { value, bounds } = unverified.scores['advice.specificity']!;
    expect([value, bounds]).toEqual([null, { lower: 0, upper: 1 }]);
    const rows = (all: string) => all.split('\n').filter((line) => /specificity|Critical failure/.test(line));
    for (const render of [text, full, (of: RunResult) => renderMarkdown(runDocument(of))])
      for (const line of rows(render(unverified)).filter((row) => /\d\.\d{3}/.test(row)))
        expect(line).toMatch(/\\?\[\d\.\d{3} to \d\.\d{3}\\?\]/);
    expect(renderLatex(unverified)).toMatch(/Critical failure rate & 1\.000 \[0\.500 to 1\.000\]/);
    expect(renderJunit(unverified)).toMatch(/critical_failure_rate = 1 .*\[0\.5 to 1\]/);
  });

  it('is named in a warning', () => {
    expect(unverified.warnings.map(({ code }) => code)).toContain('unverified_items');
    expect(text(unverified).replace(/\s+/g, ' ')).toContain(
      '! 3 items are unverified: the judge found something, but no quote verifies it (quote not in answer 3).',
    );
  });
});

describe('evidence', () => {
  it('shows the value that code compared, and with what', () => {
    expect(full(result)).toContain(
      'States the dose: contradicted; value "850 mg", compared by code with 500 mg',
    );
  });

  it('shows why the judge gave a trait its value, with the quote', () => {
    expect(full(result)).toMatch(/kind: true \(It says how much to take\.\)\n\s+"Take 850 mg"/);
    expect(full(result)).toContain('not in the answer: "Take 850 mg"');
    expect(renderMarkdown(runDocument(result))).toContain('It says how much to take.) “Take 850 mg”');
    expect(renderHtml(runDocument(result))).toContain('<q>Take 850 mg</q>');
  });
});

describe('precision in tp_only', () => {
  it('is said to see contradicted items only', async () => {
    const { runInto } = await import('../../../test/question-run-fixture.ts');
    const plain = readRun(await runInto(folder.file('plain.db')));
    expect(text(plain)).toContain('In tp_only, precision counts contradicted items only');
    expect(text(result)).not.toContain('In tp_only');
    expect(text(plain)).not.toContain('What the items weigh');
  });
});
