import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Label } from '../src/core/label.ts';
import { reviewFrame } from '../src/review/frame.ts';
import { readRun } from '../src/runs/read-run.ts';
import { renderReport } from '../src/runs/report-formats.ts';
import { readReview, reviewPath, seenTextHash } from '../src/store/review/review-file.ts';
import type { NewReviewLabel, ReviewQueueItem, ReviewSession } from '../src/store/review/review-session.ts';
import { parseExclusions } from '../src/suites/exclusions.ts';
import { parseQuestionSuite } from '../src/suites/questions/question-suite.ts';
import type { SessionPayload } from '../src/viewer/api.ts';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';
import { goodJudge, runInto, textBackend } from './question-run-fixture.ts';
import { type ReviewProcess, startReview } from './review-process.ts';
import { textIn } from './text-in-file.ts';

/** `krisis review` from outside: the command, its server and its packets. */

const folder = temporaryFolder();
const reviews: ReviewProcess[] = [];
afterAll(folder.remove);
afterEach(async () => {
  for (const review of reviews.splice(0)) await review.stop('SIGKILL');
});

let count = 0;
async function questionsRun(): Promise<string> {
  return runInto(folder.file(`questions-${count++}.db`));
}

async function review(...args: Parameters<typeof startReview>): Promise<ReviewProcess> {
  const started = await startReview(...args);
  reviews.push(started);
  return started;
}

/** What a browser does with a reviewer's link. */
async function openDesk(link: string) {
  const { origin, hash } = new URL(link);
  const headers = { authorization: `Bearer ${hash.split('token=')[1]}` };
  const arrived = await fetch(`${origin}/api/session`, { method: 'POST', headers });
  const cookie = arrived.headers.get('set-cookie')!.split(';')[0]!;
  const { key } = (await arrived.json()) as SessionPayload;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { cookie, 'krisis-key': key, ...init.headers } });
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    ask('/api/review/labels', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { origin, 'content-type': 'application/json', ...headers },
    });
  return { ask, post, session: async () => (await ask('/api/review')).json() as Promise<ReviewSession> };
}

function labelOf(
  item: ReviewQueueItem,
  verdict = 'present',
  more: Partial<NewReviewLabel> = {},
): NewReviewLabel {
  const { kind, recordId, repeat, itemId, answerHash, itemHash } = item;
  return {
    ...{ kind, recordId, repeat, itemId, answerHash, itemHash },
    id: randomUUID(),
    verdict,
    label: null,
    urgent: null,
    probability: null,
    reason: null,
    note: null,
    supersedes: null,
    at: new Date().toISOString(),
    ...more,
  };
}

const eventsOf = (run: string) => readReview(reviewPath(run)).events;

const TWELVE_RECORDS = ['run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '12'];

describe('krisis review', () => {
  it('draws a plan once, says what it drew, and continues it', async () => {
    const run = await questionsRun();
    const out = folder.file('packets-continue');
    const drawn = await krisis([
      'review',
      run,
      '--n',
      '5',
      '--double',
      '2',
      '--packet',
      out,
      '--reviewer',
      'ann',
    ]);
    expect(drawn.code, drawn.stderr).toBe(0);
    expect(drawn.stderr).toContain('Recommended: 8 labels over all 2 questions for a first look');
    expect(drawn.stderr).toContain('5 items, 2 of them for two reviewers: 7 labels');
    const again = await krisis(['review', run, '--n', '5', '--packet', out, '--force', '--reviewer', 'ann']);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('Recommended')]);
    expect(readReview(reviewPath(run)).plans).toHaveLength(1);
    const other = await krisis(['review', run, '--n', '6', '--packet', out]);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('the plan draws 5 targets, not 6'),
    ]);
    const double = await krisis(['review', run, '--double', '4', '--packet', out]);
    expect(double.stderr).toContain('the plan has 2 items for two reviewers, not 4');
  });

  it('stores nothing on a dry run', async () => {
    const run = await questionsRun();
    const { code, stdout } = await krisis(['review', run, '--plan', 'verdict', '--dry-run']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('present forbidden')]);
    expect(existsSync(reviewPath(run))).toBe(false);
  });

  it.each([
    ['an empty name', ['--reviewer', '\u202e'], 'cannot be the name of a reviewer'],
    ['a name without end', ['--reviewer', 'x'.repeat(81)], 'cannot be the name of a reviewer'],
    ['a ruling before there is a label', ['--adjudicate'], 'nothing has been labelled yet'],
  ])('refuses %s, and draws no plan', async (_, args, why) => {
    const run = await questionsRun();
    const { code, stderr } = await krisis(['review', run, '--no-open', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(existsSync(reviewPath(run))).toBe(false);
  });
});

