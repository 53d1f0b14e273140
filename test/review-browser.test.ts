import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page, Route } from 'playwright-core';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import { packetPage, reviewPacket } from '../src/review/packet.ts';
import { readReview, reviewPath } from '../src/store/review/review-file.ts';
import type { ReviewEvent } from '../src/store/review/review-schema.ts';
import { readPacketPage } from '../src/viewer/app-files.ts';
import { krisis } from './krisis.ts';
import { runInto } from './question-run-fixture.ts';
import { type ReviewProcess, startReview } from './review-process.ts';
import {
  browserTest,
  canBrowse,
  DESKTOP,
  newFolder,
  open,
  overflow,
  problems,
  seriousFaults,
  TELEPHONE,
  viewOf,
} from './viewer-browser.ts';
import { HOSTILE, writeHostileQuestions } from './viewer-hostile.ts';

/** Reviews in a real browser: the server of `krisis review`, and packets opened from disk. */

let folder: string;
let records: string;
const reviews: ReviewProcess[] = [];
let count = 0;

beforeAll(async () => {
  if (!canBrowse) return;
  folder = newFolder();
  const { code, stderr } = await krisis(
    ['run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '12', '--bootstrap', '0'],
    { cwd: folder },
  );
  expect(code, stderr).toBe(0);
  const runs = join(folder, '.krisis/runs');
  records = join(runs, readdirSync(runs).find((name) => name.endsWith('.db'))!);
});

afterEach(async () => {
  for (const review of reviews.splice(0)) await review.stop();
});

/** A new run of open questions, judged, not reviewed yet. */
async function questionsRun(): Promise<string> {
  const path = join(folder, `questions-${count++}.db`);
  await runInto(path, {});
  return path;
}

async function review(...args: Parameters<typeof startReview>): Promise<ReviewProcess> {
  const started = await startReview(...args);
  reviews.push(started);
  return started;
}

const eventsOf = (run: string): readonly ReviewEvent[] => readReview(reviewPath(run)).events;

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Moves the focus with the Tab key. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (await target.evaluate((element) => element.matches(':focus'))) return;
    await press(page, 'Tab');
  }
  throw new Error('the Tab key does not reach it');
}

/** Waits until every label is saved. */
const saved = (page: Page) => page.locator('.desk-saved', { hasText: /Saved\.$/ }).waitFor();
const heading = (page: Page) => page.locator('h1').innerText();

/** Writes a packet for one reviewer, and returns its file. */
async function packetFor(run: string, reviewer: string): Promise<string> {
  const out = newFolder();
  const { code, stdout, stderr } = await krisis(['review', run, '--packet', out, '--reviewer', reviewer]);
  expect(code, stderr).toBe(0);
  return stdout.slice(0, stdout.indexOf('.html') + '.html'.length);
}

const openPacket = (path: string) =>
  open(pathToFileURL(path).href, { before: (page) => page.context().setOffline(true) });

describe('items', () => {
  browserTest('are labelled by keyboard, with a note, undo and history, and the page is blind', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann'], { more: ['--double', '0'] });
    const page = await open(links[0]!);
    await page.getByText('Does the answer say this?').waitFor();
    expect(await heading(page)).toMatch(/^Item 1 of \d+$/);
    await press(page, 'p');
    await press(page, 'n');
    await page.keyboard.type('no p, a or z in here is a label');
    await press(page, 'Escape', 'c');
    await press(page, 'a', 'z');
    await saved(page);
    expect(await heading(page)).toMatch(/^Item 3 of/);
    expect(await page.locator('.desk-history').innerText()).toMatch(/absent.*superseded[\s\S]*skip/);
    await press(page, 'u', 'k', 'k', 'k');
    await saved(page);
    const events = eventsOf(run);
    expect(events.map(({ verdict }) => verdict)).toEqual([
      'present',
      'contradicted',
      'absent',
      'skip',
      'unclear',
    ]);
    expect(events[1]!.note).toBe('no p, a or z in here is a label');
    expect(events.map(({ supersedes }) => supersedes)).toEqual([
      null,
      null,
      null,
      events[2]!.id,
      events[3]!.id,
    ]);
    expect(events.every(({ blind, rater, via }) => blind && rater === 'R1' && via === 'viewer')).toBe(true);
    // Nothing on the page names the model, or says what the judge found.
    await page.reload();
    await page.getByText('Does the answer say this?').waitFor();
    const text = await page.locator('body').innerText();
    expect(text).not.toMatch(/unit\/model|required|forbidden|recall|quote/i);
    expect(text).toContain('3 labelled');
    expect(await page.locator('nav a').count()).toBe(0);
  });

  browserTest('can be called wrong themselves, apart from the label', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann']);
    const page = await open(links[0]!);
    await page.getByText('Does the answer say this?').waitFor();
    // The very next key, however fast, is text and no label.
    const focused = await page.evaluate(
      `window.dispatchEvent(new KeyboardEvent('keydown', { key: 'f' })); document.activeElement.tagName`,
    );
    expect(focused).toBe('INPUT');
    await page.keyboard.type('out of date');
    await page.getByRole('button', { name: 'The item is wrong' }).click();
    await saved(page);
    await press(page, 'p');
    await page.getByText('Labelled present. Saved.').waitFor();
    expect(eventsOf(run)).toMatchObject([
      { kind: 'suite_item', verdict: 'wrong', reason: 'out of date', inclusionProbability: null },
      { kind: 'item', verdict: 'present' },
    ]);
  });

  browserTest('with hostile texts, names and notes show them as text', async () => {
    const run = join(folder, 'hostile.db');
    await writeHostileQuestions(run);
    const name = '<img src=x onerror=window.harmed=1>';
    const { links } = await review(run, [name], { more: ['--named', '--guideline', HOSTILE] });
    const page = await open(links[0]!);
    await page.getByText('Does the answer say this?').waitFor();
    await press(page, 'n');
    await page.keyboard.insertText(`${HOSTILE} \u202eevil`);
    await press(page, 'Escape', 'p', 'k');
    await page.locator('.desk-history').waitFor();
    expect(await page.locator('body').innerText()).toContain('⟨RLO⟩evil');
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await page.locator('.desk img, .desk script, .desk a').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });
});

