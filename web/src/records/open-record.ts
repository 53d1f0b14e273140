export interface OpenRecord {
  readonly id: string;
  readonly repeat: number;
  /** Its place in the list; null when the address does not say. */
  readonly at: number | null;
}
