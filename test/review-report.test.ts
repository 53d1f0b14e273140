import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewFrame } from '../src/review/frame.ts';
import { drawPlan } from '../src/review/plan.ts';
import { readRun } from '../src/runs/read-run.ts';
import { openReview, readReview, reviewPath } from '../src/store/review/review-file.ts';
import { openRuns } from '../src/viewer/open-runs.ts';
import { runPayload } from '../src/viewer/run-payload.ts';
import { krisis } from './krisis.ts';
import { judgedRun, label } from './reviewed-run.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-review-report-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const at = (...args: string[]) => krisis(args, { cwd });
const run = join(cwd, 'reviewed.db');

beforeAll(async () => {
  const { say } = await judgedRun(run);
  label(run, say, { kind: 'random', n: 150, double: 60 });
});

interface Corrected {
  readonly name: string;
  readonly raw: { readonly value: number };
  readonly corrected: { readonly value: number; readonly lower: number; readonly upper: number } | null;
  readonly reason: string | null;
  readonly not_corrected: string | null;
  readonly n_labels: number;
}

async function json(...args: string[]) {
  const { stdout } = await at('report', 'reviewed.db', '--json', '--no-include-results', ...args);
  return JSON.parse(stdout) as {
    review?: { items: { corrected: Corrected[]; agreement: unknown[]; counts: object; plan: object } };
    judge: { calibrated: boolean; calibration: { n_double_rated: number } | null };
  };
}

describe('krisis report of a reviewed run', () => {
  it('has corrected scores, agreement, the plan and the counts of labels in JSON', async () => {
    const { review, judge } = await json();
    const recall = review!.items.corrected.find(({ name }) => name === 'safety.recall')!;
    expect(recall.corrected!.lower).toBeLessThan(recall.corrected!.value);
    expect(recall.reason).toBeNull();
    expect(review!.items.plan).toMatchObject({ kind: 'random', n_drawn: 150, n_settled: 150, seed: 1 });
    expect(review!.items.counts).toMatchObject({ n: 210, used: 210, stale: 0, unblinded: 0, hand_picked: 0 });
    expect(review!.items.agreement).toMatchObject([
      { trait: null, people: { n: 60, observed: 1 }, judge: { n: 150 } },
    ]);
    expect(judge.calibration!.n_double_rated).toBe(60);
    const own = readRun(run).review!.items!.corrected.find(({ name }) => name === 'safety.recall')!;
    expect(recall.corrected).toEqual(own.corrected);
    expect(recall.raw.value).toBe(own.raw.value);
  });

  it('does not say of a judge with too few labels that it was not compared with people', () => {
    const all = readReview(reviewPath(run));
    const few = { ...all, events: all.events.slice(0, 40) };
    const { warnings } = readRun(run, { resamples: 0, review: few });
    expect(warnings).toContainEqual({
      code: 'judge_not_calibrated',
      message: expect.stringContaining('it was compared with the labels of the review, which are too few'),
    });
  });

  it('puts the corrected score first and the raw one beside it, in text, Markdown, HTML and LaTeX', async () => {
    const own = readRun(run).review!.items!.corrected.find(({ name }) => name === 'safety.recall')!;
    const value = own.corrected!.value.toFixed(3);
    const { stdout } = await at('report', 'reviewed.db');
    expect(stdout).toContain(`recall: ${value} (`);
    expect(stdout.replace(/\s+/g, ' ')).toContain("corrected for the judge's errors;");
    expect(stdout).toContain('Human review');
    expect(stdout.replace(/\s+/g, ' ')).toContain('precision: ');
    expect(stdout.replace(/\s+/g, ' ')).toContain('not corrected: it is not a share of given items');
    for (const format of ['md', 'html', 'latex']) {
      const { stdout: text } = await at('report', 'reviewed.db', '--format', format);
      expect([format, text.includes(value)]).toEqual([format, true]);
    }
  });

  it('is verified as the run was sealed, before anyone labelled it', async () => {
    const { code, stdout } = await at('runs', 'verify', 'reviewed.db');
    expect([code, stdout]).toEqual([0, expect.stringContaining('the sealed scores are those of the rows')]);
  });

  it('leaves labels out on request, and reads those of another place', async () => {
    expect((await json('--no-review')).review).toBeUndefined();
    copyFileSync(join(cwd, 'reviewed.review.db'), join(cwd, 'copy.review.db'));
    const { review } = await json('--review', 'copy.review.db');
    expect(review!.items.counts).toMatchObject({ used: 210 });
  });

  it('gates on the lower bound of a corrected score', async () => {
    const { lower, upper } = readRun(run).review!.items!.corrected.find(
      ({ name }) => name === 'safety.recall',
    )!.corrected!;
    const gate = (limit: number) =>
      at('report', 'reviewed.db', '--assert', `lower(corrected(safety.recall)) >= ${limit.toFixed(4)}`);
    expect((await gate(lower! - 0.001)).code).toBe(0);
    expect((await gate(upper! + 0.001)).code).toBe(1);
    const without = await at(
      'report',
      'reviewed.db',
      '--no-review',
      '--assert',
      'lower(corrected(safety.recall)) >= 0.1',
    );
    expect(without.code).toBe(3);
    expect(without.stdout).toContain('corrected(safety.recall) is not corrected: no labels of people');
    const wrong = await at('report', 'reviewed.db', '--assert', 'corrected(answer_rate) >= 0.1');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("answer_rate is not a judge's score");
  });

  it('says that labels cannot be read, and still reports the run', async () => {
    copyFileSync(run, join(cwd, 'broken.db'));
    writeFileSync(join(cwd, 'broken.review.db'), 'not a database');
    const { code, stdout } = await at('report', 'broken.db');
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('The labels of people on this run cannot be read');
    expect((await at('report', 'reviewed.db', '--review', 'broken.review.db')).code).toBe(2);
    expect((await at('report', 'reviewed.db', '--review', 'missing.review.db')).code).toBe(2);
  });
});

