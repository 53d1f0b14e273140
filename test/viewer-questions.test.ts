import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { goodJudge, judgeOf, runInto, VERDICTS } from './question-run-fixture.ts';
import { judgedRun, label } from './reviewed-run.ts';
import {
  browserTest,
  canBrowse,
  newFolder,
  open,
  overflow,
  seriousFaults,
  TELEPHONE,
  viewOf,
} from './viewer-browser.ts';

/** Answers to open questions in a real browser: scores by question, and judges who differ. */

let url: string;
let reviewed: string;
let compared: string;

const strict = judgeOf(
  ({ answer }) => ({
    verdicts: { ...VERDICTS, 'Feels for the thrill': { verdict: 'absent', quotes: [] } },
    traits: { 'krisis.abstained': answer.startsWith('I cannot'), kind: true, plain_words: 2, tone: 'cold' },
  }),
  'unit/strict',
);

beforeAll(async () => {
  if (!canBrowse) return;
  const folder = newFolder();
  await runInto(join(folder, 'jury.db'), { judge: [goodJudge('unit/a'), strict, goodJudge('unit/b')] });
  const { say } = await judgedRun(join(folder, 'reviewed.db'));
  label(join(folder, 'reviewed.db'), say, { kind: 'random', n: 150, double: 60 });
  for (const name of ['again.db', 'again.review.db'])
    copyFileSync(join(folder, name.replace('again', 'reviewed')), join(folder, name));
  const view = await viewOf(folder);
  reviewed = `${view.url}#/runs/reviewed/questions`;
  compared = `${view.url}#/compare?runs=reviewed&runs=again`;
  url = `${view.url}#/runs/jury/questions`;
});

describe('open questions', () => {
  browserTest('have a score each, to sort and filter by', async () => {
    const shown = await open(url);
    const list = shown.getByRole('navigation', { name: 'Answers' }).getByRole('link');
    await list.first().waitFor();
    const ids = async () => (await list.allInnerTexts()).map((text) => text.split('\n')[0]);
    expect(await ids()).toEqual(['fistula', 'missed', 'biopsy']);
    expect(await list.first().innerText()).toContain('2 of 3 items right');
    await shown.getByLabel('order').selectOption('highest first');
    expect(await ids()).toEqual(['missed', 'fistula', 'biopsy']);
    await shown.getByLabel('score').selectOption('advice: recall');
    await shown.getByLabel('order').selectOption('lowest first');
    expect(await list.first().innerText()).toMatch(/advice: recall \d\.\d{3}/);
    await shown.getByLabel('with an item').selectOption('judged differently');
    expect(await ids()).toEqual(['fistula']);
    await shown.getByLabel('with an item').selectOption('any');
    await shown.getByLabel('Find').fill('biopsy show');
    expect(await ids()).toEqual(['biopsy']);
    await shown.getByText('1 of 3 answers').waitFor();
  });

  browserTest('list what every judge said, and the items on which a jury splits', async () => {
    const shown = await open(`${url}?answer=fistula`, { size: TELEPHONE });
    const verdicts = shown.locator('.split-verdicts');
    await verdicts.waitFor();
    expect(await verdicts.innerText()).toBe(
      'Judged differently: unit/a: present; unit/b: present; unit/strict: absent',
    );
    await shown.getByText('1 item was judged differently').click();
    await shown
      .getByRole('table', { name: 'Items judged differently' })
      .getByText('Feels for the thrill')
      .waitFor();
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('begin with a sentence, and with what labels of people make of each score', async () => {
    const shown = await open(reviewed, { size: TELEPHONE });
    expect(await shown.locator('.sentence').innerText()).toMatch(
      /^unit\/model-11 answered 40 of 40 questions; its answers have \d+ of the 160 required items/,
    );
    const recall = shown.locator('.by-trait tr', { hasText: 'recall' });
    await recall.getByText('corrected for the judge’s errors: ').waitFor();
    expect((await recall.locator('strong').last().boundingBox())!.x).toBeLessThan(TELEPHONE.width);
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('are compared by corrected scores, too', async () => {
    const shown = await open(compared);
    const table = shown.getByRole('table', { name: 'Corrected for the judge’s errors' });
    await table.waitFor();
    const recall = await table.getByRole('row', { name: 'safety: recall' }).innerText();
    expect(recall.split('\t').slice(3, 5)).toEqual([expect.stringMatching(/^0\.000/), '0.000']);
    expect(await seriousFaults(shown)).toEqual([]);
  });
});