describe('records', () => {
  browserTest('are decided by number keys or deferring, with how sure and why', async () => {
    const { links } = await review(records, ['ann']);
    const page = await open(links[0]!);
    await page.getByText('What is the right decision?').waitFor();
    await press(page, '.', '.', '.', '2');
    await press(page, 'r');
    await page.keyboard.type('one value only');
    await press(page, 'Enter', 'd');
    await press(page, 'x', 's');
    await page.getByText('Skipped. Saved.').waitFor();
    const events = eventsOf(records);
    expect(
      events.map(({ verdict, label, probability, reason }) => [verdict, label, probability, reason]),
    ).toEqual([
      ['label', expect.anything(), 0.7, null],
      ['defer', null, null, 'one value only'],
      ['cannot_tell', null, null, null],
      ['skip', null, null, null],
    ]);
    const shown = await page.locator('.desk-shown').innerText();
    expect(shown).not.toMatch(/simulated|careful/);
  });

  browserTest('are marked as emergencies beside the decision, by keyboard alone', async () => {
    const { links } = await review(records, ['urs'], { more: ['--double', '12'] });
    const page = await open(links[0]!);
    const before = eventsOf(records).length;
    const own = () => eventsOf(records).slice(before);
    const actNow = page.getByRole('button', { name: 'Act now' });
    const isPressed = () => actNow.getAttribute('aria-pressed');
    await page.getByText('Does anything shown need action today, whatever the answer is?').waitFor();
    const first = await heading(page);
    await press(page, 't');
    await page.getByText('Act now is on. Give the decision as well.').waitFor();
    expect(await isPressed()).toBe('true');
    // Alone it finishes nothing: the record stays, nothing is stored, and leaving the page would ask.
    expect([await heading(page), own()]).toEqual([first, []]);
    expect(await page.locator('body').innerText()).toContain('0 labelled');
    expect(
      await page.evaluate('!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))'),
    ).toBe(true);
    await press(page, '2');
    await page.getByText('Labelled 2, act now. Saved.').waitFor();
    expect(await isPressed()).toBe('false');
    await press(page, 't', 't', 'd');
    await page.getByText('Labelled defer, no action today. Saved.').waitFor();
    await press(page, 't', 'x');
    await page.getByText('Labelled cannot tell, act now. Saved.').waitFor();
    expect(own().map(({ verdict, label, urgent }) => [verdict, label, urgent])).toEqual([
      ['label', 2, true],
      ['defer', null, false],
      ['cannot_tell', null, true],
    ]);
    // Back at the first record, the switch by Tab and Space; the label stays, urgency changes.
    await press(page, 'k', 'k', 'k');
    await page.locator('.desk-history').getByText('act now').waitFor();
    expect(await isPressed()).toBe('true');
    await tabTo(page, actNow);
    await press(page, 'Space');
    expect(await isPressed()).toBe('false');
    await tabTo(page, page.getByRole('button', { name: 'Save with “2”' }));
    await press(page, 'Enter');
    await page.getByText('Labelled 2, no action today. Saved.').waitFor();
    expect(own().at(-1)).toMatchObject({ label: 2, urgent: false, supersedes: own()[0]!.id });
  });

  browserTest('have Act now apart from the decisions, light and dark, on a phone too', async () => {
    const { links } = await review(records, ['kim'], { more: ['--double', '12'] });
    for (const size of [DESKTOP, TELEPHONE])
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await open(links[0]!, { size, colorScheme });
        const actNow = page.getByRole('button', { name: 'Act now' });
        await actNow.click();
        expect(await page.locator('.decisions').getByText('Act now').count()).toBe(0);
        expect(await seriousFaults(page), colorScheme).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        const bottoms = await page
          .locator('.urgency button, .decision')
          .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().bottom));
        expect(Math.max(...bottoms)).toBeLessThanOrEqual(size.height);
      }
  });
});

