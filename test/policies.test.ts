import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findSuite } from '../src/domains/find-suite.ts';
import { createBackend } from '../src/models/create-backend.ts';
import type { Suite } from '../src/suites/suite.ts';
import { krisis } from './krisis.ts';
import { POLICIES, type Policy, RECOMMENDED_GATE } from './policies.ts';
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

/** No headline lets an unsafe model pass: each policy has one fault, and every first screen names it. */

const folder = newFolder();
const file = ({ name }: Policy) => join(folder, 'runs', `${name}.db`);
const [base, ...faulty] = POLICIES;
const gate = RECOMMENDED_GATE.flatMap((condition) => ['--assert', condition]);
/** What `run` printed, by policy. */
const screens = new Map<string, { readonly code: number | null; readonly stdout: string }>();
let view: Viewed | undefined;

beforeAll(async () => {
  mkdirSync(join(folder, 'runs'));
  const suite = (await findSuite('ckd/staging', {})) as Suite;
  const records = await suite.load();
  const guideline = await createBackend('baseline/guideline-defer', suite, { seed: 42 });
  const places = new Map<string, number>();
  const given = await Promise.all(
    records.map(async (record) => {
      const kind = String([record.metadata.must_act, record.metadata.should_abstain]);
      const place = places.get(kind) ?? 0;
      places.set(kind, place + 1);
      const { prediction, abstained, urgent } = await guideline.evaluate(record, suite.task);
      return { record, place, task: suite.task, base: { prediction, abstained, urgent } };
    }),
  );
  for (const policy of POLICIES) {
    const rows = given.flatMap((each) => {
      const answer = policy.answer(each);
      return answer === null ? [] : [{ id: each.record.id, ground_truth: each.record.label, ...answer }];
    });
    writeFileSync(
      join(folder, `${policy.name}.jsonl`),
      rows.map((row) => `${JSON.stringify({ abstained: false, ...row })}\n`).join(''),
    );
    const ran = await krisis(
      ['run', 'ckd/staging', '--model', `replay/${policy.name}.jsonl`, '--run', file(policy), ...gate],
      { cwd: folder },
    );
    screens.set(policy.name, ran);
  }
  if (canBrowse) view = await viewOf(join(folder, 'runs'));
}, 600_000);

const SCREEN = { width: 1440, height: 900 };
const hashOf = ({ name }: Policy) => encodeURIComponent(name);

/** The path of the report of a policy, which is written once. */
async function htmlReport(policy: Policy): Promise<string> {
  const path = join(folder, `${policy.name}.html`);
  if (!existsSync(path)) await krisis(['report', file(policy), '--format', 'html', '-o', path]);
  return path;
}

/** The first screens: its line in the list of runs, its page, a comparison, its report. */
async function addresses(policy: Policy): Promise<string[]> {
  const run = hashOf(policy);
  return [
    `${view!.url}#/?q=${run}`,
    `${view!.url}#/runs/${run}`,
    `${view!.url}#/compare?runs=${hashOf(base!)}&runs=${run}`,
    pathToFileURL(await htmlReport(policy)).href,
  ];
}

/** The text inside the window. */
function textOnScreen(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const seen = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { width, top, bottom, right } = range.getBoundingClientRect();
      if (width > 1 && top >= 0 && bottom <= innerHeight && right <= innerWidth)
        seen.push(texts.currentNode.textContent);
    }
    return seen.join('').replace(/\\s+/g, ' ');
  })()`);
}

async function expectOnScreen(page: Page, { sentence }: Policy): Promise<void> {
  const isShown = expect.poll(() => textOnScreen(page), { message: page.url(), timeout: 60_000 });
  await isShown.toMatch(sentence!);
}

const FAULTS = faulty.map(({ sentence }) => sentence!);
const firstScreen = (text: string) => text.split('\n').slice(0, 40).join('\n');

describe.each(faulty)('$name', (policy) => {
  it('is named on the first screen of run', () => {
    expect(firstScreen(screens.get(policy.name)!.stdout)).toMatch(policy.sentence!);
  });

  it('fails the recommended gate where it should, and nowhere else', async () => {
    const { code } = screens.get(policy.name)!;
    const report = await krisis(['report', file(policy), '--json', ...gate]);
    const gates = JSON.parse(report.stdout).gates as { text: string; status: string }[];
    const named = (status: string) =>
      gates.filter((each) => each.status === status).map(({ text }) => /[a-z_]+_[a-z_]+/.exec(text)![0]);
    if (policy.fails === 'undecided') {
      expect([code, named('fail')]).toEqual([3, []]);
      expect(named('undecided')).toContain('missed_emergency_rate');
    } else expect([code, named('fail')]).toEqual([1, [...policy.fails]]);
  });

  it('is named in a comparison, and never called better', async () => {
    const { stdout } = await krisis(['compare', file(base!), file(policy)]);
    expect(firstScreen(stdout)).toMatch(policy.sentence!);
    expect(stdout).not.toMatch(/\bbetter: /);
  });

  it('is named in the HTML report before any table', async () => {
    const html = readFileSync(await htmlReport(policy), 'utf8');
    const text = html.slice(0, html.indexOf('<table')).replaceAll(/<[^>]+>/g, ' ');
    expect(text).toMatch(policy.sentence!);
  });

  browserTest(
    'is seen without scrolling in the list, on the page, in a comparison and a report',
    async () => {
      for (const address of await addresses(policy)) {
        const page = await open(address, { size: SCREEN });
        await expectOnScreen(page, policy);
      }
    },
  );

  browserTest('is the title on a telephone', async () => {
    const page = await open(`${view!.url}#/runs/${hashOf(policy)}`, { size: TELEPHONE });
    const title = page.locator('#board-title');
    // A title has room for the gravest fault.
    const [gravest] = policy.sentence!.source.split('[\\s\\S]*');
    expect(await title.innerText()).toMatch(new RegExp(gravest!));
    const { y, height } = (await title.boundingBox())!;
    expect(y + height).toBeLessThan(TELEPHONE.height);
  });
});

describe('the policy without a fault', () => {
  it('passes the recommended gate, and no sentence names a fault', async () => {
    const { code, stdout } = screens.get(base!.name)!;
    expect([code, FAULTS.filter((fault) => fault.test(stdout))]).toEqual([0, []]);
  });
});

describe('the four screens', () => {
  browserTest('have nothing serious for axe to find, and are not too wide, in light and dark', async () => {
    const policy = faulty.find(({ name }) => name === 'silent-in-emergencies')!;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const address of await addresses(policy)) {
        const page = await open(address, { size: SCREEN, colorScheme });
        await expectOnScreen(page, policy);
        expect([address, await seriousFaults(page)]).toEqual([address, []]);
        expect([address, await overflow(page)]).toEqual([address, 0]);
      }
  });
});
