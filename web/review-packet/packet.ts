import type { NewReviewLabel, ReviewSession } from '../src/api.ts';

const PACKET_FORMAT = 'krisis-review-packet-1';
const LABELS_FORMAT = 'krisis-review-labels-1';

/** What `krisis review --packet` puts into the page. */
export interface Packet {
  readonly format: typeof PACKET_FORMAT;
  /** SHA-256 of `JSON.stringify(session)`, in hexadecimal. */
  readonly packet: string;
  readonly session: ReviewSession;
}

/** The file that the page saves and `krisis review import` reads. */
export interface LabelsFile {
  readonly format: typeof LABELS_FORMAT;
  /** The hash of the packet that the labels were made with. */
  readonly packet: string;
  readonly session: string;
  readonly rater: string;
  readonly saved_at: string;
  /** SHA-256 of `JSON.stringify(labels)`; null where the browser cannot compute it. */
  readonly sha256: string | null;
  readonly labels: readonly NewReviewLabel[];
}

/** The packet in the page; a sentence that says why there is none. */
export function readPacket(text: string): Packet | string {
  const packet = parsed(text) as Partial<Packet> | null | undefined;
  if (packet === undefined) return 'The data of this packet cannot be read: the file was cut off or changed.';
  if (packet === null)
    return 'This page has no review in it: krisis review RUN --packet FOLDER makes packets.';
  if (packet.format !== PACKET_FORMAT || packet.session === undefined || packet.packet === undefined)
    return 'The data of this packet have a form that this page does not know.';
  return packet as Packet;
}

/** Whether the data are those that the packet was made with: `unknown` where the browser cannot compute the hash. */
export async function checkPacket({ packet, session }: Packet): Promise<'intact' | 'changed' | 'unknown'> {
  const found = await hashOf(session);
  return found === null ? 'unknown' : found === packet ? 'intact' : 'changed';
}

async function hashOf(value: unknown): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function labelsFile(
  { packet, session }: Packet,
  labels: readonly NewReviewLabel[],
): Promise<LabelsFile> {
  return {
    format: LABELS_FORMAT,
    packet,
    session: session.id,
    rater: session.rater,
    saved_at: new Date().toISOString(),
    sha256: await hashOf(labels),
    labels,
  };
}

/** The labels of a file that this packet saved earlier; a sentence that says why there are none. */
export async function readLabelsFile(
  { packet, session }: Packet,
  text: string,
): Promise<readonly NewReviewLabel[] | string> {
  const file = parsed(text) as Partial<LabelsFile> | null | undefined;
  if (file?.format !== LABELS_FORMAT || !Array.isArray(file.labels))
    return 'This file was not saved by a review packet.';
  if (file.packet !== packet) return 'This file was saved by another packet: open that one to continue it.';
  if (file.rater !== session.rater)
    return `This file has the labels of ${file.rater}, and this is the packet of ${session.rater}.`;
  const found = typeof file.sha256 === 'string' ? await hashOf(file.labels) : null;
  // Labels that were changed on the way would be saved again under a new hash.
  if (found !== null && found !== file.sha256)
    return 'This file was changed after it was saved: continue from another copy of it.';
  return file.labels;
}

/** `krisis-review-1f2e3d4c5b6a-R1.json`, with nothing in it that a file system refuses. */
export function fileName({ packet, session }: Packet): string {
  const rater = session.rater.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 40);
  return `krisis-review-${packet.slice(0, 12)}-${rater}.json`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