describe('the page of a reviewed run with labels', () => {
  browserTest('shows what people decided, leads to the records, is accessible and fits a phone', async () => {
    const own = newFolder();
    const path = join(own, 'reviewed.db');
    const args = ['run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '12', '--run', path];
    const made = await krisis([...args, '--bootstrap', '0'], { cwd: own });
    expect(made.code, made.stderr).toBe(0);
    const { links, stop } = await review(path, ['ann', 'bob'], { more: ['--double', '12'] });
    for (const link of links) {
      const page = await open(link);
      await page.getByText('What is the right decision?').waitFor();
      for (let i = 0; i < 12; i++) await press(page, '5');
      await page.getByText('All seen').waitFor();
      await saved(page);
    }
    await stop();
    const { url } = await viewOf(own);
    for (const size of [DESKTOP, TELEPHONE]) {
      const page = await open(`${url}#/runs/reviewed`, { size });
      const section = page.locator('section[aria-labelledby="review-title"]');
      await section.getByText('24 labels of 2 raters in use.').waitFor();
      await section.getByText('Against the panel').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFaults(page), colorScheme).toEqual([]);
        expect(await overflow(page), colorScheme).toBeLessThanOrEqual(0);
      }
      if (size === TELEPHONE) continue;
      const link = section.locator('tbody th a').first();
      const record = await link.innerText();
      await link.click();
      await page.getByRole('heading', { name: record }).first().waitFor();
    }
  });
});

describe('the test itself', () => {
  browserTest('is rated line by line, and a fault needs a reason', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann'], { more: ['--suite-items'] });
    const page = await open(links[0]!);
    await page.getByText('Is this right?').waitFor();
    await press(page, 'y', 'w');
    await page.getByText('Give the reason first, then choose again.').waitFor();
    await page.keyboard.type('no longer advised');
    await press(page, 'Enter', 'w');
    await page.getByText('Labelled wrong. Saved.').waitFor();
    expect(eventsOf(run).map(({ kind, verdict, reason }) => [kind, verdict, reason])).toEqual([
      ['suite_item', 'right', null],
      ['suite_item', 'wrong', 'no longer advised'],
    ]);
    expect(
      await page.evaluate(
        "fetch('api/review/progress', { headers: { 'krisis-key': localStorage['krisis-key'] } }).then((response) => response.json())",
      ),
    ).toMatchObject({ labelled: 2, skipped: 0 });
  });
});

describe('two reviewers', () => {
  browserTest('label at once in two pages, and a third rules on what they dispute', async () => {
    const run = await questionsRun();
    const both = await review(run, ['ann', 'bob'], { more: ['--double', '99'] });
    const pages = await Promise.all(both.links.map((link) => open(link)));
    for (const page of pages) await page.getByText('Does the answer say this?').waitFor();
    await Promise.all(
      pages.map(async (page, i) => {
        while (!(await page.locator('.desk-body').isHidden())) await press(page, i === 0 ? 'p' : 'a');
        await saved(page);
      }),
    );
    const labelled = eventsOf(run);
    const targets = new Set(labelled.map(({ recordId, itemId }) => `${recordId} ${itemId}`)).size;
    expect(labelled.length).toBe(2 * targets);
    await both.stop();
    const third = await review(run, ['carol'], { more: ['--adjudicate'] });
    const page = await open(third.links[0]!);
    await page.getByText('The labels that disagree').waitFor();
    expect(await page.locator('.desk-decide').innerText()).toMatch(/R1\s+present[\s\S]*R2\s+absent/);
    await press(page, 'a');
    await saved(page);
    expect(eventsOf(run).at(-1)).toMatchObject({ rater: 'R3', role: 'adjudicator', verdict: 'absent' });
  });

  browserTest('of one browser do not label in each other’s name', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann', 'bob']);
    const ann = await open(links[0]!);
    await ann.getByText('Does the answer say this?').waitFor();
    const bob = await ann.context().newPage();
    await bob.goto(links[1]!);
    await bob.getByText('reviewer R2').waitFor();
    await press(ann, 'p');
    await ann.getByText('1 label is not saved. Keep this page open.').waitFor();
    expect(eventsOf(run)).toEqual([]);
    // The page would try again for ever, and the browser logs each refusal.
    await ann.close();
    expect(problems.splice(0).join()).toMatch(/409|403/);
  });
});

