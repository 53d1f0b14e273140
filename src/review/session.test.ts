import { describe, expect, it } from 'vitest';
import { seenTextHash } from '../store/review/review-file.ts';
import type { Review, ReviewDraw, ReviewEvent } from '../store/review/review-schema.ts';
import type { ReviewFrame } from './frame.ts';
import { labelEvent } from './label-event.ts';
import { assignDraws, packetPage, parsePacketLabels, reviewPacket } from './packet.ts';
import { drawPlan } from './plan.ts';
import { buildQueue, checkAdjudicator, type Reviewer, reviewSession } from './session.ts';
import { reviewStatus } from './status.ts';

const units = Array.from({ length: 10 }, (_, i) => ({
  kind: 'item' as const,
  recordId: `q${i}`,
  repeat: 0,
  itemId: `i${i}`,
  answerHash: seenTextHash(`answer ${i}`),
  itemHash: seenTextHash(`item ${i}`),
  recordHash: seenTextHash(`question ${i}`),
  verdict: 'contradicted',
  differs: null,
  isCritical: false,
  isForbidden: true,
  outcome: 'answered',
  line: null,
}));

const frame: ReviewFrame = {
  targets: 'item',
  units,
  runId: null,
  suiteHash: null,
  suiteName: 'unit/advice',
  isProtected: false,
  judge: 'SECRET-judge',
  shown: (targets) =>
    new Map(
      targets.map(({ kind, recordId, repeat, itemId }) => [
        JSON.stringify([kind, recordId, repeat, itemId]),
        {
          kind: 'item',
          question: `question ${recordId}`,
          answer: 'an answer',
          item: 'an item',
          background: null,
        },
      ]),
    ),
  verdictText: () => 'SECRET-verdict',
};

const { plan, draws } = drawPlan(frame, { n: 10, double: 4, kind: 'verdict' });

function reviewWith(events: readonly ReviewEvent[]): Review {
  const raters = ['R1', 'R2', 'R3'].map((id) => ({ id, name: null }));
  return { runId: null, suiteHash: null, plans: [plan], draws, events, raters, head: null };
}

const reviewer = (id: string, more: Partial<Reviewer> = {}): Reviewer => ({
  rater: { id, name: null },
  role: 'rater',
  blind: true,
  ...more,
});

const NO_TEXT = { reason: null, note: null };
let number = 0;
function label(
  draw: ReviewDraw,
  by: Reviewer,
  verdict: string,
  more: Partial<ReviewEvent> = {},
): ReviewEvent {
  const given = { ...draw, verdict, label: null, urgent: null, probability: null, ...NO_TEXT };
  const event = labelEvent(
    { ...given, id: `label-${number++}`, supersedes: null, at: '2026-01-01T00:00:00.000Z' },
    { frame, plan, draws },
    by,
    { via: 'viewer', at: '2026-01-01T00:00:00.000Z' },
  );
  return { ...event, ...more };
}

const twice = draws.filter(({ raters }) => raters === 2);
const once = draws.filter(({ raters }) => raters === 1);

describe('a queue', () => {
  it('has what others have not labelled enough, and what is the reviewer’s own', () => {
    const review = reviewWith([
      label(once[0]!, reviewer('R1'), 'present'),
      label(twice[0]!, reviewer('R1'), 'absent'),
    ]);
    expect(buildQueue(review, plan, reviewer('R1'))).toHaveLength(10);
    const second = buildQueue(review, plan, reviewer('R2'));
    expect(second).toHaveLength(9);
    expect(second).not.toContain(once[0]);
    expect(second).toContain(twice[0]);
  });

  it('begins elsewhere for every reviewer', () => {
    const first = (id: string) => buildQueue(reviewWith([]), plan, reviewer(id))[0]!.position;
    expect([first('R1'), first('R2'), first('R3')]).toEqual([0, 7, 3]);
  });

  it('counts a skip as no label', () => {
    const review = reviewWith([label(once[0]!, reviewer('R1'), 'skip')]);
    expect(buildQueue(review, plan, reviewer('R2'))).toHaveLength(10);
  });

  it('gives a third person what two raters dispute, and neither of the two', () => {
    const [draw] = twice;
    const dispute = [label(draw!, reviewer('R1'), 'present'), label(draw!, reviewer('R2'), 'absent')];
    const review = reviewWith(dispute);
    const third = reviewer('R3', { role: 'adjudicator' });
    expect(buildQueue(review, plan, third)).toEqual([draw]);
    expect(reviewSession(frame, review, plan, third).queue[0]!.ratings).toMatchObject([
      { rater: 'R1', verdict: 'present' },
      { rater: 'R2', verdict: 'absent' },
    ]);
    expect(() => checkAdjudicator(review, plan, third)).not.toThrow();
    expect(() => checkAdjudicator(review, plan, reviewer('R1', { role: 'adjudicator' }))).toThrow(
      expect.objectContaining({
        code: 'ERR_REVIEWER',
        message: expect.stringContaining('a third person rules'),
      }),
    );
    expect(() => checkAdjudicator(reviewWith([]), plan, third)).toThrow(/no disagreement/);
    expect(reviewStatus(review)).toMatchObject({ plans: [{ n_disputed: 1, n_labelled: 1, n_ruled: 0 }] });
    const ruled = reviewWith([...dispute, label(draw!, third, 'present')]);
    expect(reviewStatus(ruled)).toMatchObject({ plans: [{ n_disputed: 0, n_ruled: 1, n_agreed: 0 }] });
  });
});

