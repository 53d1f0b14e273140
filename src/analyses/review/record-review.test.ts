import { describe, expect, it } from 'vitest';
import type { EmergencyRule } from '../../core/decision-class.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { Review, ReviewEvent, ReviewPlan } from '../../store/review/review-schema.ts';
import { type DecidedRow, decidedRow } from './decisions.ts';
import { panelLabels, panelReport, panelScore, parsePanelLabels } from './panel.ts';
import { recordReview } from './record-review.ts';

const LABELS = ['G1', 'G2'];
const HASH = 'a'.repeat(64);

function row(n: number, said: Partial<Parameters<typeof decidedRow>[0]>): DecidedRow {
  const plain = evaluationResult({ id: `r${n}`, prediction: 'G1', groundTruth: 'G1' });
  return decidedRow({ ...plain, repeat: 0, ...said }, 'patient');
}

let nEvents = 0;

/** A decision: a label, or `defer`. */
function decide(n: number, rater: string, said: string, more: Partial<ReviewEvent> = {}): ReviewEvent {
  nEvents += 1;
  const isLabel = LABELS.includes(said);
  return {
    kind: 'record',
    recordId: `r${n}`,
    repeat: 0,
    itemId: null,
    id: `e${nEvents}`,
    rater,
    role: 'rater',
    verdict: isLabel ? 'label' : said,
    label: isLabel ? said : null,
    urgent: null,
    probability: null,
    reason: null,
    note: null,
    blind: true,
    answerHash: HASH,
    itemHash: HASH,
    plan: 'p',
    stratum: 'all',
    inclusionProbability: 0.5,
    guideline: 'krisis/1',
    supersedes: null,
    at: '2026-11-16T12:00:00.000Z',
    via: 'viewer',
    ...more,
  };
}

function reviewOf(events: readonly ReviewEvent[]): Review {
  const plan: ReviewPlan = {
    id: 'p',
    kind: 'random',
    targets: 'record',
    n: 4,
    seed: 1,
    frameSize: 8,
    frameHash: HASH,
    strata: [{ id: 'all', size: 8, n: 4, inclusionProbability: 0.5 }],
    nDouble: 0,
    guideline: 'krisis/1',
    guidelineText: null,
    judge: null,
    createdAt: '2026-11-16T12:00:00.000Z',
  };
  return { runId: null, suiteHash: null, plans: [plan], draws: [], events, raters: [], head: null };
}

const rows = [
  row(0, {}),
  row(1, { prediction: 'G2' }),
  row(2, { state: 'abstained', prediction: null, metadata: { should_abstain: true } }),
  row(3, { groundTruth: 'G2', metadata: { must_act: true } }),
  row(4, { state: 'invalid', prediction: null }),
  row(5, { state: 'failed', prediction: null }),
];
const facts = {
  rows,
  labels: LABELS,
  textsOf: () => ({ answerHash: HASH, itemHash: HASH }),
  rule: 'silence',
  level: 0.95,
} as const;

describe('recordReview', () => {
  it('rates the model and the suite by what people decided', () => {
    const events = [
      decide(0, 'R1', 'G1'),
      decide(0, 'R2', 'G1'),
      decide(1, 'R1', 'G2'),
      decide(1, 'R2', 'G2'),
      decide(2, 'R1', 'defer'),
      decide(3, 'R1', 'G2', { urgent: true }),
      decide(4, 'R1', 'G1'),
      decide(5, 'R1', 'cannot_tell'),
    ];
    const found = recordReview(reviewOf(events), facts);
    expect(found.states).toEqual({ agreed: 2, single: 4 });
    // r0, r1 and r2 are right; the label of r3 is G2 also by people, and the reply of r4 is invalid.
    expect(found.modelRight).toMatchObject({ value: 0.6, n: 5 });
    // By the suite r1 is wrong too.
    expect(found.modelRightBySuite).toMatchObject({ value: 0.4, n: 5 });
    expect(found.suite).toMatchObject({ n: 5, observed: 0.8 });
    expect(found.foundWrong).toEqual([
      { recordId: 'r1', people: 'G2', suite: 'G1', state: 'agreed', nRaters: 2, nAgreeing: 2 },
    ]);
    expect(found.people).toMatchObject({ n: 2, observed: 1, isFew: true });
  });

  it('uses neither stale labels nor those made with the suite label in sight', () => {
    const events = [
      decide(0, 'R1', 'G2', { answerHash: 'b'.repeat(64) }),
      decide(1, 'R1', 'G2', { blind: false }),
      decide(2, 'R1', 'G2', { plan: null, inclusionProbability: null }),
    ];
    const found = recordReview(reviewOf(events), facts);
    expect(found.counts).toMatchObject({ used: 0, stale: 1, unblinded: 1, handPicked: 1 });
    expect(found.modelRight).toMatchObject({ value: null, n: 0 });
    expect(found.foundWrong).toEqual([]);
  });
});