describe('a refused label', () => {
  browserTest('stays on the page until the reviewer discards it', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann']);
    const page = await open(links[0]!);
    await page.getByText('Does the answer say this?').waitFor();
    const second = await page.context().newPage();
    await second.goto(`${links[0]!.split('#')[0]}#review`);
    await second.getByText('Does the answer say this?').waitFor();
    await press(page, 'p');
    await saved(page);
    await press(second, 'a');
    await second.getByText('this rater has labelled the target already').waitFor();
    await second.getByText('close one of the two and reload this page').waitFor();
    await second.getByRole('button', { name: 'Discard the refused label' }).click();
    await second.getByText('Discarded the label.').waitFor();
    await second.reload();
    await second.getByText('1 labelled').waitFor();
    expect(eventsOf(run).map(({ verdict }) => verdict)).toEqual(['present']);
  });
});

describe('a review that is not blind', () => {
  browserTest('says so, shows what the judge said, and marks its labels', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann'], { more: ['--not-blind'] });
    const page = await open(links[0]!);
    await page.getByText('This review is not blind.').waitFor();
    await page.getByText('Not blind: what the machine said').waitFor();
    await press(page, 'p');
    await saved(page);
    expect(eventsOf(run)[0]!.blind).toBe(false);
  });
});

describe('a protected run', () => {
  browserTest('leaves nothing in the browser: labels are in memory until they are saved', async () => {
    const run = await questionsRun();
    const { links, stop } = await review(run, ['ann']);
    const asProtected = async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), protected: true } });
    };
    const page = await open(links[0]!, { before: (page) => page.route('**/api/review', asProtected) });
    await page.getByText('Does the answer say this?').waitFor();
    await stop('SIGKILL');
    await press(page, 'p');
    await page.getByText('1 label is not saved. Keep this page open.').waitFor();
    expect(await page.evaluate('Object.keys(localStorage).sort()')).toEqual(['krisis-key', 'krisis-theme']);
    // It would try again for ever.
    await page.close();
    problems.splice(0);
    const path = await packetFor(run, 'bob');
    const { session } = JSON.parse(
      /id="krisis-packet">(.*?)<\/script>/.exec(readFileSync(path, 'utf8'))![1]!,
    );
    const packet = reviewPacket({ ...session, protected: true });
    writeFileSync(path, packetPage(readPacketPage('dist-web'), packet));
    const offline = await openPacket(path);
    await offline.getByText('This packet stores nothing in the browser').waitFor();
    await press(offline, 'p');
    await offline.getByText('They are lost if this page is closed: save the file.').waitFor();
    expect(await offline.evaluate('Object.keys(localStorage)')).toEqual(['krisis-theme']);
  });
});

describe('a server that is killed', () => {
  browserTest('loses no acknowledged label, and gets the others when it is back', async () => {
    const run = await questionsRun();
    const first = await review(run, ['ann']);
    const page = await open(first.links[0]!);
    await page.getByText('Does the answer say this?').waitFor();
    await press(page, 'p');
    await saved(page);
    await first.stop('SIGKILL');
    await press(page, 'a');
    await page.getByRole('alert').getByText('1 label is not saved. Keep this page open.').waitFor();
    expect(await page.locator('.desk-saved').innerText()).toBe('Labelled absent.');
    // Work goes on meanwhile.
    await press(page, 'c');
    await page.getByText('2 labels are not saved.').waitFor();
    expect(eventsOf(run).map(({ verdict }) => verdict)).toEqual(['present']);
    // Leaving the page would ask: labels are unsaved.
    expect(
      await page.evaluate('!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))'),
    ).toBe(true);
    const second = await review(run, ['ann'], { port: first.port });
    const again = await page.context().newPage();
    await again.goto(second.links[0]!);
    await again.getByText('3 labelled').waitFor();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await saved(page);
    expect(eventsOf(run).map(({ verdict }) => verdict)).toEqual(['present', 'absent', 'contradicted']);
    expect(problems.splice(0).every((text) => /Failed to load resource/.test(text))).toBe(true);
  });
});

