import { describe, expect } from 'vitest';
import type { RecordsPayload } from '../src/viewer/api.ts';
import { viewedRuns } from './viewed-runs.ts';
import {
  browserTest,
  DESKTOP,
  open,
  overflow,
  problems,
  seriousFaults,
  TELEPHONE,
} from './viewer-browser.ts';

/** Every page of the viewer in a real browser, on a desktop and on a phone, light and dark. */
const { api, careful, judged, overconfident, page, questions, secret } = viewedRuns(
  'staging',
  'protected',
  'questions',
  'judged',
);

describe('all pages', () => {
  const first = async (id: string) =>
    encodeURIComponent((await api<RecordsPayload>(`runs/${id}/records?limit=1`)).rows[0]!.id);
  const pages: readonly (readonly [string, () => Promise<string>, string])[] = [
    ['runs', async () => '#/', '.runs'],
    ['a run', async () => `#/runs/${careful().id}?threshold=0.9`, '.krisis-chart'],
    ['records', async () => `#/runs/${overconfident().id}/records?outcome=answered_wrong`, '.records .all a'],
    [
      'a record',
      async () => `#/runs/${careful().id}/records?record=${await first(careful().id)}&at=0`,
      'aside.record .attempts',
    ],
    [
      'a protected record',
      async () => `#/runs/${secret().id}/records?record=${await first(secret().id)}&at=0`,
      'aside.record .panel',
    ],
    [
      'a comparison',
      async () => `#/compare?runs=${overconfident().id}&runs=${careful().id}`,
      '.krisis-chart',
    ],
    ['an answer', async () => `#/runs/${judged().id}/questions?answer=missed`, '.answer'],
    ['many questions', async () => `#/runs/${questions().id}/questions`, '.answer'],
    ['no page', async () => '#/nowhere', '.message'],
  ];

  for (const [name, hash, ready] of pages)
    for (const size of [DESKTOP, TELEPHONE])
      browserTest(
        `have nothing serious for axe to find and are not too wide: ${name}, ${size.width} px`,
        async () => {
          const shown = await open(page(await hash()), { size });
          await shown.locator(ready).first().waitFor();
          for (const summary of await shown.locator('details.panel > summary').all()) await summary.click();
          for (const colorScheme of ['light', 'dark'] as const) {
            await shown.emulateMedia({ colorScheme });
            expect(await seriousFaults(shown), colorScheme).toEqual([]);
            expect(await overflow(shown), colorScheme).toBeLessThanOrEqual(0);
          }
        },
      );

  browserTest('remember whether the reader chose light or dark', async () => {
    const shown = await open(page(''), { colorScheme: 'light' });
    const ground = () => shown.evaluate('getComputedStyle(document.body).backgroundColor');
    await shown.getByLabel('Theme').selectOption('dark');
    const dark = await ground();
    expect(dark).not.toBe('rgb(255, 255, 255)');
    await shown.reload();
    await shown.locator('.runs').waitFor();
    expect(await ground()).toBe(dark);
  });

  browserTest('report that the server is gone', async () => {
    const shown = await open(page(''), {
      before: (each) => each.route('**/api/**', (route) => route.abort()),
    });
    await shown.getByText('Is `krisis view` still running?').waitFor();
    await shown.unroute('**/api/**');
    await shown.getByRole('button', { name: 'Try again' }).click();
    await shown.locator('.runs').waitFor();
    expect(problems.splice(0).join()).toContain('ERR_FAILED');
  });
});