describe('the server of a review', () => {
  it('shows a reviewer the queue and nothing of model and judge, and stores labels', async () => {
    const run = await questionsRun();
    const { links } = await review(run, ['ann']);
    const desk = await openDesk(links[0]!);
    const text = JSON.stringify(await desk.session());
    expect(text).not.toMatch(/unit\/model|unit\/judge|contradicted":true|stratum|forbidden/);
    const { queue } = await desk.session();
    expect(queue).toHaveLength(8);
    const label = labelOf(queue[0]!, 'present', { note: '<script>alert(1)</script>' });
    const first = await desk.post(label);
    expect([first.status, await first.json()]).toEqual([200, { id: label.id, at: expect.any(String) }]);
    // Sent again after a lost answer: stored once.
    expect((await desk.post(label)).status).toBe(200);
    expect(eventsOf(run)).toMatchObject([
      {
        id: label.id,
        rater: 'R1',
        verdict: 'present',
        note: '<script>alert(1)</script>',
        blind: true,
        via: 'viewer',
        inclusionProbability: 1,
      },
    ]);
    // A correction names the label that it corrects; both stay.
    const second = labelOf(queue[0]!, 'absent', { supersedes: label.id });
    expect((await desk.post(second)).status).toBe(200);
    expect((await desk.session()).labels.map(({ verdict }) => verdict)).toEqual(['present', 'absent']);
    expect(await (await desk.ask('/api/review/progress')).json()).toEqual({
      open: 7,
      labelled: 1,
      skipped: 0,
    });
  });

  it('serves the review and nothing else, and only with a token', async () => {
    const { links, port } = await review(await questionsRun(), ['ann']);
    const origin = `http://127.0.0.1:${port}`;
    const desk = await openDesk(links[0]!);
    for (const path of ['/api/runs', '/api/runs/questions-0', '/api/compare?runs=x&runs=y'])
      expect((await desk.ask(path)).status).toBe(404);
    for (const path of ['/api/review', '/api/review/progress', '/api/review/labels', '/api/none', '/none'])
      expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 403]);
    const unnamed = { method: 'POST', body: '{}', headers: { origin, 'content-type': 'application/json' } };
    expect((await fetch(`${origin}/api/review/labels`, unnamed)).status).toBe(403);
    const { queue } = await desk.session();
    const label = labelOf(queue[0]!);
    expect((await desk.post(label, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await desk.post(label, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await desk.post('x'.repeat(200_000))).status).toBe(413);
    expect((await desk.post('{')).status).toBe(400);
    expect((await desk.post({ ...label, verdict: 'perhaps' })).status).toBe(400);
    expect((await desk.post({ ...label, answerHash: seenTextHash('another') })).status).toBe(400);
    expect((await desk.post({ ...label, rater: 'R9', role: 'adjudicator', id: 'x' })).status).toBe(400);
    expect((await desk.ask('/api/review', { method: 'DELETE' })).status).toBe(405);
    expect((await desk.ask('/api/review', { method: 'POST', headers: { origin } })).status).toBe(405);
  });

  it('lets reviewers in however many wrong tokens and stale cookies came before', async () => {
    const { links, port } = await review(await questionsRun(), ['ann']);
    const url = `http://127.0.0.1:${port}/api/review`;
    const open = await openDesk(links[0]!);
    const statuses = new Set<number>();
    for (let i = 0; i < 100; i++)
      for (const headers of [{ cookie: `krisis_${port}=stale${i}` }, { authorization: `Bearer wrong${i}` }])
        statuses.add((await fetch(url, { headers: headers as Record<string, string> })).status);
    expect([...statuses].sort()).toEqual([403, 429]);
    expect((await open.session()).queue).toHaveLength(8);
    expect((await (await openDesk(links[0]!)).session()).queue).toHaveLength(8);
  });

  it('takes labels of two reviewers at once, in one process and in two', async () => {
    const run = await questionsRun();
    const one = await review(run, ['ann', 'bob'], { more: ['--double', '8'] });
    const two = await review(run, ['carol']);
    const desks = await Promise.all([...one.links, ...two.links].map(openDesk));
    await Promise.all(
      desks.map(async (desk) => {
        for (const item of (await desk.session()).queue)
          expect((await desk.post(labelOf(item))).status).toBe(200);
      }),
    );
    const events = eventsOf(run);
    const byRater = Object.groupBy(events, ({ rater }) => rater);
    expect([byRater.R1, byRater.R2, byRater.R3].map((own) => own?.length)).toEqual([8, 8, 8]);
  });

  it('loses no label that it acknowledged when it is killed', async () => {
    const run = await questionsRun();
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const server = await review(run, ['ann']);
      const desk = await openDesk(server.links[0]!);
      const session = await desk.session();
      expect(session.labels.map(({ id }) => id)).toEqual(acknowledged);
      const last = new Map(session.labels.map((label) => [label.itemId, label.id]));
      const isDown = new Promise<void>((done) => server.child.once('close', () => done()));
      setTimeout(() => server.child.kill('SIGKILL'), 60 * (round + 1));
      try {
        for (let i = 0; ; i++) {
          const item = session.queue[i % session.queue.length]!;
          const verdict = i % 2 === 0 ? 'present' : 'absent';
          const label = labelOf(item, verdict, { supersedes: last.get(item.itemId!) ?? null });
          const { status } = await desk.post(label);
          expect(status).toBe(200);
          last.set(item.itemId!, label.id);
          acknowledged.push(label.id);
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await isDown;
      const stored = eventsOf(run).map(({ id }) => id);
      expect(stored.slice(0, acknowledged.length)).toEqual(acknowledged);
      // The last one may have been stored without an answer.
      expect(stored.length - acknowledged.length).toBeLessThanOrEqual(1);
      acknowledged.splice(0, Infinity, ...stored);
    }
    expect(acknowledged.length).toBeGreaterThan(0);
  });

  it('goes on with the same links when it is started again', async () => {
    const run = await questionsRun();
    const first = await review(run, ['ann', 'bob']);
    const desk = await openDesk(first.links[0]!);
    const { queue } = await desk.session();
    await first.stop('SIGKILL');
    const second = await review(run, ['ann', 'bob'], { port: first.port });
    expect(second.links).toEqual(first.links);
    expect(new Set(second.links).size).toBe(2);
    // The page that was open all the while.
    expect((await desk.post(labelOf(queue[0]!))).status).toBe(200);
  });

  it('lets a third person rule, and neither of the two', async () => {
    const run = await questionsRun();
    const { links, stop } = await review(run, ['ann', 'bob'], { more: ['--double', '8'] });
    const [ann, bob] = await Promise.all(links.map(openDesk));
    const { queue } = await ann!.session();
    await ann!.post(labelOf(queue[0]!, 'present', { note: 'I see it' }));
    await bob!.post(labelOf(queue[0]!, 'absent'));
    await stop();
    const refused = await krisis(['review', run, '--adjudicate', '--reviewer', 'ann', '--no-open']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('a third person rules on them'),
    ]);
    const third = await review(run, ['carol'], { more: ['--adjudicate'] });
    const desk = await openDesk(third.links[0]!);
    const session = await desk.session();
    expect(session).toMatchObject({ role: 'adjudicator', queue: [{ ratings: [{ note: 'I see it' }, {}] }] });
    expect((await desk.post(labelOf(session.queue[0]!, 'present'))).status).toBe(200);
    const status = await krisis(['review', 'status', run, '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({
      plans: [{ n_ruled: 1, n_disputed: 0 }],
      raters: [{}, {}, {}],
    });
  });
});

describe('a run with labels', () => {
  let run = '';
  beforeAll(async () => {
    const cwd = folder.file('labels');
    mkdirSync(cwd);
    const made = await krisis(['run', 'ckd/staging', '--model', 'simulated/careful', '--n-records', '12'], {
      cwd,
    });
    expect(made.code, made.stderr).toBe(0);
    const runs = join(cwd, '.krisis', 'runs');
    run = join(runs, readdirSync(runs).find((name) => name.endsWith('.db'))!);
  });

  it('is decided blind, and records on which people agree otherwise become an exclusion list', async () => {
    const { links } = await review(run, ['ann', 'bob'], { more: ['--double', '12'] });
    const [ann, bob] = await Promise.all(links.map(openDesk));
    const { queue } = await ann!.session();
    const shown = queue[0]!.shown;
    expect(shown).toMatchObject({ kind: 'record', labels: [1, 2, 3, 4, 5] });
    expect(JSON.stringify(queue)).not.toMatch(/ground_truth|should_abstain|simulated/);
    const truths = new Map(readRun(run, { resamples: 0 }).evaluationResults.map((row) => [row.id, row]));
    const wrong = ({ recordId }: ReviewQueueItem) => (truths.get(recordId)!.groundTruth === 5 ? 1 : 5);
    const right = ({ recordId }: ReviewQueueItem) => {
      const { groundTruth, metadata } = truths.get(recordId)!;
      return metadata.should_abstain === true ? null : groundTruth;
    };
    const decide = async (desk: typeof ann, item: ReviewQueueItem, label: Label | null) => {
      const decision = label === null ? labelOf(item, 'defer') : labelOf(item, 'label', { label });
      expect((await desk!.post({ ...decision, probability: 0.9, reason: 'creatinine' })).status).toBe(200);
    };
    const [both, disputed, alone, fine] = queue as [
      ReviewQueueItem,
      ReviewQueueItem,
      ReviewQueueItem,
      ReviewQueueItem,
    ];
    for (const desk of [ann, bob]) await decide(desk, both, wrong(both));
    await decide(ann, disputed, wrong(disputed));
    await decide(bob, disputed, right(disputed));
    await decide(ann, alone, wrong(alone));
    for (const desk of [ann, bob]) await decide(desk, fine, right(fine));
    const out = folder.file('list.json');
    const applied = await krisis(['review', 'apply', run, '-o', out]);
    expect(applied.code, applied.stderr).toBe(0);
    expect(applied.stderr).toContain(`1 case named by one person, not excluded:\n  ${alone.recordId}\n`);
    const list = JSON.parse(readFileSync(out, 'utf8')) as { records: { id: string }[] };
    expect(list).toMatchObject({ format: 'krisis-exclusions-1', suite: 'ckd/staging' });
    expect(list.records).toEqual([
      { id: both.recordId, reason: 'decided_otherwise', decision: String(wrong(both)), n_raters: 2 },
    ]);
    // The old run read without the record, and a new run without it, have the same rows and are of the same version of the suite.
    const excluded = await krisis(['report', run, '--exclude', out, '--format', 'json', '--bootstrap', '0']);
    expect(excluded.code, excluded.stderr).toBe(0);
    const report = JSON.parse(excluded.stdout);
    expect(report.warnings).toContainEqual(expect.objectContaining({ code: 'records_excluded' }));
    const cwd = folder.file('excluded');
    mkdirSync(cwd);
    const args = [...TWELVE_RECORDS, '--exclude', out];
    const fresh = await krisis([...args, '--run', 'without.db'], { cwd });
    expect(fresh.code, fresh.stderr).toBe(0);
    const results = [
      readRun(run, { exclude: parseExclusions(readFileSync(out, 'utf8')) }),
      readRun(join(cwd, 'without.db')),
    ];
    const [before, after] = results.map((result) => ({
      hash: result.suiteHash,
      n: result.n,
      ids: result.evaluationResults.map(({ id }) => id).sort(),
    }));
    expect(before).toEqual(after);
    expect(before!.ids).not.toContain(both.recordId);
    expect(readRun(run, { resamples: 0 }).suiteHash).not.toBe(before!.hash);
    const other = await krisis(['run', 'ckd/detection', '--model', 'simulated/careful', '--exclude', out], {
      cwd,
    });
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('the list of excluded cases is for ckd/staging'),
    ]);
    // A comparison reads the old run and the new one without the record, as one version of the suite.
    const compare = ['compare', run, join(cwd, 'without.db'), '--bootstrap', '0', '--format', 'json'];
    const compared = await krisis([...compare, '--exclude', out]);
    expect(compared.code, compared.stderr).toBe(0);
    expect(JSON.parse(compared.stdout).models.map(({ n }: { n: number }) => n)).toEqual([
      before!.n,
      before!.n,
    ]);
    const rows = join(cwd, 'rows.csv');
    writeFileSync(rows, 'ground_truth,prediction\n1,1\n');
    const ofRows = await krisis(['compare', run, rows, '--exclude', out]);
    expect([ofRows.code, ofRows.stderr]).toEqual([2, expect.stringContaining('a file of rows has no suite')]);

    const exported = await krisis(['review', 'export', run]);
    const lines = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatchObject({
      record_id: both.recordId,
      rater: 'R1',
      label: wrong(both),
      rater_name: null,
    });
  });
});

