/** One label, as it was given. Events are never edited or deleted. */
export interface LabelEvent {
  readonly id: string;
  readonly target: string;
  readonly rater: string;
  readonly verdict: string;
  /** SHA-256 of the answer that the rater saw. */
  readonly answerHash: string;
  /** SHA-256 of the item that the rater saw. */
  readonly itemHash: string;
  /** Default: rater. */
  readonly role?: 'rater' | 'adjudicator';
  /** The earlier event that this one corrects; same target and rater only. Default: none. */
  readonly supersedes?: string | null;
}

/** What the labels of one target come to. */
export interface ResolvedLabel {
  readonly state: 'unlabelled' | 'stale' | 'single' | 'agreed' | 'disagreement' | 'adjudicated';
  /** Null without a label that holds, and where raters disagree. */
  readonly verdict: string | null;
  /** Raters whose labels hold; the adjudicator is not one of them. */
  readonly nRaters: number;
  /** Labels of another answer or another item text: kept, and not used. */
  readonly nStale: number;
}

/** The texts that a target has now. */
export type CurrentTexts = Readonly<Record<string, Pick<LabelEvent, 'answerHash' | 'itemHash'>>>;

/**
 * What an append-only history of labels comes to, for each target. Null where the history is not valid: an id that comes twice, a correction of an event that is not there, was corrected already, or is another
 * rater's or target's, two labels of one rater that both hold, or an adjudicator who rated the same target.
 *
 * @example
 * ```ts
 * const label = { id: 'e1', target: 'x', rater: 'ann', verdict: 'present', answerHash: 'a', itemHash: 't' };
 * resolveLabels([label], { x: { answerHash: 'a', itemHash: 't' } })!.x!.state // => 'single'
 * resolveLabels([label], { x: { answerHash: 'b', itemHash: 't' } })!.x!.state // => 'stale'
 * ```
 */
export function resolveLabels(
  events: readonly LabelEvent[],
  current: CurrentTexts,
): Record<string, ResolvedLabel> | null {
  const active = activeEvents(events);
  if (active === null) return null;
  const resolved: Record<string, ResolvedLabel> = {};
  for (const [target, texts] of Object.entries(current)) {
    const own = active.filter((event) => event.target === target);
    const fresh = own.filter(
      ({ answerHash, itemHash }) => answerHash === texts.answerHash && itemHash === texts.itemHash,
    );
    const ratings = fresh.filter(({ role }) => role !== 'adjudicator');
    const raters = new Set(ratings.map(({ rater }) => rater));
    const ruling = fresh.findLast(({ role }) => role === 'adjudicator');
    if (raters.size < ratings.length || (ruling !== undefined && raters.has(ruling.rater))) return null;
    const verdicts = new Set(ratings.map(({ verdict }) => verdict));
    const nStale = own.length - fresh.length;
    const agreement = verdicts.size === 1 ? 'agreed' : 'disagreement';
    const byRaters = raters.size === 1 ? 'single' : agreement;
    const state = raters.size > 0 ? byRaters : nStale > 0 ? 'stale' : 'unlabelled';
    const [verdict = null] = verdicts.size === 1 ? verdicts : [];
    resolved[target] = {
      state: ruling === undefined ? state : 'adjudicated',
      verdict: ruling?.verdict ?? verdict,
      nRaters: raters.size,
      nStale,
    };
  }
  return resolved;
}

/** The events that no later one corrects; null where the history is not valid. */
function activeEvents(events: readonly LabelEvent[]): LabelEvent[] | null {
  const active = new Map<string, LabelEvent>();
  const seen = new Set<string>();
  for (const event of events) {
    if (seen.has(event.id)) return null;
    seen.add(event.id);
    if (event.supersedes !== undefined && event.supersedes !== null) {
      const old = active.get(event.supersedes);
      if (old === undefined || old.target !== event.target || old.rater !== event.rater) return null;
      active.delete(event.supersedes);
    }
    active.set(event.id, event);
  }
  return [...active.values()];
}
