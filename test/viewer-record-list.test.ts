import { describe, expect } from 'vitest';
import type { RecordPayload, RecordsPayload, RunPayload } from '../src/viewer/api.ts';
import { words } from '../web/src/parts/words.ts';
import { expectCount, viewedRuns } from './viewed-runs.ts';
import { browserTest, open, problems } from './viewer-browser.ts';

/** The records of real runs in a real browser: filters, addresses, keys, the panel of a record. */
const { api, careful, long, overconfident, page, secret } = viewedRuns('staging', 'long', 'protected');

describe('records', () => {
  browserTest('are filtered by every choice, and the address contains the filter', async () => {
    const { id, n } = overconfident();
    const { facets, subgroups } = await api<RunPayload>(`runs/${id}`);
    const choices: readonly (readonly [string, string, string, string?])[] = [
      ['case', 'case_kind', 'should_defer'],
      ['called urgent', 'urgent', 'true', 'yes'],
      ['reply', 'outcome', facets.outcome[0]!],
      ['truth', 'label', facets.label[0]!],
      ['answer', 'prediction', facets.prediction[0]!],
      ['stage', 'stratum', facets.stratum[0]!],
      ['reason', 'reason', facets.reason[0]!],
      ['group', 'group', `sex:${subgroups.sex![0]!}`],
    ];
    const shown = await open(page(`#/runs/${id}/records`));
    for (const [title, key, value, name = words(value)] of choices) {
      await shown.getByRole('button', { name: `Filter by ${title}`, exact: true }).click();
      await shown.getByRole('checkbox', { name, exact: true }).first().check();
      await shown.keyboard.press('Escape');
      await shown.getByRole('button', { name: new RegExp(`^${title}: `) }).waitFor();
      const query = new URLSearchParams({ [key]: value });
      expect(shown.url().split('?')[1]).toBe(String(query));
      const { total } = await api<RecordsPayload>(`runs/${id}/records?${query}&limit=1`);
      expect(total, title).toBeLessThan(n);
      await expectCount(shown, total, title);
      await shown.getByRole('button', { name: 'Clear all' }).click();
      await expectCount(shown, n);
    }
  });

  browserTest('are filtered by a range of confidence and by text', async () => {
    const { id } = overconfident();
    const { rows } = await api<RecordsPayload>(`runs/${id}/records?limit=1`);
    const shown = await open(page(`#/runs/${id}/records`));
    await shown.getByRole('button', { name: 'Filter by confidence' }).click();
    await shown.getByLabel('from', { exact: true }).fill('0.9');
    await shown.getByLabel('to', { exact: true }).fill('1');
    await shown.waitForURL(/confidence_from=0.9&confidence_to=1$/);
    const range = 'confidence_from=0.9&confidence_to=1';
    const { total } = await api<RecordsPayload>(`runs/${id}/records?${range}&limit=1`);
    expect(total).toBeGreaterThan(0);
    await expectCount(shown, total);
    await shown.keyboard.press('Escape');
    await shown.getByRole('button', { name: /^confidence 0.9 to 1/ }).click();
    await shown.getByPlaceholder('id, answer, reason').fill(rows[0]!.id.toUpperCase());
    await shown.waitForURL(/records\?text=/);
    await shown.getByText(/^1 case of/).waitFor();
  });

  browserTest('keep filter, order and the open record in the address', async () => {
    const { id } = overconfident();
    const shown = await open(page(`#/runs/${id}/records?outcome=answered_wrong`));
    await shown.getByRole('button', { name: 'confidence', exact: true }).click();
    await shown.waitForURL(/sort=confidence$/);
    await shown.getByRole('button', { name: 'confidence', exact: true }).click();
    await shown.waitForURL(/sort=-confidence$/);
    const query = 'outcome=answered_wrong&sort=-confidence';
    const { total, rows } = await api<RecordsPayload>(`runs/${id}/records?${query}&limit=2`);
    await shown.getByRole('link', { name: rows[0]!.id }).click();
    await shown.getByRole('heading', { name: rows[0]!.id }).waitFor();
    const again = await open(shown.url());
    await again.getByRole('heading', { name: rows[0]!.id }).waitFor();
    await expectCount(again, total);
  });

  browserTest('can be stepped through by keyboard', async () => {
    const { id } = overconfident();
    const { rows } = await api<RecordsPayload>(`runs/${id}/records?sort=id&limit=3`);
    const shown = await open(page(`#/runs/${id}/records?sort=id`));
    await shown.getByRole('link', { name: rows[0]!.id }).click();
    const at = (place: number) => shown.getByRole('heading', { name: rows[place]!.id }).waitFor();
    await at(0);
    for (const [key, place] of [
      ['j', 1],
      ['ArrowDown', 2],
      ['k', 1],
      ['ArrowUp', 0],
    ] as const) {
      await shown.keyboard.press(key);
      await at(place);
    }
    expect(await shown.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await shown.getByRole('button', { name: 'Next' }).click();
    await at(1);
    await shown.keyboard.press('Escape');
    await shown.locator('aside.record').waitFor({ state: 'detached' });
  });

  browserTest('show all their details in the panel', async () => {
    const { id } = careful();
    const query = 'should_abstain=true&outcome=answered_wrong&limit=1';
    const { rows } = await api<RecordsPayload>(`runs/${id}/records?${query}`);
    const record = encodeURIComponent(rows[0]!.id);
    const found = await api<RecordPayload>(`runs/${id}/records/${record}`);
    const shown = await open(page(`#/runs/${id}/records?record=${record}`));
    const panel = shown.getByRole('complementary', { name: 'Case' });
    await panel.getByRole('heading', { name: 'Raw response' }).waitFor();
    const pair = (title: string) =>
      panel.locator('.pairs > div', { has: shown.locator('dt', { hasText: new RegExp(`^${title}$`) }) });
    const said = async (title: string) => pair(title).locator('dd').innerText();
    const [reason] = found.reasons.map((one) => one.replaceAll('_', ' '));
    const verdict = await panel.locator('.verdict-banner').innerText();
    expect(verdict).toMatch(new RegExp(`^Answered, should have deferred: ${reason}( \\(.+\\))?; `));
    expect(verdict).toContain(`; the model answered “${found.prediction}”.`);
    expect(await said('reply')).toContain('answered wrong');
    expect(await said('truth')).toBe(found.label ?? 'no derivable answer');
    expect(await said('answer')).toBe(found.prediction);
    expect(await said('confidence')).toBe(found.confidence!.toFixed(3));
    expect(await said('case')).toBe(
      `should defer: ${found.reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')}`,
    );
    expect(await said('tokens')).toBe('not recorded');
    expect(await panel.locator('pre').last().innerText()).toBe(found.raw_response);
    const features = await panel.locator('.features').innerText();
    for (const name of Object.keys(found.features!)) expect(features).toContain(name.replaceAll('_', ' '));
    expect(await panel.locator('.attempts li').count()).toBe(found.attempts.length);
    await panel.getByText(/^Metadata, never shown/).click();
    await panel.getByText('flip probability').waitFor();
    const prompt = panel.locator('details', { hasText: 'patient data redacted' });
    await prompt.locator('summary').click();
    expect(await prompt.innerText()).toMatch(/patient|No prompt is stored/);
  });

  browserTest('are in the page only while visible, and load on scrolling', async () => {
    const { id, n } = long();
    const { rows } = await api<RecordsPayload>(`runs/${id}/records?sort=harm&offset=${n - 1}&limit=1`);
    const shown = await open(page(`#/runs/${id}/records`));
    const lines = shown.locator('.records .all .line');
    await lines.first().waitFor();
    expect(n).toBe(2000);
    expect(await lines.count()).toBeLessThan(60);
    await shown.locator('.records').focus();
    await shown.keyboard.press('End');
    const { id: last, repeat } = rows[0]!;
    await shown.getByRole('link', { name: repeat === 0 ? last : `${last} (repeat ${repeat})` }).waitFor();
    expect(await lines.count()).toBeLessThan(60);
    const table = shown.getByRole('table', { name: 'Cases' });
    expect(await table.getAttribute('aria-rowcount')).toBe(String(n + 1));
  });

  browserTest('of a protected suite hide their text until the reader asks for it', async () => {
    const { id } = secret();
    const { rows } = await api<RecordsPayload>(`runs/${id}/records?sort=harm&limit=1`);
    const shown = await open(page(`#/runs/${id}/records?record=${encodeURIComponent(rows[0]!.id)}&at=0`));
    const show = shown.getByRole('button', { name: 'Show the text' });
    await show.waitFor();
    const { raw_response: raw } = await api<RecordPayload>(
      `runs/${id}/records/${encodeURIComponent(rows[0]!.id)}`,
    );
    expect(raw).not.toBeNull();
    expect(await shown.locator('aside.record').innerText()).not.toContain(raw!);
    expect(await shown.getByText('Metadata, never shown').count()).toBe(0);
    await show.click();
    await shown.getByRole('heading', { name: 'Raw response' }).waitFor();
    expect(await shown.locator('aside.record').innerText()).toContain(raw!);
    expect(await shown.getByText('Metadata, never shown').count()).toBe(1);
    // After the first request, the next record is visible at once.
    await shown.keyboard.press('j');
    await shown.getByText('2 of ').waitFor();
    expect(await show.count()).toBe(0);
  });

  browserTest('explain an empty list, and an address that cannot be read', async () => {
    const { id } = careful();
    const shown = await open(page(`#/runs/${id}/records?text=zzzz-nothing`));
    await shown.getByText('No case matches').waitFor();
    await shown.getByRole('link', { name: 'clear all' }).click();
    await expectCount(shown, 200);
    await shown.goto(page(`#/runs/${id}/records?outcom=answered_wrong`));
    await shown.getByText('outcom: there is no such filter').waitFor();
    await shown.goto(page('#/nowhere'));
    await shown.getByText('There is no such page').waitFor();
    await shown.goto(page('#/runs/unknown-run'));
    await shown.getByRole('button', { name: 'Try again' }).waitFor();
    // The browser itself logs the 404.
    expect(problems.splice(0).join()).toContain('404');
  });
});
