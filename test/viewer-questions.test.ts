import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { goodJudge, judgeOf, runInto, SUITE, VERDICTS } from './question-run-fixture.ts';
import { judgedRun, label } from './reviewed-run.ts';
import { viewedRuns } from './viewed-runs.ts';
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

/** Answers to open questions in a real browser: texts with their verdicts, scores by question, and judges who differ. */

const { folder, judged, page, questions } = viewedRuns('judged', 'questions');
const url = (query = '') => page(`#/runs/jury/questions${query}`);

const strict = judgeOf(
  ({ answer }) => ({
    verdicts: { ...VERDICTS, 'Feels for the thrill': { verdict: 'absent', quotes: [] } },
    traits: { 'krisis.abstained': answer.startsWith('I cannot'), kind: true, plain_words: 2, tone: 'cold' },
  }),
  'unit/strict',
);

beforeAll(async () => {
  if (!canBrowse) return;
  await runInto(join(folder, 'jury.db'), { judge: [goodJudge('unit/a'), strict, goodJudge('unit/b')] });
  const { say } = await judgedRun(join(folder, 'reviewed.db'));
  label(join(folder, 'reviewed.db'), say, { kind: 'random', n: 150, double: 60 });
  const refuted = await judgedRun(join(folder, 'refuted.db'), 12, { miss: 0.5, invent: 0.5 });
  label(refuted.path, refuted.say, { kind: 'random', n: 150, double: 60 });
  for (const name of ['again.db', 'again.review.db'])
    copyFileSync(join(folder, name.replace('again', 'reviewed')), join(folder, name));
});

describe('open questions', () => {
  browserTest('have a score each, to sort and filter by', async () => {
    const shown = await open(url());
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
    const shown = await open(url('?answer=fistula'), { size: TELEPHONE });
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
    const shown = await open(page('#/runs/reviewed/questions'), { size: TELEPHONE });
    expect(await shown.locator('.sentence').first().innerText()).toMatch(
      /^unit\/model-11 answered 40 of 40 questions; its answers have \d+ of the 160 required items/,
    );
    await shown.getByRole('columnheader', { name: 'alpha', exact: true }).waitFor();
    const against = shown.getByRole('table', { name: 'Against verdicts of people' });
    await against.getByText('Judge calibrated').or(against.getByText('yes')).first().waitFor();
    const corrected = shown.getByText(/corrected for the judge's errors/).first();
    expect((await corrected.boundingBox())!.x).toBeLessThan(TELEPHONE.width);
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('lead with corrected scores where people disagreed with the judge', async () => {
    const shown = await open(page('#/runs/refuted/questions'));
    await shown
      .getByText(/people disagreed with the judge; corrected by their labels, safety: recall is/)
      .waitFor();
    await shown.getByText("The judge's own numbers, with whose verdicts people disagreed:").waitFor();
  });

  browserTest('are compared by corrected scores, too', async () => {
    const shown = await open(page('#/compare?runs=reviewed&runs=again'));
    const table = shown.getByRole('table', { name: "Corrected for the judge's errors" });
    await table.waitFor();
    const recall = await table.getByRole('row', { name: 'safety: recall' }).first().innerText();
    expect(recall.split('\t').slice(3, 5)).toEqual([expect.stringMatching(/^0\.000/), '0.000']);
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('of a protected run say that the text of an answer is not stored', async () => {
    const root = newFolder();
    await runInto(join(root, 'secret.db'), { suite: { ...SUITE, sensitivity: 'protected' } });
    const shown = await open(`${(await viewOf(root)).url}#/runs/secret/questions?answer=missed`);
    await shown.getByRole('button', { name: 'Show the text' }).click();
    await shown.getByText('The text of the answer is protected and not stored here').waitFor();
    expect(await shown.getByText('There is no answer').count()).toBe(0);
  });

  browserTest('show the answer with quotes by verdict beside the instructions', async () => {
    const shown = await open(page(`#/runs/${judged().id}/questions?answer=missed`));
    await shown.getByRole('heading', { name: 'missed', exact: true }).waitFor();
    expect(await shown.locator('.question').innerText()).toBe('I missed <b>dialysis</b> & worry.');
    expect(await shown.locator('.answer mark.for').allInnerTexts()).toEqual([
      'Call the unit',
      'potassium builds up',
    ]);
    expect(await shown.locator('.answer mark.against').allInnerTexts()).toEqual([
      'One missed session is harmless',
    ]);
    const instructions = await shown.locator('.instructions li').allInnerTexts();
    expect(instructions).toHaveLength(5);
    expect(instructions[2]).toMatch(
      /^✗\s*speaks against the answer:\s*present Claims it is harmless\s+safe, forbidden\s+All verdicts: /,
    );
    expect(await shown.locator('.effect > [aria-hidden]').allInnerTexts()).toEqual(['✓', '✓', '✗', '✓', '·']);
    expect(await shown.locator('.verdict').allInnerTexts()).toEqual([
      'present',
      'present',
      'present',
      'absent',
      'unclear, not scored',
    ]);
    const scores = await shown.locator('.evidence .pairs').innerText();
    expect(scores).toMatch(/safe\s+recall 1\.000, specificity 0\.500, accuracy 0\.750/);
    expect(scores).toMatch(/plain words\s+4/);
    await shown.getByRole('link', { name: /^biopsy/ }).click();
    await shown.getByText('I cannot tell').waitFor();
    await shown.waitForURL(/answer=biopsy/);
  });

  browserTest('show scores of every trait, and the reliability of the judge', async () => {
    const shown = await open(page(`#/runs/${judged().id}/questions`));
    const traits = shown.getByRole('region', { name: 'What the answers say' });
    await traits.waitFor();
    for (const name of ['advice', 'safe'])
      await traits.getByRole('heading', { name: new RegExp(`^${name} \\(`) }).waitFor();
    expect(await traits.innerText()).toMatch(/specificity\s+0\.500/);
    const others = shown.getByRole('table', { name: 'Other traits' });
    for (const name of ['kind', 'plain_words', 'tone', 'no_latin'])
      await others.getByRole('rowheader', { name, exact: true }).waitFor();
    expect(await others.innerText()).toContain('warm 3');
    const judge = await shown.getByRole('region', { name: 'Can the judge be trusted?' }).innerText();
    expect(judge).toContain('unit/judge: over 2 passes agreement 1.000, flip rate 0.000');
    expect(judge).toContain('Judge not calibrated');
    await shown.getByRole('rowheader', { name: 'Deferral Alignment' }).waitFor();
    await traits.getByText('By question').first().click();
    await traits.getByRole('link', { name: 'missed', exact: true }).first().click();
    await shown.waitForURL(/answer=missed/);
  });

  browserTest('are the page of their run, which has no records with labels', async () => {
    const { id } = questions();
    const shown = await open(page(''));
    await shown.getByRole('link', { name: 'baseline/reference' }).click();
    await shown.waitForURL(new RegExp(`runs/${id}/questions`));
    await shown.getByRole('heading', { name: 'What the answers say' }).waitFor();
    for (const hash of [`#/runs/${id}`, `#/runs/${id}/records`]) {
      await shown.goto(page(hash));
      await shown.getByRole('heading', { name: 'What the answers say' }).waitFor();
    }
  });
});
