export interface OpenRecord {
  readonly id: string;
  readonly repeat: number;
  /** Its position in the list; null if the address does not name it. */
  readonly at: number | null;
}