describe('a remark that a record is wrong', () => {
  it('excludes a record only when two people agree', async () => {
    const cwd = folder.file('remarks');
    mkdirSync(cwd);
    const args = [...TWELVE_RECORDS, '--run', 'run.db'];
    const made = await krisis([...args, '--bootstrap', '0'], { cwd });
    expect(made.code, made.stderr).toBe(0);
    const path = join(cwd, 'run.db');
    const { links, stop } = await review(path, ['ann', 'bob'], { more: ['--double', '12'] });
    const [ann, bob] = await Promise.all(links.map(openDesk));
    const [one, two] = (await ann!.session()).queue;
    const mark = (desk: typeof ann, item: ReviewQueueItem, verdict = 'wrong') =>
      desk!.post(labelOf({ ...item, kind: 'suite_item' }, verdict, { reason: 'cannot be' }));
    const apply = async () => {
      const { code, stdout, stderr } = await krisis(['review', 'apply', path, '-o', 'list.json', '--force'], {
        cwd,
      });
      expect(code, stderr).toBe(0);
      return { stdout, stderr };
    };
    expect((await mark(ann, one!)).status).toBe(200);
    const alone = await apply();
    expect(alone.stdout).toContain('no case was found wrong by two people or a ruling');
    expect(alone.stderr).toContain(`1 case named by one person, not excluded:\n  ${one!.recordId}\n`);
    expect(existsSync(join(cwd, 'list.json'))).toBe(false);
    await mark(bob, one!);
    await mark(ann, two!);
    await mark(bob, two!, 'ambiguous');
    const agreed = await apply();
    expect([agreed.stdout, agreed.stderr]).toEqual([
      expect.stringContaining('1 case is excluded'),
      expect.not.stringContaining('named by one person'),
    ]);
    expect(JSON.parse(readFileSync(join(cwd, 'list.json'), 'utf8')).records).toEqual([
      { id: one!.recordId, reason: 'marked_wrong', decision: null, n_raters: 2 },
    ]);
    // The person who rules on decisions remarks as one of several.
    for (const [desk, label] of [
      [ann, 1],
      [bob, 5],
    ] as const)
      await desk!.post(labelOf(two!, 'label', { label }));
    await stop();
    const third = await review(path, ['carol'], { more: ['--adjudicate'] });
    const carol = await openDesk(third.links[0]!);
    expect((await mark(carol, two!)).status).toBe(200);
    expect((await carol.session()).labels).toMatchObject([{ kind: 'suite_item', verdict: 'wrong' }]);
    expect(eventsOf(path).at(-1)).toMatchObject({ rater: 'R3', role: 'rater', kind: 'suite_item' });
    expect((await apply()).stdout).toContain('1 case is excluded');
  });
});