describe('krisis report of reviewed records', () => {
  const path = join(cwd, 'records.db');

  it('rates the model and the labels of the suite by what people decided', async () => {
    const made = await at(
      'run',
      'ckd/detection',
      '--n-records',
      '60',
      // Among the records that are drawn with this seed every one has a decision of the suite.
      '--seed',
      '7',
      '--model',
      'simulated/careful',
      '--run',
      'records.db',
    );
    expect(made.code).toBe(0);
    const rows = new Map([...readRun(path).rows()].map((row) => [row.id, row]));
    const frame = reviewFrame(path);
    const { plan, draws } = drawPlan(frame, { kind: 'random', n: 20, double: 10 });
    const review = openReview(reviewPath(path), frame);
    review.addPlan(plan, draws);
    const raters = ['ann', 'bob'].map((name) => review.rater(name).id);
    // People decide as the suite does, but for the first two records.
    const decided = draws.flatMap((draw, i) => {
      const row = rows.get(draw.recordId)!;
      const isDeferred = (row.metadata.should_abstain === true) !== i < 2;
      const { position: _p, raters: nRaters, ...target } = draw;
      return raters.slice(0, nRaters).map((rater) => ({
        ...target,
        id: `e${i}-${rater}`,
        rater,
        role: 'rater' as const,
        verdict: isDeferred ? 'defer' : 'label',
        label: isDeferred ? null : (row.groundTruth ?? 'present'),
        // The first record is an emergency for people alone.
        urgent: i === 0 ? row.metadata.must_act !== true : row.metadata.must_act === true,
        probability: null,
        reason: null,
        note: null,
        blind: true,
        guideline: plan.guideline,
        supersedes: null,
        at: '2026-11-16T12:00:00.000Z',
        via: 'file' as const,
      }));
    });
    review.append(decided);
    review.close();
    const { stdout } = await at('report', 'records.db', '--json', '--no-include-results');
    const { review: found, panel } = JSON.parse(stdout);
    expect(found.records.counts).toMatchObject({ n: 30, used: 30, stale: 0, unmatched: 0 });
    expect(found.records.found_wrong.map(({ record_id }: { record_id: string }) => record_id).sort()).toEqual(
      draws
        .slice(0, 2)
        .map(({ recordId }) => recordId)
        .sort(),
    );
    // An emergency without a derivable answer has no decision to agree with.
    const drawn = draws.map(({ recordId }) => rows.get(recordId)!);
    const nDecided = drawn.filter(
      ({ groundTruth, metadata }) => metadata.should_abstain === true || groundTruth !== null,
    ).length;
    const nMarked = drawn.filter(({ metadata }) => typeof metadata.must_act === 'boolean').length;
    expect(found.records.suite).toMatchObject({ n: nDecided, observed: (nDecided - 2) / nDecided });
    expect(found.records.people).toMatchObject({ n: 10, observed: 1 });
    expect(found.records.urgency).toMatchObject({
      n_stated: 20,
      people: { n: 10, observed: 1 },
      suite: { n: nMarked, observed: (nMarked - 1) / nMarked },
      differing: [{ record_id: draws[0]!.recordId }],
    });
    const right = decided
      .filter(({ rater }) => rater === raters[0])
      .filter(({ recordId, verdict, label }) => {
        const { state, prediction } = rows.get(recordId)!;
        return verdict === 'defer' ? state === 'abstained' : state === 'answered' && prediction === label;
      });
    expect(found.records.model_right.value).toBeCloseTo(right.length / 20, 12);
    expect(panel).toMatchObject({ n_records: 20, n_raters: 2, panel: { value: 1, n: 10 } });
    const text = (await at('report', 'records.db')).stdout.replace(/\s+/g, ' ');
    expect(text).toContain('2 cases on which people disagree with the suite');
    expect(text).toContain('Agreement with the panel:');
    expect(text).toContain('1 case on which people and the suite differ about an emergency');
    expect(text).toContain("Emergencies: the panel's own agreement is 1.000");
  });

  it('is shown by the viewer, with a label that was given while it was open', () => {
    const runs = openRuns({ run: path });
    const shown = () =>
      JSON.stringify(runPayload(runs, { id: 'records' }).sections.find(({ id }) => id === 'review')!.blocks);
    expect(shown()).toContain('30 labels of 2 raters in use.');
    expect(shown()).toContain('20 cases decided by 2 raters');
    const review = openReview(reviewPath(path), reviewFrame(path));
    const last = review.read().events.at(-1)!;
    review.append([{ ...last, id: 'later', verdict: 'cannot_tell', label: null, supersedes: last.id }]);
    review.close();
    expect(shown()).toContain('30 labels of 2 raters in use; in no number: 1 corrected by their rater.');
    expect(shown()).toContain('Computed from the first 31 labels of the review, the last one later.');
    runs.close();
  });
});

