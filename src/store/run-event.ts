import type { SealKey } from './seal.ts';

/** `started` and `continued` begin a sitting, `finished` and `judged` end one with its `elapsed_seconds` and `waited_seconds`. `budget_released` frees what was set aside for unsettled calls up to `last_call`. */
export type RunEventKind =
  | 'started'
  | 'continued'
  | 'limit_changed'
  /** A round in which failed rows are asked again begins: `round`, the `last_call` before it, and `rows` by problem. */
  | 'asked_again'
  | 'budget_released'
  | 'judged'
  | 'finished'
  /** Everything so far is as the sitting left it: see {@link Seal}. */
  | 'sealed'
  /** An earlier version wrote the file; the chain begins here. */
  | 'adopted'
  /** The run was put together from others: see {@link MergedPart}. */
  | 'merged';

/** Something that happened to a run. */
export interface RunEvent {
  /** Seconds since 1970. */
  readonly time: number;
  readonly kind: RunEventKind;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a seal commits to besides the entries. */
export interface SealOptions {
  /** Of scores and ledger where the run does not store them; null for a run without scores. */
  readonly scoresHash: string | null;
  /** The version that writes the seal. */
  readonly krisisVersion: string | null;
  /** An Ed25519 private key. Default: the seal is not signed. */
  readonly signKey?: SealKey | undefined;
}

/** A run that a merged run was made from. */
export interface MergedPart {
  readonly run_id: string | null;
  /** The hash of the last entry of its chain. */
  readonly head: string;
  readonly entries: number;
}