describe('urgency in recordReview', () => {
  const marked = [
    row(0, { metadata: { must_act: true } }),
    row(1, { metadata: { must_act: false } }),
    row(2, { state: 'abstained', prediction: null, metadata: { must_act: true } }),
    row(3, { metadata: { must_act: false, should_abstain: true } }),
    row(4, {}),
    row(5, { state: 'failed', prediction: null, metadata: { must_act: true } }),
  ];
  const urgencyOf = (events: readonly ReviewEvent[], rule: EmergencyRule = 'silence') =>
    recordReview(reviewOf(events), { ...facts, rows: marked, rule }).urgency;

  it('is compared with the suite and between people as a yes/no item, apart from decisions', () => {
    const found = urgencyOf([
      decide(0, 'R1', 'G1', { urgent: true }),
      decide(0, 'R2', 'G2', { urgent: true }),
      decide(1, 'R1', 'G1', { urgent: true }),
      decide(1, 'R2', 'G1', { urgent: false }),
      decide(2, 'R1', 'G1', { urgent: true }),
      decide(3, 'R1', 'defer', { urgent: true }),
      decide(3, 'R2', 'cannot_tell', { urgent: true }),
      decide(4, 'R1', 'G1', { urgent: false }),
    ]);
    // r1 is in dispute about urgency alone, and r0 about the label alone.
    expect(found).toMatchObject({ nStated: 5, nSettled: 4, nEmergencies: 3 });
    expect(found.people).toMatchObject({
      n: 3,
      observed: 2 / 3,
      binary: { yesYes: 2, yesNo: 1, noYes: 0, noNo: 0 },
    });
    // r4 is in no agreement with the suite, which does not know whether it is an emergency.
    expect(found.suite).toMatchObject({ n: 3, binary: { yesYes: 2, yesNo: 1, noYes: 0, noNo: 0 } });
    expect(found.differing).toEqual([
      {
        recordId: 'r3',
        people: 'emergency',
        suite: 'no_emergency',
        state: 'agreed',
        nRaters: 2,
        nAgreeing: 2,
      },
    ]);
    // The label of r0 is in dispute and r3 has none, so that r2 is left: the model abstained.
    expect(found.missed).toMatchObject({ value: 1, n: 1 });
    expect([found.peopleReason, found.suiteReason, found.missedReason]).toEqual([null, null, null]);
  });

  it('counts the first statement of a rater, and what a third person ruled', () => {
    const first = decide(0, 'R1', 'G1', { urgent: true });
    const found = urgencyOf([
      first,
      decide(0, 'R2', 'G1', { urgent: false }),
      decide(0, 'R1', 'G1', { urgent: false, supersedes: first.id }),
      decide(0, 'R3', 'G1', { urgent: true, role: 'adjudicator' }),
    ]);
    expect(found.people).toMatchObject({ n: 1, observed: 0 });
    expect(found.suite).toMatchObject({ n: 1, observed: 1 });
    expect(found.missed).toMatchObject({ value: 0, n: 1 });
  });

  it('rates missed emergencies and false alarms by what the model says, where it was asked', () => {
    const said = [
      row(0, { urgent: true }),
      row(1, { urgent: true, metadata: { must_act: false } }),
      row(2, { state: 'abstained', prediction: null, urgent: false }),
      row(3, { state: 'invalid', prediction: null, urgent: true }),
      row(4, { urgent: false }),
    ];
    const events = [0, 1, 2, 3, 4].map((n) =>
      decide(n, 'R1', n === 2 ? 'defer' : 'G1', { urgent: n === 0 || n === 2 || n === 3 }),
    );
    const { missed, falseAlarms } = recordReview(reviewOf(events), {
      ...facts,
      rows: said,
      rule: 'urgency',
    }).urgency;
    // An invalid reply carries no urgency; r2 counts without a label of people.
    expect(missed).toMatchObject({ value: 2 / 3, n: 3 });
    expect(falseAlarms).toMatchObject({ value: 0.5, n: 2 });
  });

  it('has no false alarms where the model was not asked', () => {
    const events = [decide(0, 'R1', 'G1', { urgent: false })];
    expect(urgencyOf(events)).toMatchObject({
      falseAlarms: { value: null },
      falseAlarmsReason: 'urgency_not_asked',
    });
    expect(urgencyOf(events, 'urgency')).toMatchObject({
      falseAlarms: { value: 0 },
      falseAlarmsReason: null,
    });
    expect(urgencyOf([decide(0, 'R1', 'G1', { urgent: true })], 'urgency')).toMatchObject({
      falseAlarmsReason: 'no_records_without_emergency',
    });
  });

  it.each([
    [
      'nobody stated it',
      [decide(0, 'R1', 'G1')],
      ['urgency_not_stated', 'urgency_not_stated', 'urgency_not_stated'],
    ],
    [
      'only a skip states it',
      [decide(0, 'R1', 'skip', { urgent: true })],
      ['urgency_not_stated', 'urgency_not_stated', 'urgency_not_stated'],
    ],
    [
      'one person did, on a case whose must_act is not known',
      [decide(4, 'R1', 'defer', { urgent: true })],
      ['no_record_with_two_raters', 'must_act_unknown', 'no_labelled_emergencies'],
    ],
    [
      'two differ',
      [decide(0, 'R1', 'G1', { urgent: true }), decide(0, 'R2', 'G1', { urgent: false })],
      [null, 'urgency_not_settled', 'no_emergencies'],
    ],
    [
      'the model failed on it',
      [decide(5, 'R1', 'G1', { urgent: true })],
      ['no_record_with_two_raters', null, 'all_rows_failed'],
    ],
  ])('has reasons where there is no number: %s', (_, events, reasons) => {
    const found = urgencyOf(events);
    expect([found.peopleReason, found.suiteReason, found.missedReason]).toEqual(reasons);
    expect([found.people, found.suite, found.missed.value].map((value) => value === null)).toEqual(
      reasons.map((reason) => reason !== null),
    );
  });
});