describe('labels beside a run that they do not belong to', () => {
  const records = join(cwd, 'records.db');
  const beside = (name: string, file: string) => {
    const copy = join(cwd, `${name}.db`);
    copyFileSync(file, copy);
    copyFileSync(reviewPath(records), reviewPath(copy));
    return copy;
  };

  it('are in no number where they are of another run', () => {
    const { review, warnings } = readRun(beside('other', run), { resamples: 0 });
    expect(review).toBeNull();
    expect(warnings).toContainEqual({
      code: 'review_unreadable',
      message: expect.stringContaining('is the review of another run'),
    });
  });

  it('are stale where the records have other texts now: neither the review nor the panel uses them', () => {
    const copy = beside('changed', records);
    const db = new DatabaseSync(copy);
    db.exec("UPDATE records SET features = json_set(features, '$.age', 1)");
    db.close();
    const { review, panel } = readRun(copy, { resamples: 0 });
    expect(review!.records!.counts).toMatchObject({ used: 0, stale: 30 });
    expect(panel).toBeNull();
  });
});

describe('krisis report against a panel', () => {
  beforeAll(async () => {
    await at(
      'run',
      'ckd/detection',
      '--n-records',
      '40',
      '--model',
      'simulated/careful',
      '--run',
      'labels.db',
    );
  });

  /** Three clinicians: two decide as the model, one always defers. */
  function panel(name: string): string {
    const rows = [...readRun(join(cwd, 'labels.db')).rows()];
    for (const { id, prediction } of rows.filter(({ state }) => state === 'answered'))
      for (const rater of ['ann', 'bob', 'eve'])
        appendFileSync(
          join(cwd, name),
          `${JSON.stringify(rater === 'eve' ? { record_id: id, rater, verdict: 'defer' } : { record_id: id, rater, label: prediction })}\n`,
        );
    return name;
  }

  it('states agreement with the panel beside the panel’s own, and gates on it', async () => {
    const file = panel('panel.jsonl');
    const { stdout, code } = await at('report', 'labels.db', '--panel', file, '--json');
    expect(code).toBe(0);
    const { panel: found, metrics } = JSON.parse(stdout);
    expect(found.model.value).toBeCloseTo(2 / 3, 12);
    // Ann and Bob agree with one of two others, Eve with none.
    expect(found.panel.value).toBeCloseTo(1 / 3, 12);
    expect(metrics.panel_agreement.value).toBeCloseTo(2 / 3, 12);
    const text = await at('report', 'labels.db', '--panel', file, '--assert', 'panel_agreement >= 0.6');
    expect(text.code).toBe(0);
    expect(text.stdout.replace(/\s+/g, ' ')).toContain('Agreement with the panel: 0.667');
    expect(
      (await at('report', 'labels.db', '--panel', file, '--assert', 'panel_agreement >= 0.7')).code,
    ).toBe(1);
    const without = await at('report', 'labels.db', '--assert', 'panel_agreement >= 0.6');
    expect(without.code).toBe(3);
    expect(without.stdout).toContain('panel_agreement needs decisions of people');
  });

  it('refuses what it cannot read, and reviews of another suite', async () => {
    writeFileSync(join(cwd, 'wrong.jsonl'), '{"record_id":"r1"}\n');
    const wrong = await at('report', 'labels.db', '--panel', 'wrong.jsonl');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('wrong.jsonl:1:')]);
    const other = await at('report', 'labels.db', '--panel', 'reviewed.db');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('review of another suite')]);
    const text = await at('report', 'reviewed.db', '--panel', 'panel.jsonl');
    expect(text.code).toBe(2);
  });
});
