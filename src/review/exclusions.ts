import { type Label, sameLabel } from '../core/index.ts';
import { type RunResult, readRun } from '../results/index.ts';
import { type Review, type ReviewEvent, targetKey } from '../store/review/index.ts';
import { type Exclusions, excludedSuiteHash } from '../suites/index.ts';
import { activeEvents } from './session.ts';

/** What people decided about a record. */
interface Decision {
  readonly text: string;
  /** How many people decided so, the one who ruled included. */
  readonly nRaters: number;
}

/**
 * The records of a run that people found wrong: marked as wrong, or decided otherwise than the suite says by two or more people who agree, or by the one who ruled on them. One person's opinion against the suite's is not enough.
 * Labels that were given with the model's answer in sight do not count.
 */
export function findExclusions(runPath: string, review: Review, now = new Date()): Exclusions {
  const result = readRun(runPath, { resamples: 0 });
  try {
    const active = activeEvents(review.events).filter(({ verdict, blind }) => verdict !== 'skip' && blind);
    const truths = truthsOf(result);
    const records = new Map<string, Exclusions['records'][number]>();
    for (const [, labels] of Map.groupBy(active, targetKey)) {
      const [{ kind, recordId, itemId }] = labels as [ReviewEvent];
      if (!truths.has(recordId)) continue;
      if (kind === 'suite_item' && itemId === null) {
        const wrong = agreedOn(labels, ({ verdict }) => verdict);
        if (wrong?.text === 'wrong')
          records.set(recordId, {
            id: recordId,
            reason: 'marked_wrong',
            decision: null,
            nRaters: wrong.nRaters,
          });
      } else if (kind === 'record') {
        const decision = agreedOn(labels, decisionText);
        const isSettled =
          decision !== null && (decision.nRaters > 1 || labels.some(({ role }) => role === 'adjudicator'));
        if (
          isSettled &&
          differs(labels.find((label) => decisionText(label) === decision.text)!, truths.get(recordId)!)
        )
          records.set(recordId, {
            id: recordId,
            reason: 'decided_otherwise',
            decision: decision.text,
            nRaters: decision.nRaters,
          });
      }
    }
    const found = [...records.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return {
      suite: result.suiteName,
      suiteHash: result.suiteHash,
      newSuiteHash: excludedSuiteHash(
        result.suiteHash,
        found.map(({ id }) => id),
      ),
      records: found,
      review: { runId: review.runId, lastEvent: review.head?.id ?? null },
      createdAt: now.toISOString(),
    };
  } finally {
    result.close();
  }
}

/** What the suite says of each record. */
interface Truth {
  readonly label: Label | null;
  readonly shouldAbstain: boolean;
}

function truthsOf(result: RunResult): ReadonlyMap<string, Truth> {
  const truths = new Map<string, Truth>();
  for (const { id, groundTruth, metadata } of result.rows())
    if (id !== null && !truths.has(id))
      truths.set(id, { label: groundTruth, shouldAbstain: metadata.should_abstain === true });
  return truths;
}

/** What people say of a target: the ruling, or what all raters say alike; null otherwise. */
function agreedOn(labels: readonly ReviewEvent[], textOf: (label: ReviewEvent) => string): Decision | null {
  const ruling = labels.findLast(({ role }) => role === 'adjudicator');
  const texts = new Set(labels.map(textOf));
  const text = ruling !== undefined ? textOf(ruling) : texts.size === 1 ? [...texts][0]! : null;
  if (text === null) return null;
  return { text, nRaters: labels.filter((label) => textOf(label) === text).length };
}

function decisionText({ verdict, label }: ReviewEvent): string {
  return verdict === 'label' ? String(label) : verdict;
}

/** Whether a decision is another than the suite's. `act` says nothing about the label, and who cannot tell says nothing at all. */
function differs({ verdict, label }: ReviewEvent, truth: Truth): boolean {
  if (verdict === 'defer') return !truth.shouldAbstain;
  if (verdict !== 'label' || label === null) return false;
  return truth.shouldAbstain || (truth.label !== null && !sameLabel(label, truth.label));
}

/** The rubric lines that people marked as wrong, by question: an author has to mend them. */
export function linesFoundWrong(
  review: Review,
): readonly { readonly recordId: string; readonly itemId: string }[] {
  const active = activeEvents(review.events).filter(
    ({ kind, itemId }) => kind === 'suite_item' && itemId !== null,
  );
  return [...Map.groupBy(active, targetKey).values()].flatMap((labels) => {
    const [{ recordId, itemId }] = labels as [ReviewEvent];
    return agreedOn(labels, ({ verdict }) => verdict)?.text === 'wrong'
      ? [{ recordId, itemId: itemId! }]
      : [];
  });
}