describe('panelReport', () => {
  const events = [
    decide(0, 'R1', 'G1'),
    decide(0, 'R2', 'G1'),
    decide(0, 'R3', 'G2'),
    decide(1, 'R1', 'G1'),
    decide(1, 'R2', 'G1'),
    decide(2, 'R1', 'defer'),
    decide(2, 'R2', 'G1'),
    decide(2, 'R3', 'defer'),
    decide(3, 'R1', 'cannot_tell'),
    decide(3, 'R2', 'G1', { blind: false }),
    decide(5, 'R1', 'G1'),
    decide(9, 'R1', 'G1'),
  ];

  it('is the mean share of raters who decided as the model, beside each rater against the others', () => {
    const found = panelReport(panelLabels(reviewOf(events)), rows, 0.95)!;
    // r0: 2 of 3 say G1; r1: none says G2; r2: 2 of 3 defer; r5 failed.
    expect(found.model.value).toBeCloseTo((2 / 3 + 0 + 2 / 3) / 3, 12);
    expect(found.model.n).toBe(3);
    // r0: pairs that agree 1 of 3; r1: 1 of 1; r2: 1 of 3.
    expect(found.panel.value).toBeCloseTo((1 / 3 + 1 + 1 / 3) / 3, 12);
    expect(found.difference.value).toBeCloseTo((1 / 3 - 1 + 1 / 3) / 3, 12);
    // R3 against the others: 0 on r0, 1/2 on r2.
    expect(found.raters.find(({ rater }) => rater === 'R3')).toMatchObject({ value: 0.25, n: 2 });
    expect(found).toMatchObject({ nRecords: 4, nRaters: 3, nLabels: 9, nUnmatched: 1, nSplit: 0 });
  });

  it('compares urgency with the suite and within the panel, where it was stated', () => {
    const urgent = (n: number, rater: string, is: boolean) => decide(n, rater, 'G1', { urgent: is });
    const marked = rows.map((own, n) => ({
      ...own,
      facts: { ...own.facts, mustAct: n < 2 ? n === 0 : null },
    }));
    const labels = panelLabels(
      reviewOf([
        urgent(0, 'R1', true),
        urgent(0, 'R2', false),
        urgent(1, 'R1', false),
        urgent(2, 'R1', true),
      ]),
    );
    const found = panelReport(labels, marked, 0.95)!;
    // r0: one of two says what the suite does; r1: all do; of r2 the suite does not know it.
    expect(found.urgency).toMatchObject({
      nRecords: 3,
      nRaters: 2,
      suite: { value: 0.75, n: 2 },
      panel: { value: 0, n: 1 },
    });
    expect(found.urgencyReason).toBeNull();
    expect(panelReport(panelLabels(reviewOf(events)), rows, 0.95)).toMatchObject({
      urgency: null,
      urgencyReason: 'urgency_not_stated',
    });
  });

  it('becomes a score that conditions can name, undecided while rows of the panel failed', () => {
    const found = panelReport(panelLabels(reviewOf(events)), rows, 0.95)!;
    const score = panelScore(found, { method: { level: 0.95 } as never });
    expect(score).toMatchObject({ name: 'panel_agreement', nEvaluated: 3, scoredOf: { n: 4, nScored: 3 } });
  });

  it('counts raters of another review as other people', () => {
    const labels = [...panelLabels(reviewOf(events)), ...panelLabels(reviewOf(events), 'b/')];
    expect(panelReport(labels, rows, 0.95)).toMatchObject({ nRaters: 6, nLabels: 18 });
  });

  it('is null without a decision on a record of the run', () => {
    expect(panelReport(panelLabels(reviewOf([decide(9, 'R1', 'G1')])), rows, 0.95)).toBeNull();
  });
});

