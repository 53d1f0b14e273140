import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CasePayload, RecordPayload } from '../src/viewer/api.ts';
import { viewedRuns } from '../src/viewer/viewed-runs.ts';
import { krisis } from './krisis.ts';
import {
  browserTest,
  canBrowse,
  newFolder,
  open,
  overflow,
  seriousFaults,
  TELEPHONE,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';
import { HOSTILE, writeRun } from './viewer-fixture.ts';

/** An open record, and one case across all runs of its suite. */

const root = newFolder();
const folder = join(root, '.krisis/runs');
const staging = ['run', 'ckd/staging', '--n-records', '120', '--bootstrap', '0', '--new'];
let view: Viewed;

beforeAll(async () => {
  for (const args of [
    [...staging, '--model', 'simulated/overconfident'],
    [...staging, '--model', 'simulated/careful', '--repeat', '3'],
    // The same ids ask about other people.
    [...staging, '--model', 'baseline/majority', '--seed', '7'],
  ]) {
    const { code, stderr } = await krisis(args, { cwd: root });
    expect(code, stderr).toBe(0);
  }
  if (canBrowse) view = await viewOf(folder);
});

/** A missed emergency with a potassium of 6.5 or more. */
async function missedByPotassium(): Promise<RecordPayload> {
  const runs = viewedRuns({ folder });
  const { id } = runs.get('runs', {}).runs.find(({ model }) => model === 'simulated/overconfident')!;
  const { rows } = runs.get('runs/:id/records', { id, case_kind: ['must_act'] });
  const records = rows.map((row) =>
    runs.get('runs/:id/records/:record', { id, record: JSON.parse(row).id, repeat: 0 }),
  );
  runs.close();
  return records.find(({ metadata }) =>
    (metadata.must_act_reasons as string[]).includes('potassium_6.5_or_more'),
  )!;
}

const textOf = (payload: CasePayload) => JSON.stringify(payload.sections);

describe('a case across all runs', () => {
  it('says what each run did with it, how often in its repeats, and which runs lack it', async () => {
    const runs = viewedRuns({ folder });
    const { id } = await missedByPotassium();
    const payload = runs.get('suites/:suite/cases/:record', { suite: 'ckd/staging', record: id });
    const [models, about] = payload.sections;
    const table = models!.blocks.find((block) => block.kind === 'table')!;
    const rows = table.groups.flatMap((group) => group.rows);
    expect(rows.map(([cell]) => JSON.stringify(cell))).toEqual(
      expect.arrayContaining([
        expect.stringContaining('simulated/overconfident'),
        expect.stringContaining('simulated/careful'),
      ]),
    );
    const careful = rows.find(([cell]) => JSON.stringify(cell).includes('simulated/careful'))!;
    expect(JSON.stringify(careful)).toMatch(/ [123] of 3/);
    expect(textOf(payload)).toContain(`does not have the case ${id}`);
    // What decides comes first.
    const features = about!.blocks.find((block) => block.kind === 'table')!;
    expect(JSON.stringify(features.groups[0]!.rows[0])).toMatch(/Serum potassium.*decides: potassium 6.5/);
    expect(() => runs.get('suites/:suite/cases/:record', { suite: 'ckd/staging', record: 'nobody' })).toThrow(
      /nobody: no run of ckd\/staging here has this case/,
    );
    runs.close();
  });

  it('says plainly which runs have another version of the case', async () => {
    const other = newFolder();
    await writeRun(join(other, 'a.db'), { n: 20, model: 'unit/a' });
    await writeRun(join(other, 'b.db'), { n: 30, model: 'unit/b', suiteHash: 'cd'.repeat(32) });
    // Without features nobody can say.
    await writeRun(join(other, 'c.db'), {
      n: 20,
      model: 'unit/c',
      suiteHash: 'ef'.repeat(32),
      sensitivity: 'protected',
    });
    const runs = viewedRuns({ folder: other });
    const payload = runs.get('suites/:suite/cases/:record', { suite: 'unit/suite', record: 'r4' });
    const table = payload.sections[0]!.blocks.find((block) => block.kind === 'table')!;
    expect(table.groups.map(({ title, rows }) => [title, rows.length])).toEqual(
      expect.arrayContaining([
        [expect.stringMatching(/^Another version of the suite; the file does not say/), 1],
        ['The same case', 2],
      ]),
    );
    runs.close();
  });

  it('shows no text of a protected suite to other machines, and hides it here until asked', async () => {
    const other = newFolder();
    await writeRun(join(other, 'p.db'), { n: 20, sensitivity: 'protected' });
    const params = { suite: 'unit/suite', record: 'r7' };
    const here = viewedRuns({ folder: other });
    const payload = here.get('suites/:suite/cases/:record', params);
    expect(payload.hides_text).toBe(true);
    expect(JSON.stringify(payload.sections_without_text)).not.toContain('alert(1)');
    here.close();
    const there = viewedRuns({ folder: other, withholdsText: true });
    const text = JSON.stringify(there.get('suites/:suite/cases/:record', params));
    expect(text).not.toContain(JSON.stringify(HOSTILE).slice(1, 20));
    expect(text).not.toContain('near_threshold');
    there.close();
  });

  it('works for own tables and imported answers', async () => {
    const other = newFolder();
    for (const name of ['suite.yaml', 'sodium.csv'])
      copyFileSync(join('examples/table-suite', name), join(other, name));
    await krisis(['run', 'suite.yaml', '--model', 'simulated/careful', '--bootstrap', '0'], { cwd: other });
    const lines = ['S01', 'S02'].map((id) =>
      JSON.stringify({ id, ground_truth: 'normal', prediction: id === 'S01' ? 'normal' : 'hypernatraemia' }),
    );
    writeFileSync(join(other, 'answers.jsonl'), lines.join('\n'));
    const { code, stderr } = await krisis(
      ['score', 'answers.jsonl', '--run', '.krisis/runs/answers.db', '--bootstrap', '0'],
      { cwd: other },
    );
    expect(code, stderr).toBe(0);
    const runs = viewedRuns({ folder: join(other, '.krisis/runs') });
    for (const { suite } of runs.get('runs', {}).runs) {
      const payload = runs.get('suites/:suite/cases/:record', { suite, record: 'S02' });
      expect(textOf(payload)).toMatch(/right answer|wrong answer|deferred/);
    }
    runs.close();
  });
});

describe('the page of a case', () => {
  browserTest('is reached from an open record, which begins with a verdict by its value', async () => {
    const { id, features } = await missedByPotassium();
    const run = (await view.runs()).find(({ model }) => model === 'simulated/overconfident')!;
    const shown = await open(`${view.url}#/runs/${run.id}/records?record=${id}`);
    const panel = shown.getByRole('complementary', { name: 'Case' });
    await panel.locator('.features .decisive').first().waitFor();
    const potassium = features!['Serum potassium (mEq/L)'];
    const { decision_class: name } = await view.api<RecordPayload>(`runs/${run.id}/records/${id}`);
    if (name === 'missed_emergency')
      expect(await panel.locator('.verdict-banner').innerText()).toBe(
        `Missed emergency: serum potassium ${potassium} mEq/L; the model answered without calling it urgent.`,
      );
    // What was said and right, then features, then time, and the raw reply last.
    expect(await panel.locator('h3').allInnerTexts()).toEqual([
      'What the model said',
      'What was right',
      'Features',
      'Time and attempts',
      'Raw response',
    ]);
    expect(await panel.locator('.features > div').first().innerText()).toMatch(
      /Serum potassium[\s\S]*decides: potassium 6.5 or more/,
    );
    expect(await seriousFaults(shown)).toEqual([]);
    await panel.getByRole('link', { name: 'This case in all runs' }).click();
    await shown.getByRole('heading', { name: id, exact: true, level: 1 }).waitFor();
    await shown.getByRole('heading', { name: 'What each model did' }).waitFor();
    expect(await seriousFaults(shown)).toEqual([]);
    // By keyboard back to the record as one of the runs answered it.
    const link = shown.getByRole('link', { name: 'simulated/careful' });
    await link.focus();
    await shown.keyboard.press('Enter');
    await shown.waitForURL(new RegExp(`records\\?record=${id}`));
    const phone = await open(`${view.url}#/suites/ckd%2Fstaging/cases/${id}`, {
      size: TELEPHONE,
      colorScheme: 'dark',
    });
    await phone.getByRole('heading', { name: 'What each model did' }).waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await seriousFaults(phone)).toEqual([]);
  });

  browserTest('is reached from the hardest cases of a run and of a comparison', async () => {
    const runs = await view.runs();
    const [careful, overconfident] = ['careful', 'overconfident'].map((name) =>
      runs.find(({ model }) => model === `simulated/${name}`),
    );
    for (const page of [`#/runs/${careful!.id}`, `#/compare?runs=${careful!.id}&runs=${overconfident!.id}`]) {
      const shown = await open(`${view.url}${page}`);
      // A comparison has the section folded.
      const table = shown.getByRole('table', { name: 'Hardest cases', includeHidden: true });
      const hardest = table.locator('tbody a').first();
      await hardest.waitFor({ state: 'attached' });
      expect(await hardest.getAttribute('href')).toMatch(/^#\/suites\/ckd%2Fstaging\/cases\/ckd-/);
    }
  });
});