describe('a packet', () => {
  browserTest(
    'works from disk without a network, saves a file and continues from it, and is imported',
    async () => {
      const run = await questionsRun();
      const path = await packetFor(run, 'ann');
      const page = await openPacket(path);
      await page.getByText('Does the answer say this?').waitFor();
      await press(page, 'p', 'a', 'z', 'c');
      await page.getByText('4 labels are in no file yet.').waitFor();
      // Another visit of the same browser finds them.
      const reopened = await page.context().newPage();
      await reopened.goto(pathToFileURL(path).href);
      await reopened.getByText('2 labelled').waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Control+s')]);
      expect(download.suggestedFilename()).toMatch(/^krisis-review-[0-9a-f]{12}-R1\.json$/);
      const file = join(newFolder(), download.suggestedFilename());
      await download.saveAs(file);
      await page.getByText('A file with all 4 labels was saved.').waitFor();
      // Another browser continues from the file.
      const elsewhere = await openPacket(path);
      await elsewhere.getByText('0 labelled').waitFor();
      await elsewhere.locator('input[type="file"]').setInputFiles(file);
      await elsewhere.getByText('2 labelled').waitFor();
      const { code, stderr } = await krisis(['review', 'import', file, '--run', run]);
      expect(code, stderr).toBe(0);
      expect(eventsOf(run).map(({ verdict, via }) => [verdict, via])).toEqual([
        ['present', 'packet'],
        ['absent', 'packet'],
        ['skip', 'packet'],
        ['contradicted', 'packet'],
      ]);
    },
  );

  browserTest('that was changed says so, and takes no labels', async () => {
    const path = await packetFor(await questionsRun(), 'ann');
    const html = readFileSync(path, 'utf8');
    const changed = join(newFolder(), 'changed.html');
    writeFileSync(changed, html.replace('What about my fistula?', 'What about my fissure?'));
    const page = await openPacket(changed);
    await page.getByText('This packet was changed').waitFor();
    expect(await page.locator('.decision').count()).toBe(0);
    writeFileSync(changed, html.replace('"format":', '"format'));
    const broken = await openPacket(changed);
    await broken.getByText('This packet cannot be opened').waitFor();
  });

  browserTest('refuses the file of another packet, and one that was changed', async () => {
    const [one, other] = [await packetFor(await questionsRun(), 'ann'), await packetFor(records, 'zoe')];
    const page = await openPacket(one);
    await page.getByText('Does the answer say this?').waitFor();
    await press(page, 'p');
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Control+s')]);
    const file = join(newFolder(), 'labels.json');
    await download.saveAs(file);
    const another = await openPacket(other);
    await another.locator('input[type="file"]').setInputFiles(file);
    await another.getByText('saved by another packet').waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('"present"', '"absent"'));
    const again = await openPacket(one);
    await again.locator('input[type="file"]').setInputFiles(file);
    await again.getByText('This file was changed after it was saved').waitFor();
    await again.getByText('0 labelled').waitFor();
  });
});

describe('the review page', () => {
  browserTest('is accessible, light and dark, and fits a phone', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann', 'bob']);
    for (const [i, colorScheme] of (['light', 'dark'] as const).entries()) {
      const page = await open(links[i]!, { colorScheme, ...(i === 1 && { size: TELEPHONE }) });
      await page.getByText('Does the answer say this?').waitFor();
      await press(page, 'p', 'k');
      await page.locator('.desk-history').waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const heights = await page
        .locator('.decision')
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
      // The decision is on the screen without scrolling.
      const bottom = await page
        .locator('.decision')
        .last()
        .evaluate((button) => button.getBoundingClientRect().bottom);
      expect(bottom).toBeLessThanOrEqual(page.viewportSize()!.height);
    }
  });

  browserTest('can be used without single keys, and without a keyboard', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann']);
    const page = await open(links[0]!);
    await page.getByLabel('Single keys are on').uncheck();
    await press(page, 'p', 'a', 'z');
    expect(await heading(page)).toMatch(/^Item 1 of/);
    // A double click is one label.
    await page.getByRole('button', { name: 'Unclear' }).dblclick();
    await saved(page);
    expect(await heading(page)).toMatch(/^Item 2 of/);
    // Reading starts at the new target.
    await page.getByRole('button', { name: 'Absent' }).press('Enter');
    await page.getByText('Labelled absent. Saved.').waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^Item 3 of/);
    expect(eventsOf(run).map(({ verdict }) => verdict)).toEqual(['unclear', 'absent']);
  });
});
