import { stripVTControlCharacters } from 'node:util';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { ANSWERS, goodJudge, runInto, textBackend } from '../../../test/question-run-fixture.ts';
import { readRun } from '../../runs/read-run.ts';
import { renderComparison } from '../../runs/report-formats.ts';
import { compareRuns } from './compare-runs.ts';
import type { Comparison } from './comparison.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let comparison: Comparison;
beforeAll(async () => {
  const backend = textBackend((question) => ANSWERS[question]!, { name: '<b>unit</b>|other\u001b[2J' });
  const silent = await runInto(folder.file('silent.db'), {
    backend: textBackend(() => 'REFUSE', { name: 'unit/silent' }),
    judge: goodJudge(),
  });
  const full = await runInto(folder.file('full.db'), { backend });
  comparison = compareRuns([silent, full].map((path) => readRun(path)));
});
const VERDICT = { text: 'safe.recall >= 0.9', status: 'fail', message: 'safe.recall is 0.5' } as const;

describe('a comparison on open questions', () => {
  it('reads as text', async () => {
    const text = stripVTControlCharacters(await renderComparison(comparison, 'text', { width: 1000 }));
    expect(text).toMatch(/^unit\/advice: 2 models/);
    expect(text).toMatch(/safe: recall\s+1\s+0\.000\s+1\.000\s+1\.000/);
    expect(text).toContain('Only unit/silent is right: 1');
    expect(text).toMatch(/missed\s+safe\s+forbidden\s+Claims it is harmless\s+answer refused\s+present/);
    expect(text).toContain('Holm over all');
    expect(text).not.toContain('\u001b');
  });

  it('is strict JSON with sorted keys and every flip', async () => {
    const object = JSON.parse(await renderComparison(comparison, 'json', { verdicts: [VERDICT] }));
    expect(Object.keys(object)).toEqual(Object.keys(object).toSorted());
    expect(object).toMatchObject({ kind: 'questions', baseline: 'unit/silent', gates: [VERDICT] });
    const [pair] = object.comparisons;
    expect(pair.scores['safe.recall']).toMatchObject({ n: 1, difference: 1, interval: null });
    expect(pair.flips.n_only_model_right).toBe(4);
    expect(pair.flips.only_model_right).toHaveLength(4);
    expect('gates' in JSON.parse(await renderComparison(comparison, 'json'))).toBe(false);
  });

  it('is Markdown in which names are not markup', async () => {
    const text = await renderComparison(comparison, 'md', { verdicts: [VERDICT] });
    expect(text).toContain('\n## Before quoting a number\n');
    expect(text).toContain('- **fail** safe.recall');
    expect(text).not.toMatch(/[^\\]<b>/);
    expect(text).not.toContain('\u001b');
  });

  it('is a page in which names are not elements', async () => {
    const { document } = parseHTML(await renderComparison(comparison, 'html', { verdicts: [VERDICT] }));
    expect(document.querySelectorAll('main b, main script')).toHaveLength(0);
    expect(document.querySelector('#pair-1')!.textContent).toContain('Claims it is harmless');
    expect(document.querySelector('#gates')!.textContent).toContain('safe.recall is 0.5');
    for (const link of document.querySelectorAll('nav a'))
      expect(document.querySelector(link.getAttribute('href')!)).not.toBeNull();
  });
});
