import type { RunReview } from '../analyses/review/run-review.ts';
import { readRun } from '../runs/read-run.ts';
import type { Review } from '../store/review/review-schema.ts';
import { type Exclusions, excludedSuiteHash } from '../suites/exclusions.ts';

type Named = Exclusions['records'][number] & { readonly isSettled: boolean };

/**
 * What people found wrong: marked as wrong, or decided otherwise than the suite says. A record is excluded where two or more people agree, or a third person ruled; one person's opinion is not enough.
 * Labels that were given with the model's answer in sight, and those on a text that has changed, do not count.
 */
export function findWrong(runPath: string, review: Review, now = new Date()) {
  const result = readRun(runPath, { resamples: 0, review: blindOnly(review) });
  try {
    const found = result.review!;
    const named = new Map<string, Named>();
    // What several people say goes before what one person says.
    for (const one of [...otherDecisions(found), ...markedWrong(found)])
      if (!named.get(one.id)?.isSettled) named.set(one.id, one);
    const sorted = [...named.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const records = sorted.flatMap(({ isSettled, ...record }) => (isSettled ? [record] : []));
    const { suiteName: suite, suiteHash } = result;
    return {
      /** Records that two or more people agree on, or that a third person ruled on. */
      exclusions: {
        suite,
        suiteHash,
        newSuiteHash: excludedSuiteHash(
          suiteHash,
          records.map(({ id }) => id),
        ),
        records,
        review: { runId: review.runId, lastEvent: review.head?.id ?? null },
        createdAt: now.toISOString(),
      },
      /** Records that one person alone called wrong, or decided otherwise than the suite: a reason to look, not a finding. */
      namedByOne: sorted.flatMap(({ id, isSettled }) => (isSettled ? [] : [id])),
      /** Rubric lines that were called wrong. An author has to mend them: no record is excluded for them. */
      lines: calledWrong(found).flatMap(({ recordId, itemId, state }) =>
        itemId === null ? [] : [{ recordId, itemId, isSettled: isSettled(state) }],
      ),
    };
  } finally {
    result.close();
  }
}

/** The labels without those that were not blind, and without what these corrected. */
function blindOnly(review: Review): Review {
  const corrected = new Set(review.events.flatMap(({ blind, supersedes }) => (blind ? [] : [supersedes])));
  return { ...review, events: review.events.filter(({ id, blind }) => blind && !corrected.has(id)) };
}

/** Of two people who agree, or of one who ruled on what others said. */
function isSettled(state: string): boolean {
  return state === 'agreed' || state === 'adjudicated';
}

function otherDecisions({ records }: RunReview): Named[] {
  return (records?.foundWrong ?? []).map(({ recordId: id, people, state, nAgreeing: nRaters }) => ({
    id,
    reason: 'decided_otherwise',
    decision: people,
    nRaters,
    isSettled: isSettled(state),
  }));
}

function calledWrong({ suiteItems }: RunReview) {
  return (suiteItems?.faults ?? []).filter(({ verdict }) => verdict === 'wrong');
}

function markedWrong(found: RunReview): Named[] {
  return calledWrong(found).flatMap(({ recordId: id, itemId, state, nAgreeing: nRaters }) =>
    itemId === null
      ? [{ id, reason: 'marked_wrong', decision: null, nRaters, isSettled: isSettled(state) }]
      : [],
  );
}
