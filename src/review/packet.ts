import { hash } from 'node:crypto';
import { z } from 'zod';
import { KrisisError } from '../core/errors.ts';
import type { ReviewFile } from '../store/review/review-file.ts';
import type { Review, ReviewDraw, ReviewPlan, ReviewRater } from '../store/review/review-schema.ts';
import type { NewReviewLabel, ReviewSession } from '../store/review/review-session.ts';
import { labelEvent, type Reviewed } from './label-event.ts';
import { parseNewLabel } from './new-label.ts';
import { labelsOfDraws } from './session.ts';

const PACKET_FORMAT = 'krisis-review-packet-1';
const LABELS_FORMAT = 'krisis-review-labels-1';
/** Where the page has its data; `web/review-packet/index.html` has it. */
const SLOT = '<script type="application/json" id="krisis-packet">null</script>';

/** The data of an offline page for one reviewer. */
export interface ReviewPacket {
  readonly format: typeof PACKET_FORMAT;
  /** SHA-256 of `JSON.stringify(session)`: the page checks it, and the labels name it. */
  readonly packet: string;
  readonly session: ReviewSession;
}

export function reviewPacket(session: ReviewSession): ReviewPacket {
  return { format: PACKET_FORMAT, packet: hash('sha256', JSON.stringify(session)), session };
}

/**
 * The page of a packet: one file that needs no network. No text in the data can end the element that holds it.
 *
 * @throws KrisisError with the code `ERR_VIEWER_NOT_BUILT` where the page has no place for the data.
 */
export function packetPage(template: string, packet: ReviewPacket): string {
  if (!template.includes(SLOT))
    throw new KrisisError('the page of review packets has no place for data; build it again', {
      code: 'ERR_VIEWER_NOT_BUILT',
    });
  const data = JSON.stringify(packet).replaceAll('<', '\\u003c');
  return template.replace(SLOT, () => SLOT.replace('null', () => data));
}

/** Which targets each reviewer gets: every target as many reviewers as it needs, spread evenly. A reviewer gets nothing twice. */
export function assignDraws(
  review: Review,
  plan: ReviewPlan,
  raters: readonly ReviewRater[],
): ReadonlyMap<string, readonly ReviewDraw[]> {
  const assigned = new Map(raters.map(({ id }): [string, ReviewDraw[]] => [id, []]));
  let next = 0;
  for (const [draw, labels] of labelsOfDraws(review, plan)) {
    const done = new Set(labels.filter(({ role }) => role === 'rater').map(({ rater }) => rater));
    let missing = draw.raters - done.size;
    for (let tried = 0; tried < raters.length && missing > 0; tried++) {
      const { id } = raters[next++ % raters.length]!;
      if (done.has(id)) continue;
      assigned.get(id)!.push(draw);
      missing -= 1;
    }
  }
  return assigned;
}

/** The file that the page of a packet saved. */
export interface PacketLabels {
  /** The hash of the packet. */
  readonly packet: string;
  /** `ReviewSession.id`: run, plan and rater. */
  readonly session: string;
  readonly labels: readonly NewReviewLabel[];
}

const labelsFile = z.object({
  format: z.literal(LABELS_FORMAT),
  packet: z.string().max(64),
  session: z.string().max(200),
  /** SHA-256 of the JSON of the labels; null where the browser could not compute it. */
  sha256: z.string().nullable(),
  labels: z.array(z.unknown()).max(100_000),
});

/**
 * Reads a file that the page of a packet saved.
 *
 * @throws KrisisError with the code `ERR_REVIEW_PACKET` where it is something else, or was changed.
 */
export function parsePacketLabels(text: string, where: string): PacketLabels {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw packetError(where, 'is not JSON; expected the file that the page of a review packet saved');
  }
  const parsed = labelsFile.safeParse(given);
  if (!parsed.success) throw packetError(where, 'is not a file that the page of a review packet saved');
  const { packet, session, sha256, labels } = parsed.data;
  if (sha256 !== null && hash('sha256', JSON.stringify(labels)) !== sha256)
    throw packetError(where, 'was changed after it was saved; ask the reviewer to save it again');
  return { packet, session, labels: labels.map((label) => parseNewLabel(label)) };
}

/** The id of the run that a file of labels belongs to; null where its run has none. */
export function parseRunId({ session }: PacketLabels): string | null {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(session)?.[0] ?? null;
}

/**
 * Takes in the labels of a packet, all or none. Labels that are there already are not stored again.
 *
 * @returns How many were new.
 * @throws KrisisError where the packet is of another run or plan, or a label is not of this packet.
 */
export function importPacketLabels(
  file: ReviewFile,
  reviewed: Reviewed,
  given: PacketLabels,
  where: string,
): number {
  const { plan } = reviewed;
  const stored = file.packet(given.packet);
  if (stored === null) {
    const { runId } = reviewed.frame;
    throw packetError(
      where,
      runId !== null && parseRunId(given) !== runId
        ? 'has the labels of another run'
        : 'has the labels of a packet that is not from this review',
    );
  }
  if (stored.plan !== plan.id) throw packetError(where, 'has the labels of another plan');
  const review = file.read();
  const rater = review.raters.find(({ id }) => id === stored.rater);
  if (rater === undefined) throw packetError(where, 'has the labels of a reviewer who is not in this review');
  const reviewer = { rater, role: stored.role, blind: stored.blind };
  const events = given.labels.map((label) =>
    labelEvent(label, reviewed, reviewer, { via: 'packet', at: label.at }),
  );
  return file.append(events);
}

function packetError(where: string, what: string): KrisisError {
  return new KrisisError(`${where}: ${what}`, { code: 'ERR_REVIEW_PACKET', value: where });
}
