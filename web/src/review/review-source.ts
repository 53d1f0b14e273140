import type { NewReviewLabel } from '../api.ts';

/** Where labels go: to the server of `krisis review`, or into the page of a packet. */
export interface ReviewSource {
  /** What to say when a label is stored. */
  readonly savedText: string;
  /** Resolves when the label is stored. Storing the same label twice stores it once. Throws `RefusedError` where trying again is no use. */
  readonly save: (label: NewReviewLabel) => Promise<void>;
}
