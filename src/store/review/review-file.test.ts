import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listRuns, runNames } from '../list-runs.ts';
import { namedPlan, openReview, readReview, readRunReview, reviewPath, seenTextHash } from './review-file.ts';
import type { ReviewEvent } from './review-schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-review-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RUN = { runId: '7b0f4a7e-9d4a-4d53-8f4f-0d7f0a3f3a11', suiteHash: 'a'.repeat(64) };
const texts = { answerHash: seenTextHash('Take paracetamol.'), itemHash: seenTextHash('Names paracetamol') };
const target = { kind: 'item', recordId: 'q1', repeat: 0, itemId: 'abc' } as const;
const drawn = { stratum: 'all', inclusionProbability: 0.5 };

const { plan, draws } = namedPlan(
  {
    kind: 'random',
    targets: 'item',
    n: 1,
    seed: 1,
    frameSize: 2,
    frameHash: 'b'.repeat(64),
    strata: [{ id: 'all', size: 2, n: 1, inclusionProbability: 0.5 }],
    nDouble: 0,
    guideline: 'krisis/1',
    guidelineText: null,
    judge: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  [{ ...target, ...texts, ...drawn, position: 0, raters: 1 }],
);

const record = {
  kind: 'record',
  itemId: null,
  plan: null,
  stratum: null,
  inclusionProbability: null,
} as const;

const event = (id: string, more: Partial<ReviewEvent> = {}): ReviewEvent => ({
  ...target,
  ...texts,
  ...drawn,
  id,
  rater: 'R1',
  role: 'rater',
  verdict: 'present',
  label: null,
  urgent: null,
  probability: null,
  reason: null,
  note: null,
  blind: true,
  plan: plan.id,
  guideline: 'krisis/1',
  supersedes: null,
  at: '2026-01-01T00:00:00.000Z',
  via: 'viewer',
  ...more,
});

let number = 0;
let path = '';
beforeEach(() => {
  path = join(folder, `${number++}.review.db`);
});

function review() {
  const file = openReview(path, RUN);
  file.addPlan(plan, draws);
  return file;
}

/** Changes a closed file with SQL. */
function edit(sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

const refused = (work: () => unknown, code: string, message: RegExp) =>
  expect(work).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));

