/** What a reader must know before quoting a number. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}