describe('the test itself', () => {
  it('is reviewed under a plan of its own, and lines found wrong are named', async () => {
    const run = await questionsRun();
    const items = await review(run, ['ann'], { more: ['--n', '3'] });
    await items.stop();
    const suite = await review(run, ['ann'], { more: ['--suite-items'] });
    const desk = await openDesk(suite.links[0]!);
    const { queue } = await desk.session();
    expect(queue.map(({ kind }) => kind)).toEqual(Array(8).fill('suite_item'));
    const forbidden = queue.find(({ shown }) => JSON.stringify(shown).includes('Recommends juice'))!;
    expect(forbidden.shown).toMatchObject({ claim: 'The answer must not say: Recommends juice' });
    expect((await desk.post(labelOf(forbidden, 'wrong', { reason: 'depends' }))).status).toBe(200);
    expect(eventsOf(run)).toMatchObject([{ kind: 'suite_item', verdict: 'wrong', inclusionProbability: 1 }]);
    expect(readReview(reviewPath(run)).plans.map(({ targets }) => targets)).toEqual(['item', 'suite_item']);
    const { stdout, stderr } = await krisis(['review', 'apply', run]);
    expect([stdout, stderr]).toEqual([
      expect.stringContaining('no case was found wrong'),
      expect.stringContaining(`one person called rubric line ${forbidden.itemId} of missed wrong`),
    ]);
  });
});

