import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { browserTest, newFolder, open, seriousFaults, viewOf } from './viewer-browser.ts';
import { HOSTILE, writeRun } from './viewer-fixture.ts';

describe('rows without a usable answer', () => {
  browserTest('are explained on the page of the run, on a record and in the list', async () => {
    const folder = newFolder();
    await writeRun(join(folder, 'open.db'));
    await writeRun(join(folder, 'protected.db'), { sensitivity: 'protected' });
    const { url } = await viewOf(folder);
    const page = await open(`${url}#/runs/open`);
    const failed = page.getByRole('region', { name: 'What failed' });
    await failed.waitFor();
    expect(await failed.innerText()).toMatch(/\d+ cases?.*: no reply came in time\s+raise --timeout/);
    const unusable = page.getByRole('region', { name: 'Replies that could not be used' });
    expect(await unusable.textContent()).toContain('the model refused to answer');
    const usable = await page
      .getByText(/^Usable answers/)
      .first()
      .innerText();
    expect(usable).toMatch(/^Usable answers \d+ of \d+ .*invalid or refused \d+, counted as wrong/);
    expect(usable).toMatch(/failed [1-9]\d*/);
    expect(await seriousFaults(page)).toEqual([]);

    const list = await open(url);
    await list.locator('table.runs').waitFor();
    expect(await list.locator('table.runs').textContent()).toMatch(/\d+ failed, \d+ invalid/);

    const records = await open(`${url}#/runs/open/records?outcome=failed_timeout`);
    await records.locator('.records .all a').first().click();
    const panel = records.getByRole('complementary', { name: 'Case' });
    await panel.getByText('no reply came in time').waitFor();
    expect(await panel.textContent()).toContain('no reply came in time; raise --timeout');

    const withheld = await open(`${url}#/runs/protected`);
    const causes = withheld.getByRole('region', { name: 'Replies that could not be used' });
    await causes.waitFor();
    expect(await causes.textContent()).not.toContain('for example');
    expect(await withheld.content()).not.toContain(HOSTILE);
  });
});
