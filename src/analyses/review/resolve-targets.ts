import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { type LabelEvent, resolveLabels } from '../../rubrics/calibration/resolve-labels.ts';
import type { Review, ReviewEvent, ReviewKind, ReviewTarget } from '../../store/review/review-schema.ts';
import { targetKey } from '../../store/review/review-session.ts';
import { labelDecision, urgencyCategory } from './decisions.ts';

/**
 * The texts that a target has now: null where the run has no such target. Where the run file does not hold them, those of the draw count: `as_drawn` if the version of the suite says that they are the same, `unknown`
 * if nothing does.
 */
export type TextsOf = (
  target: ReviewTarget,
) => Pick<LabelEvent, 'answerHash' | 'itemHash'> | 'as_drawn' | 'unknown' | null;

/** What the labels of a target come to. */
export const targetStateSchema = z.enum([
  'unlabelled',
  'stale',
  'single',
  'agreed',
  'disagreement',
  'adjudicated',
  'invalid',
]);

export const labelCountsSchema = z.object({
  n: count,
  /** In the numbers. */
  used: count,
  /** Of those used: labels that cannot be checked for staleness, because the run file does not hold the texts. */
  unchecked: count,
  /** Corrected by a later label of the same rater. */
  superseded: count,
  skipped: count,
  /** Given with the judge's verdict, the model or the suite's label in sight. */
  unblinded: count,
  /** Picked by hand: no probability of being drawn is known. */
  handPicked: count,
  /** On an answer or an item whose text has changed since. */
  stale: count,
  /** On a record or an item that the run does not have. */
  unmatched: count,
});
/** What became of the labels of one kind. All but `unchecked` sum to `n`. */
export type LabelCounts = Shape<typeof labelCountsSchema>;

/** What people say on one point of a target. */
interface Settled {
  readonly state: z.infer<typeof targetStateSchema>;
  /** What people settled on, as a decision; null where they did not. */
  readonly decision: string | null;
  /** People whose label is the decision, the one who ruled included. */
  readonly nAgreeing: number;
  /** Raters whose labels count, the adjudicator apart. */
  readonly raters: readonly string[];
  /** The first label of each rater, before any correction and any ruling: agreement rests on these alone. */
  readonly first: readonly { readonly rater: string; readonly decision: string }[];
}

/** One target with what people say of it. */
export interface ReviewedTarget extends ReviewTarget, Settled {
  /** Whether it is an emergency: an item of its own, settled independently of the decision. Null where no label states it. */
  readonly urgency: Settled | null;
  /** How each plan drew it. */
  readonly drawnBy: ReadonlyMap<string, { readonly stratum: string | null; readonly pi: number }>;
}

/** What a label says in one text: the verdict, and the label where one was decided on. */
export function readDecision({ verdict, label }: Pick<ReviewEvent, 'verdict' | 'label'>): string {
  return verdict === 'label' ? (labelDecision(label) ?? verdict) : verdict;
}