describe('packets', () => {
  async function packets(run: string, ...args: string[]) {
    const out = folder.file(`packets-${count++}`);
    const ran = await krisis(['review', run, '--packet', out, ...args]);
    const pages = existsSync(out)
      ? readdirSync(out)
          .sort()
          .map((name) => readFileSync(join(out, name), 'utf8'))
      : [];
    return { ran, pages };
  }

  const dataOf = (page: string) =>
    JSON.parse(/id="krisis-packet">([\s\S]*?)<\/script>/.exec(page)![1]!) as {
      packet: string;
      session: ReviewSession;
    };

  /** What the page saves. */
  function saved(page: string, labels: readonly NewReviewLabel[], more: object = {}): string {
    const { packet, session } = dataOf(page);
    const path = folder.file(`saved-${count++}.json`);
    const sha256 = seenTextHash(JSON.stringify(labels));
    const file = {
      format: 'krisis-review-labels-1',
      packet,
      session: session.id,
      rater: session.rater,
      sha256,
      labels,
    };
    writeFileSync(path, JSON.stringify({ ...file, ...more }));
    return path;
  }

  it('go out as one page for each reviewer, and come back as labels', async () => {
    const run = await questionsRun();
    const { ran, pages } = await packets(run, '--reviewers', 'ann,bob', '--double', '3');
    expect(ran.code, ran.stderr).toBe(0);
    expect(pages).toHaveLength(2);
    const queues = pages.map((page) => dataOf(page).session.queue);
    expect(queues[0]!.length + queues[1]!.length).toBe(11);
    for (const page of pages)
      expect(page).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'/);
    const files = pages.map((page, i) =>
      saved(
        page,
        queues[i]!.map((item) => labelOf(item)),
      ),
    );
    const first = await krisis(['review', 'import', '--run', run, ...files]);
    expect(first.code, first.stderr).toBe(0);
    expect(eventsOf(run)).toHaveLength(11);
    expect(new Set(eventsOf(run).map(({ via, rater }) => `${via} ${rater}`))).toEqual(
      new Set(['packet R1', 'packet R2']),
    );
    const second = await krisis(['review', 'import', '--run', run, ...files]);
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('0 labels imported')]);
    expect(eventsOf(run)).toHaveLength(11);
  });

  it('bring urgency beside the decision, which an export has too', async () => {
    const cwd = folder.file('packet-records');
    mkdirSync(cwd);
    const made = await krisis([...TWELVE_RECORDS, '--run', 'run.db'], { cwd });
    expect(made.code, made.stderr).toBe(0);
    const run = join(cwd, 'run.db');
    const { pages } = await packets(run, '--reviewer', 'ann');
    const { queue } = dataOf(pages[0]!).session;
    expect(queue[0]!.shown).toMatchObject({
      urgencyQuestion: 'Does anything shown need action today, whatever the answer is?',
    });
    const stated = [true, false, null];
    const labels = stated.map((urgent, i) => labelOf(queue[i]!, 'label', { label: 3, urgent }));
    const alone = { ...labelOf(queue[3]!, 'skip'), verdict: undefined, urgent: true };
    const refused = await krisis([
      ...['review', 'import', '--run', run],
      saved(pages[0]!, [...labels, alone as unknown as NewReviewLabel]),
    ]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('verdict')]);
    const imported = await krisis(['review', 'import', '--run', run, saved(pages[0]!, labels)]);
    expect(imported.code, imported.stderr).toBe(0);
    expect(eventsOf(run).map(({ label, urgent }) => [label, urgent])).toEqual(stated.map((is) => [3, is]));
    const exported = await krisis(['review', 'export', run]);
    const lines = exported.stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).urgent)).toEqual(stated);
  });

  it('are refused when they are of another run, were changed, or label what was not in them', async () => {
    const run = await questionsRun();
    const other = await questionsRun();
    const { pages } = await packets(run, '--reviewer', 'ann');
    await packets(other, '--reviewer', 'ann');
    const { queue } = dataOf(pages[0]!).session;
    const label = labelOf(queue[0]!);
    const refuse = async (file: string, where: string, message: string) => {
      const { code, stderr } = await krisis(['review', 'import', '--run', where, file]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    };
    await refuse(saved(pages[0]!, [label]), other, 'has the labels of another run');
    await refuse(
      saved(pages[0]!, [label], { labels: [{ ...label, verdict: 'absent' }] }),
      run,
      'was changed after',
    );
    await refuse(saved(pages[0]!, [label], { packet: '0'.repeat(64) }), run, 'that is not from this review');
    await refuse(
      saved(pages[0]!, [{ ...label, answerHash: seenTextHash('x') }]),
      run,
      'a text other than the one drawn',
    );
    await refuse(saved(pages[0]!, [{ ...label, recordId: 'none' }]), run, 'not in this review');
    await refuse(saved(pages[0]!, [label, labelOf(queue[0]!)]), run, 'has labelled the target already');
    await refuse(folder.file('none.json'), run, 'no such file');
    expect(eventsOf(run)).toEqual([]);
  });
});

