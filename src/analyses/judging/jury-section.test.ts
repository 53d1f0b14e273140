import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { goodJudge, judgeOf, runInto, VERDICTS } from '../../../test/question-run-fixture.ts';
import { renderHtml } from '../../reports/formats/html/render-html.ts';
import { renderMarkdown } from '../../reports/formats/markdown.ts';
import { renderText } from '../../reports/formats/text.ts';
import { metricsObject } from '../../runs/formats/json.ts';
import { readRun } from '../../runs/read-run.ts';
import { runDocument } from '../../runs/run-document.ts';
import type { RunResult } from '../../runs/run-result.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let jury: RunResult;
let path: string;
const strict = () =>
  judgeOf(
    () => ({
      verdicts: { ...VERDICTS, 'Warns of potassium': { verdict: 'absent', quotes: [] } },
      traits: { plain_words: 2, tone: 'cold' },
    }),
    'unit/strict',
  );
beforeAll(async () => {
  path = await runInto(folder.file('jury.db'), {
    judge: [goodJudge('unit/one'), goodJudge('unit/two'), strict()],
    passes: 2,
  });
  jury = readRun(path);
});

const text = (of: RunResult) =>
  stripVTControlCharacters(renderText(runDocument(of, { isBrief: true }), 1000));

describe('the report of a jury', () => {
  it('names its judges, what each took, how far each differs, and who differs most', () => {
    const said = text(jury);
    expect(said).toContain('judged by jury (unit/one, unit/two, unit/strict)');
    expect(said).toContain('A jury of 3');
    expect(said).toMatch(/unit\/strict\s+2\s+6\s+660\s+-\s+12\.5 % of 8/);
    expect(said).toContain("Krippendorff's alpha 0.");
    expect(said).toContain('unit/strict differs most from the others. That does not make it wrong');
    expect(said).toContain('The majority of the jury is scored');
  });

  it('lists the items on which the jury splits, with every vote', () => {
    expect(text(jury)).toMatch(/missed\s+safe: Warns of potassium\s+present\s+present\s+absent\s+present/);
    expect(renderMarkdown(runDocument(jury))).toContain('| missed | safe: Warns of potassium | present |');
    expect(renderHtml(runDocument(jury))).toContain('The jury splits on 1 item');
    expect(metricsObject(jury).jury).toMatchObject({
      most_different: 'unit/strict',
      judges: [{}, {}, { name: 'unit/strict', dissent: { n: 8, dissent_rate: 0.125 } }],
      split_items: [{ instruction: 'Warns of potassium', votes: { 'unit/strict': 'absent' } }],
    });
  });
});

describe('what answering and judging took', () => {
  it('is apart in every document, by judge', () => {
    const said = text(jury);
    expect(said).toMatch(/answering: unit\/model\s+3\s+0\s+60\s+30/);
    expect(said).toMatch(/judging: unit\/one \(\w+\)\s+6\s+0\s+600\s+60/);
    expect(said).toMatch(/judging, all judges\s+18\s+0\s+1,800\s+180/);
    expect(renderMarkdown(runDocument(jury))).toContain('## What answering and judging took');
    expect(renderHtml(runDocument(jury))).toContain('id="roles"');
  });
});

describe('several judges in one run', () => {
  it('are never mixed: one is scored, and the others are listed', () => {
    const one = readRun(path, { judge: 'unit/strict' });
    const said = text(one);
    expect(said).toContain('judged by unit/strict (2 passes)');
    expect(said).toContain('Also in this run, and in none of the scores here');
    expect(said).toMatch(/unit\/one, configuration \w+: 2 passes, last asked \d{4}/);
    expect(one.scores['safe.recall']!.value).toBe(0.5);
    expect(jury.scores['safe.recall']!.value).toBe(1);
  });
});