/** Sorts the labels of one kind into those that count and those that do not, and resolves them target by target. */
export function resolveTargets(
  { events, draws }: Pick<Review, 'events' | 'draws'>,
  kind: ReviewKind,
  textsOf: TextsOf,
): { readonly counts: LabelCounts; readonly targets: readonly ReviewedTarget[] } {
  const own = events.filter((event) => event.kind === kind);
  const corrected = new Set(own.flatMap(({ supersedes }) => supersedes ?? []));
  const counts = {
    n: own.length,
    used: 0,
    unchecked: 0,
    superseded: 0,
    skipped: 0,
    unblinded: 0,
    handPicked: 0,
    stale: 0,
    unmatched: 0,
  };
  const drawn = Map.groupBy(
    draws.filter((draw) => draw.kind === kind),
    targetKey,
  );
  const targets: ReviewedTarget[] = [];
  for (const [key, group] of Map.groupBy(own, targetKey)) {
    const { recordId, repeat, itemId } = group[0]!;
    const held = textsOf(group[0]!);
    const texts = typeof held === 'string' ? (drawn.get(key)?.at(-1) ?? group[0]!) : held;
    const findProblem = (event: ReviewEvent): keyof LabelCounts | null => {
      if (event.verdict === 'skip') return 'skipped';
      if (texts === null) return 'unmatched';
      if (event.answerHash !== texts.answerHash || event.itemHash !== texts.itemHash) return 'stale';
      // What is wrong with the test is listed, and in no estimate.
      if (kind === 'suite_item') return null;
      if (!event.blind) return 'unblinded';
      // An adjudicator rules on what a plan drew for others.
      return event.plan === null && event.role === 'rater' ? 'handPicked' : null;
    };
    const active: ReviewEvent[] = [];
    const valid: ReviewEvent[] = [];
    let nStale = 0;
    const ratingProblems = new Set(
      group.flatMap((event) => (event.role === 'rater' ? [findProblem(event)] : [])),
    );
    for (const event of group) {
      // A ruling on labels that do not count does not count either.
      const problem = ratingProblems.has(null)
        ? findProblem(event)
        : (findProblem(event) ?? [...ratingProblems][0] ?? 'handPicked');
      if (problem === null) valid.push(event);
      if (corrected.has(event.id)) counts.superseded += 1;
      else if (problem !== null) {
        counts[problem] += 1;
        if (problem === 'stale') nStale += 1;
      } else active.push(event);
    }
    const ratings = active.filter(({ role }) => role === 'rater');
    const settled = settle(key, { active, valid }, readDecision);
    if (settled.state === 'unlabelled' && nStale === 0) continue;
    counts.used += active.length;
    if (held === 'unknown') counts.unchecked += active.length;
    const urgency = settle(key, { active, valid }, readUrgency);
    targets.push({
      kind,
      recordId,
      repeat,
      itemId,
      ...settled,
      state: settled.state === 'unlabelled' ? 'stale' : settled.state,
      urgency: urgency.state === 'unlabelled' ? null : urgency,
      drawnBy: new Map([
        ...ratings.flatMap(({ plan, stratum, inclusionProbability: pi }) =>
          plan === null || pi === null ? [] : [[plan, { stratum, pi }] as const],
        ),
        ...(drawn.get(key) ?? []).map(
          ({ plan, stratum, inclusionProbability: pi }) => [plan, { stratum, pi }] as const,
        ),
      ]),
    });
  }
  return { counts, targets };
}

/** What a label says about urgency; null where it does not. */
function readUrgency({ urgent }: ReviewEvent): string | null {
  return urgent === null ? null : urgencyCategory(urgent);
}

/** What labels come to on the point that `say` reads from each. `active` are those that hold, `valid` includes those that their rater has corrected. */
function settle(
  target: string,
  { active, valid }: Readonly<Record<'active' | 'valid', readonly ReviewEvent[]>>,
  say: (event: ReviewEvent) => string | null,
): Settled {
  const texts = { answerHash: '', itemHash: '' };
  const labels = active.flatMap((event) => {
    const { id, rater, role } = event;
    const verdict = say(event);
    return verdict === null ? [] : [{ ...texts, id, rater, role, target, verdict }];
  });
  const resolved = resolveLabels(labels, { [target]: texts })?.[target];
  const firsts = new Map<string, string>();
  for (const event of valid) {
    const decision = say(event);
    if (event.role === 'rater' && decision !== null && !firsts.has(event.rater))
      firsts.set(event.rater, decision);
  }
  const raters = labels.filter(({ role }) => role === 'rater').map(({ rater }) => rater);
  return {
    // The history of labels is not valid where nothing comes of it.
    state: resolved?.state ?? 'invalid',
    decision: resolved?.verdict ?? null,
    nAgreeing: labels.filter(({ verdict }) => verdict === resolved?.verdict).length,
    raters: [...new Set(raters)],
    first: [...firsts]
      .map(([rater, decision]) => ({ rater, decision }))
      .sort((a, b) => (a.rater < b.rater ? -1 : 1)),
  };
}