describe('a bundle', () => {
  it('takes the labels along on request, and no way from a pseudonym to a name', async () => {
    const run = await questionsRun();
    const { links, stop } = await review(run, ['ann']);
    const desk = await openDesk(links[0]!);
    expect((await desk.post(labelOf((await desk.session()).queue[0]!))).status).toBe(200);
    await stop();
    const cwd = folder.file('bundles');
    mkdirSync(cwd);
    const exported = await krisis(
      ['runs', 'export', run, '-o', 'run.krisis', '--with-review', '--include-features'],
      { cwd },
    );
    expect(exported.code, exported.stderr).toBe(0);
    const imported = await krisis(['runs', 'import', 'run.krisis'], { cwd });
    expect(imported.code, imported.stderr).toBe(0);
    const copy = join(cwd, '.krisis', 'runs', 'run.db');
    expect(eventsOf(copy)).toEqual(eventsOf(run));
    // The same name is a stranger to the copy.
    const again = await krisis(['review', copy, '--packet', join(cwd, 'out'), '--reviewer', 'ann']);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('ann (R2)')]);
  });
});

describe('a file of labels', () => {
  it('becomes labels of the review, once, by item or by line', async () => {
    const run = await questionsRun();
    const file = folder.file('people.jsonl');
    const line = {
      question_id: 'fistula',
      trait: 'advice',
      instruction: 'Feels for the thrill',
      verdict: 'present',
    };
    const lines = [
      { ...line, rater: 'ann', inclusion_probability: 0.5 },
      { ...line, verdict: 'absent', rater: 'bob', inclusion_probability: 0.5 },
    ];
    writeFileSync(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    for (const said of ['2 labels imported', '0 labels imported, 2 already there']) {
      const { code, stdout, stderr } = await krisis(['review', 'import', file, '--run', run]);
      expect([code, stdout], stderr).toEqual([0, expect.stringContaining(said)]);
    }
    expect(eventsOf(run)).toMatchObject([
      { rater: 'R1', verdict: 'present', via: 'file', plan: null, inclusionProbability: 0.5, blind: true },
      { rater: 'R2', verdict: 'absent' },
    ]);
    writeFileSync(file, JSON.stringify({ ...line, instruction: 'Says nothing' }));
    const { code, stderr } = await krisis(['review', 'import', file, '--run', run]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('people.jsonl:1: the run has no such item')]);
  });
});

