import type { ReviewFile } from '../store/review/review-file.ts';
import type { ReviewEvent } from '../store/review/review-schema.ts';
import type { ReviewSession } from '../store/review/review-session.ts';
import { labelEvent, type Reviewed } from './label-event.ts';
import { parseNewLabel } from './new-label.ts';
import { type Reviewer, reviewSession, sessionId } from './session.ts';

/** What one reviewer works at. */
export interface ReviewDesk {
  /** `ReviewSession.id`. */
  readonly id: string;
  session(): ReviewSession;
  progress(): {
    /** Targets that are open to the reviewer, and those that the reviewer has labelled or skipped. */
    readonly open: number;
    readonly labelled: number;
    readonly skipped: number;
  };
  /** Stores a label; when this returns, it is on the disk. The same label sent again is stored once. */
  save(given: unknown): ReviewEvent;
}

/** The desk of a reviewer: a queue of targets, and a place to put labels. */
export function reviewDesk(file: ReviewFile, reviewed: Reviewed, reviewer: Reviewer): ReviewDesk {
  const { frame, plan } = reviewed;
  return {
    id: sessionId(frame.runId, plan, reviewer),
    session: () => reviewSession(frame, file.read(), plan, reviewer),
    progress() {
      const session = reviewSession(frame, file.read(), plan, reviewer);
      const superseded = new Set(session.labels.map(({ supersedes }) => supersedes));
      const held = session.labels.filter(({ id, kind }) => !superseded.has(id) && kind === frame.targets);
      const skipped = held.filter(({ verdict }) => verdict === 'skip').length;
      const labelled = held.length - skipped;
      return { open: session.queue.length - labelled, labelled, skipped };
    },
    save(given) {
      const label = parseNewLabel(given);
      const at = new Date().toISOString();
      const event = labelEvent(label, reviewed, reviewer, { via: 'viewer', at });
      file.append([event]);
      return event;
    },
  };
}
