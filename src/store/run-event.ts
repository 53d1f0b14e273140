import { z } from 'zod';
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
  /** Entries `first` to `last` were in the file before a session that signs it, and no seal of its key covered them. */
  | 'unsigned_entries'
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
  /** The last entry that somebody else may have written: a signed seal marks those before it that no earlier seal of its key covers. Default: the last entry when the file was opened. */
  readonly unsignedUntil?: number | undefined;
}

/** A run that a merged run was made from. */
export type MergedPart = Readonly<z.infer<typeof mergedPartSchema>>;

export const mergedPartSchema = z.object({
  /** The name of its file, without the folder. */
  file: z.string(),
  run_id: z.string().nullable(),
  /** The hash of the last entry of its chain. */
  head: z.string(),
  entries: z.number(),
  /** When it was sealed, in ISO 8601. */
  sealed_at: z.string(),
  /** SHA-256 of the public key that signed it; null where it is not signed. */
  key_fingerprint: z.string().nullable(),
});