describe('parsePanelLabels', () => {
  it('reads labels and deferrals, with urgency beside them', () => {
    const text = [
      '{"record_id":"r0","rater":"ann","label":"G1"}',
      '{"record_id":"r0","rater":"bob","verdict":"defer","urgent":true}',
      '',
      '{"recordId":"r1","rater":"R1","verdict":"label","label":"G2","urgent":false}',
      '{"record_id":"r1","rater":"bob","verdict":"cannot_tell"}',
    ].join('\n');
    expect(parsePanelLabels(text)).toEqual([
      { recordId: 'r0', rater: 'ann', decision: 'label:g1', urgent: null },
      { recordId: 'r0', rater: 'bob', decision: 'defer', urgent: true },
      { recordId: 'r1', rater: 'R1', decision: 'label:g2', urgent: false },
    ]);
  });

  it.each([
    'nothing',
    '{"record_id":"r0","label":"G1"}',
    '{"record_id":"r0","rater":"a","verdict":"yes"}',
    '{"record_id":"r0","rater":"a","verdict":"act"}',
    '{"record_id":"r0","rater":"a","urgent":true}',
    '{"record_id":"r0","rater":"a","label":"G1","urgent":"yes"}',
    '[]',
  ])('names the line that it cannot read: %s', (line) => {
    expect(() => parsePanelLabels(`\n${line}`, 'panel.jsonl')).toThrow(
      expect.objectContaining({
        code: 'ERR_PANEL_LABELS',
        message: expect.stringContaining('panel.jsonl:2:'),
      }),
    );
  });

  it('refuses a file without decisions', () => {
    expect(() => parsePanelLabels('')).toThrow(expect.objectContaining({ code: 'ERR_PANEL_LABELS' }));
  });
});