describe('a review file', () => {
  it('keeps plans, draws, labels and their order', () => {
    const file = review();
    expect(file.append([event('1'), event('2', { rater: 'R2', verdict: 'absent', note: 'sure' })])).toBe(2);
    file.close();
    const read = readReview(path);
    expect(read).toMatchObject({ ...RUN, plans: [plan], draws, head: { id: '2', n: 2 } });
    expect(read.events.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['1', 'present'],
      ['2', 'absent'],
    ]);
  });

  it('is read while it is written', () => {
    const file = review();
    file.append([event('1')]);
    expect(readReview(path).events).toHaveLength(1);
    file.close();
  });

  it('stores a label once, however often it is sent', () => {
    const file = review();
    file.append([event('1')]);
    expect(file.append([event('1', { at: '2026-01-02T00:00:00.000Z' })])).toBe(0);
    refused(
      () => file.append([event('1', { verdict: 'absent' })]),
      'ERR_REVIEW_LABEL',
      /another label has this id/,
    );
    expect(file.read().events).toHaveLength(1);
    file.close();
  });

  it('keeps all labels that came together, or none', () => {
    const file = review();
    refused(
      () => file.append([event('1'), event('2')]),
      'ERR_REVIEW_LABEL',
      /has labelled the target already/,
    );
    expect(file.read().events).toEqual([]);
    file.close();
  });

  it('lets a rater correct an own label once, and keeps both', () => {
    const file = review();
    file.append([event('1'), event('2', { verdict: 'absent', supersedes: '1' })]);
    expect(file.read().events).toHaveLength(2);
    refused(() => file.append([event('3', { supersedes: '1' })]), 'ERR_REVIEW_LABEL', /corrected already/);
    refused(
      () => file.append([event('3', { rater: 'R2', supersedes: '2' })]),
      'ERR_REVIEW_LABEL',
      /no label of this rater/,
    );
    refused(
      () => file.append([event('3', { supersedes: '0' })]),
      'ERR_REVIEW_LABEL',
      /no label of this rater/,
    );
    file.close();
  });

  it('lets only a third person rule on a disagreement', () => {
    const file = review();
    file.append([event('1'), event('2', { rater: 'R2', verdict: 'absent' })]);
    refused(
      () => file.append([event('3', { role: 'adjudicator' })]),
      'ERR_REVIEW_LABEL',
      /is not one of its raters/,
    );
    expect(file.append([event('3', { rater: 'R3', role: 'adjudicator' })])).toBe(1);
    file.close();
  });

  it.each<[string, Partial<ReviewEvent>]>([
    ['a verdict of another kind', { verdict: 'right' }],
    ['a label without need', { label: 'x' }],
    ['urgency of something that is no record', { urgent: true }],
    ['urgency in place of a decision', { ...record, verdict: 'act' }],
    ['urgency alone', { ...record, urgent: true, verdict: '' }],
    ['a probability above 1', { probability: 1.5 }],
    ['a hash that is none', { answerHash: 'x' }],
    ['a note that is too long', { note: 'x'.repeat(10_001) }],
    ['a rater who is no pseudonym', { rater: 'Ann' }],
    ['another probability of being drawn', { inclusionProbability: 0.9 }],
    ['a plan that is not there', { plan: 'none' }],
    ['a target that was not drawn', { itemId: 'other' }],
    ['another answer than was drawn', { answerHash: seenTextHash('other') }],
  ])('refuses %s', (_, more) => {
    const file = review();
    refused(() => file.append([event('1', more)]), 'ERR_REVIEW_LABEL', /label 1: /);
    file.close();
  });

  it('keeps urgency beside the decision, and notices that it was edited', () => {
    const file = review();
    const decided = { ...record, verdict: 'label', label: 'G1' };
    const said = [true, false, null].map((urgent, i) =>
      event(`${i}`, { ...decided, recordId: `r${i}`, urgent }),
    );
    expect(file.append(said)).toBe(3);
    file.close();
    expect(readReview(path).events.map(({ label, urgent }) => [label, urgent])).toEqual([
      ['G1', true],
      ['G1', false],
      ['G1', null],
    ]);
    edit(`UPDATE events SET content = replace(content, '"urgent":true', '"urgent":false')`);
    refused(() => readReview(path), 'ERR_REVIEW_FILE', /changed|edited/);
  });

  it('takes a label picked by hand, which has no probability', () => {
    const file = review();
    const byHand = { plan: null, stratum: null, inclusionProbability: null, itemId: 'other' };
    expect(file.append([event('1', byHand)])).toBe(1);
    file.close();
  });

  it('gives reviewers pseudonyms, and knows them again', () => {
    const file = review();
    expect(file.rater('Ann')).toEqual({ id: 'R1', name: null });
    expect(file.rater('Bob', { named: true })).toEqual({ id: 'R2', name: 'Bob' });
    expect(file.rater(' ann ')).toEqual({ id: 'R1', name: null });
    file.close();
    expect(readReview(path).raters).toEqual([
      { id: 'R1', name: null },
      { id: 'R2', name: 'Bob' },
    ]);
  });

  it('gives each reviewer a link that stays the same, and that a copy of the file does not reveal', () => {
    const file = review();
    const token = file.linkToken('R1', 'rater');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(file.linkToken('R1', 'adjudicator')).not.toBe(token);
    expect(file.linkToken('R2', 'rater')).not.toBe(token);
    file.close();
    const again = review();
    expect(again.linkToken('R1', 'rater')).toBe(token);
    vi.stubEnv('KRISIS_CONFIG_DIR', join(folder, 'settings of another user'));
    expect(again.linkToken('R1', 'rater')).not.toBe(token);
    vi.unstubAllEnvs();
    again.close();
  });

  it.each([
    ['a verdict', `UPDATE events SET content = replace(content, '"present"', '"absent"') WHERE id = '1'`],
    ['a rater', `UPDATE events SET rater = 'R9' WHERE id = '1'`],
    ['a label taken out of the middle', `DELETE FROM events WHERE id = '1'`],
  ])('notices that it was edited: %s', (_, sql) => {
    const file = review();
    file.append([event('1'), event('2', { rater: 'R2' })]);
    file.close();
    edit(sql);
    refused(() => readReview(path), 'ERR_REVIEW_FILE', /was changed: label/);
  });

  it('notices that a plan was edited', () => {
    review().close();
    edit(`UPDATE plans SET content = replace(content, '"seed":1', '"seed":2')`);
    refused(() => readReview(path), 'ERR_REVIEW_FILE', /was changed: plan/);
  });

  it.each([
    ['a view', 'CREATE VIEW v AS SELECT 1'],
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END'],
    ['another table', 'CREATE TABLE more (x)'],
    ['a label that is no JSON', `UPDATE events SET content = 'x'`],
    ['a label that is a number', 'UPDATE events SET content = 5'],
    ['a label of another form', `UPDATE events SET content = '{}'`],
    ['a rater without a name', `UPDATE raters SET name = x'00ff'`],
    ['another application', 'PRAGMA application_id = 1'],
  ])('refuses a file with %s', (_, sql) => {
    const file = review();
    file.rater('Ann');
    file.append([event('1')]);
    file.close();
    edit(sql);
    refused(() => readReview(path), 'ERR_REVIEW_FILE', /review/);
  });

  it('says that a file is newer', () => {
    review().close();
    edit('PRAGMA user_version = 99');
    refused(() => readReview(path), 'ERR_REVIEW_FILE', /newer Krisis/);
  });

  it('refuses the review of another run', () => {
    review().close();
    refused(() => openReview(path, { ...RUN, runId: null }), 'ERR_REVIEW_FILE', /of another run/);
  });

  it('can be read by its owner only', () => {
    review().close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('lies beside its run, and is not taken for a run', () => {
    expect(reviewPath('runs/a.db')).toBe('runs/a.review.db');
    review().close();
    expect([runNames(folder), listRuns(folder)]).toEqual([[], { runs: [], unreadable: [] }]);
    expect(readRunReview(join(folder, 'none.db'))).toBeNull();
    refused(() => readReview(join(folder, 'none.review.db')), 'ERR_REVIEW_FILE', /no such review/);
    expect(existsSync(join(folder, 'none.review.db'))).toBe(false);
  });
});