describe('a protected run', () => {
  const CANARIES = ['quibblewick', '1961-05-03', 'ibuprofen is fine'];
  const QUESTIONS = {
    name: 'ward/advice',
    rubric: { metric_traits: [{ name: 'advice', metrics: ['recall'], tp_instructions: ['Advises rest'] }] },
    questions: [{ id: 'q1', question: 'Zoltan Quibblewick, born 1961-05-03, asks: what now?' }],
  };
  const suite = parseQuestionSuite(QUESTIONS);

  it('shows reviewers no text unless that is allowed', async () => {
    const path = folder.file('protected.db');
    const backend = textBackend(() => 'Rest; ibuprofen is fine.');
    await runInto(path, { suite, backend, judge: goodJudge(), keepText: true });
    const out = folder.file('protected-packets');
    for (const args of [
      ['review', path, '--no-open'],
      ['review', path, '--packet', out],
      ['review', path, '--dry-run'],
    ]) {
      const { code, stderr, stdout } = await krisis(args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('its data are protected')]);
      for (const canary of CANARIES) expect(`${stdout}${stderr}`.toLowerCase()).not.toContain(canary);
    }
    expect(existsSync(out)).toBe(false);
    expect(existsSync(reviewPath(path))).toBe(false);
  });

  it('is reviewed with consent, its texts kept and its questions from their file', async () => {
    const file = folder.file('ward.json');
    writeFileSync(file, JSON.stringify(QUESTIONS));
    const path = folder.file('protected-review.db');
    const backend = textBackend(() => 'Rest, Zoltan Quibblewick.');
    await runInto(path, { suite, backend, judge: goodJudge(), keepText: true });
    const without = await krisis(['review', path, '--include-text', '--no-open']);
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining('does not hold its questions'),
    ]);
    expect(without.stderr).toContain('Add --suite');
    const wrong = await krisis(['review', path, '--include-text', '--suite', 'open/clinical', '--no-open']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not the suite of this run')]);
    const { links } = await review(path, ['ann'], { more: ['--include-text', '--suite', file] });
    const desk = await openDesk(links[0]!);
    const session = await desk.session();
    expect(session).toMatchObject({
      protected: true,
      queue: [{ shown: { question: suite.questions[0]!.question } }],
    });
    expect(JSON.stringify(session.queue[0]!.shown)).toContain('Rest, ');
    expect(
      (await desk.post(labelOf(session.queue[0]!, 'present', { note: 'Quibblewick again' }))).status,
    ).toBe(200);
    const exported = await krisis(['review', 'export', path]);
    expect(exported.stdout.toLowerCase()).not.toContain('quibblewick');
    const whole = await krisis(['review', 'export', path, '--include-text']);
    expect(whole.stdout).toContain('Quibblewick again');
    // The label is on the text that was kept, so it is not stale; the questions are those of this version of the suite.
    expect(readRun(path, { resamples: 0 }).review).toMatchObject({
      items: { counts: { n: 1, used: 1, stale: 0, unchecked: 0 } },
    });
    const bundled = await krisis(['runs', 'export', path, '-o', folder.file('p.krisis'), '--with-review']);
    expect([bundled.code, bundled.stderr]).toEqual([2, expect.stringContaining('reviewers wrote notes')]);
  });

  it('with labels is reviewed with consent from its table, and nothing of the table is stored', async () => {
    const cwd = folder.file('protected-table');
    mkdirSync(cwd);
    const rows = ['C1,Quibblewick mumbles,high,no', 'C2,Quibblewick sings,low,no', 'C3,quiet,low,no'];
    writeFileSync(join(cwd, 'ward.csv'), `case,symptom,risk,defer\n${rows.join('\n')}\n`);
    const fields = 'columns:\n  symptom: { name: Symptom }\nid: case\nlabel: risk\nlabels: [low, high]';
    writeFileSync(
      join(cwd, 'ward.yaml'),
      `name: ward/risk\nfile: ward.csv\n${fields}\nshould_abstain: defer\ninstructions: High or low?\n`,
    );
    const args = ['run', 'ward.yaml', '--model', 'simulated/careful', '--bootstrap', '0', '--run', 'run.db'];
    const made = await krisis(args, { cwd });
    expect(made.code, made.stderr).toBe(0);
    const path = join(cwd, 'run.db');
    const file = join(cwd, 'ward.yaml');
    const packet = join(cwd, 'out');
    for (const more of [[], ['--suite', file], ['--packet', packet, '--suite', file]]) {
      const { code, stdout, stderr } = await krisis(['review', path, '--no-open', ...more]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('its data are protected')]);
      expect(`${stdout}${stderr}`).not.toContain('Quibblewick');
    }
    expect([existsSync(packet), existsSync(reviewPath(path))]).toEqual([false, false]);
    expect(() => reviewFrame(path, { includeText: true })).toThrow(
      expect.objectContaining({ code: 'ERR_REVIEW_NEEDS_SUITE' }),
    );
    const { links } = await review(path, ['ann', 'bob'], {
      more: ['--include-text', '--suite', file, '--double', '3'],
    });
    const desks = await Promise.all(links.map(openDesk));
    for (const desk of desks) {
      const { queue } = await desk.session();
      expect(JSON.stringify(queue)).toContain('Quibblewick sings');
      // The table does not say which cases are emergencies, so that reviewers are not asked either.
      expect(queue[0]!.shown).toMatchObject({ kind: 'record', urgencyQuestion: null });
      for (const item of queue)
        expect((await desk.post(labelOf(item, 'label', { label: 'low' }))).status).toBe(200);
    }
    // Neither stale nor in doubt: the run and the labels are of one version of the suite.
    const { review: found } = readRun(path, { resamples: 0 });
    expect(found?.records).toMatchObject({
      counts: { n: 6, used: 6, stale: 0, unchecked: 0 },
      states: { agreed: 3 },
      foundWrong: [{ recordId: 'C1', people: 'low', suite: 'high' }],
      urgency: { nStated: 0, people: null, peopleReason: 'urgency_not_stated' },
    });
    const outputs = [
      await krisis(['report', path]),
      await krisis(['report', path, '--format', 'json']),
      await krisis(['review', 'status', path]),
      await krisis(['review', 'export', path]),
      await krisis(['review', 'apply', path, '-o', join(cwd, 'list.json')]),
    ];
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    for (const text of [
      ...outputs.map(({ stdout, stderr }) => stdout + stderr),
      textIn(reviewPath(path)),
      textIn(path),
    ])
      expect(text).not.toMatch(/Quibblewick|mumbles|sings|quiet/);
    // Without a version of the suite, nothing says that the texts are the same.
    const unbound = readRun(path, {
      resamples: 0,
      review: { ...readReview(reviewPath(path)), suiteHash: null },
    });
    expect(unbound.review?.records?.counts).toMatchObject({ used: 6, stale: 0, unchecked: 6 });
    expect(await renderReport(unbound, 'text')).toContain('Cannot check whether labels are stale');
    const page = await krisis([
      'review',
      path,
      '--include-text',
      '--suite',
      file,
      '--packet',
      packet,
      '--reviewer',
      'zoe',
    ]);
    expect(page.code, page.stderr).toBe(0);
  });

  it('without kept texts cannot be reviewed', async () => {
    const path = folder.file('protected-no-text.db');
    await runInto(path, { suite, backend: textBackend(() => 'Rest.'), judge: goodJudge() });
    const { code, stderr } = await krisis(['review', path, '--include-text', '--no-open']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the texts of its answers were not stored')]);
  });
});