describe('urgency', () => {
  const [draw] = twice;
  const third = reviewer('R3', { role: 'adjudicator' });
  const said = (id: string, urgent: boolean | null) => label(draw!, reviewer(id), 'defer', { urgent });

  it('is disputed on its own, and the third person sees what each rater said', () => {
    const review = reviewWith([said('R1', true), said('R2', false)]);
    expect(buildQueue(review, plan, third)).toEqual([draw]);
    expect(reviewStatus(review)).toMatchObject({ plans: [{ n_disputed: 1, n_agreed: 0 }] });
    expect(reviewSession(frame, review, plan, third).queue[0]!.ratings).toMatchObject([
      { verdict: 'defer', urgent: true },
      { verdict: 'defer', urgent: false },
    ]);
  });

  it('that one rater did not state is no dispute', () => {
    const review = reviewWith([said('R1', true), said('R2', null)]);
    expect(buildQueue(review, plan, third)).toEqual([]);
    expect(reviewStatus(review)).toMatchObject({ plans: [{ n_disputed: 0, n_agreed: 1 }] });
  });

  it('is on the reviewer’s page again', () => {
    const [own] = reviewSession(frame, reviewWith([said('R1', true)]), plan, reviewer('R1')).labels;
    expect(own).toMatchObject({ verdict: 'defer', urgent: true });
  });
});

describe('a session', () => {
  it('shows neither judge nor verdict nor stratum nor probability, nor whether the item is forbidden', () => {
    const text = JSON.stringify(reviewSession(frame, reviewWith([]), plan, reviewer('R1')));
    expect(text).not.toMatch(/SECRET|stratum|robability"|orbidden|isCritical/);
  });

  it('shows the verdict where the review is not blind, and its labels say so', () => {
    const open = reviewer('R1', { blind: false });
    const session = reviewSession(frame, reviewWith([]), plan, open);
    expect([session.blind, session.queue[0]!.notBlind]).toEqual([false, 'SECRET-verdict']);
    expect(label(draws[0]!, open, 'present').blind).toBe(false);
  });

  it('has the reviewer’s own labels and no one else’s', () => {
    const review = reviewWith([
      label(twice[0]!, reviewer('R1'), 'present'),
      label(twice[0]!, reviewer('R2'), 'absent'),
    ]);
    expect(reviewSession(frame, review, plan, reviewer('R2')).labels.map(({ verdict }) => verdict)).toEqual([
      'absent',
    ]);
  });
});

describe('a label', () => {
  it('carries the probability of its draw', () => {
    expect(label(draws[0]!, reviewer('R1'), 'present')).toMatchObject({
      plan: plan.id,
      stratum: draws[0]!.stratum,
      inclusionProbability: draws[0]!.inclusionProbability,
      guideline: 'krisis/1',
    });
  });

  it('on the rubric line itself was not drawn, and is bound to the question', () => {
    const remark = label({ ...draws[0]!, kind: 'suite_item' }, reviewer('R1'), 'wrong');
    const own = units.find(({ itemId }) => itemId === draws[0]!.itemId)!;
    expect(remark).toMatchObject({ plan: null, inclusionProbability: null, answerHash: own.recordHash });
  });

  it('is refused on another text, and on what was not drawn', () => {
    const refused = expect.objectContaining({ code: 'ERR_REVIEW_LABEL' });
    expect(() => label({ ...draws[0]!, answerHash: seenTextHash('x') }, reviewer('R1'), 'present')).toThrow(
      refused,
    );
    expect(() => label({ ...draws[0]!, recordId: 'none' }, reviewer('R1'), 'present')).toThrow(refused);
  });
});

describe('packets', () => {
  it('share targets evenly, and give those for two raters to two people', () => {
    const raters = ['R1', 'R2', 'R3'].map((id) => ({ id, name: null }));
    const assigned = assignDraws(reviewWith([]), plan, raters);
    const sizes = [...assigned.values()].map(({ length }) => length);
    expect(sizes.reduce((sum, n) => sum + n)).toBe(14);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    for (const draw of twice)
      expect([...assigned.values()].filter((own) => own.includes(draw))).toHaveLength(2);
  });

  it('give one reviewer each target once', () => {
    const assigned = assignDraws(reviewWith([]), plan, [{ id: 'R1', name: null }]);
    expect(assigned.get('R1')).toHaveLength(10);
  });

  it('cannot be broken by what is in their texts', () => {
    const hostile = {
      ...reviewSession(frame, reviewWith([]), plan, reviewer('R1')),
      title: '</script><script>$&$1',
    };
    const packet = reviewPacket(hostile);
    const slot = '<script type="application/json" id="krisis-packet">null</script>';
    const page = packetPage(`<body>${slot}</body>`, packet);
    const [, data] = /id="krisis-packet">([\s\S]*?)<\/script>/.exec(page)!;
    expect(JSON.parse(data!)).toEqual(packet);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(() => packetPage('<body></body>', packet)).toThrow(
      expect.objectContaining({ code: 'ERR_VIEWER_NOT_BUILT' }),
    );
  });

  it.each([
    ['no JSON', 'hello', /is not JSON/],
    ['another file', '{"format":"x"}', /is not a file that the page of a review packet saved/],
    [
      'a file that was changed',
      JSON.stringify({
        format: 'krisis-review-labels-1',
        packet: 'x',
        session: 'y',
        sha256: '0',
        labels: [],
      }),
      /was changed after it was saved/,
    ],
  ])('refuse %s', (_, text, message) => {
    expect(() => parsePacketLabels(text, 'file.json')).toThrow(
      expect.objectContaining({ code: 'ERR_REVIEW_PACKET', message: expect.stringMatching(message) }),
    );
  });
});
