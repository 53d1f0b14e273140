import { hash, type KeyObject, sign } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, contentHash } from '../core/canonical-json.ts';

import type { RunEvent } from './events.ts';
import { isSignature, publicKeyText, publicPart, type SealKey } from './keys.ts';

const sealSchema = z.object({
  /** The digest of the entries that it covers. */
  digest: z.string(),
  /** How many entries it covers. */
  entries: z.int().min(0),
  /** Of scores and ledger. */
  scores_hash: z.string().nullable(),
  /** SHA-256 of the stored report, and of its line in lists; null where none is stored. */
  report_hash: z.string().nullable(),
  line_hash: z.string().nullable(),
  krisis_version: z.string().nullable(),
  /** ISO 8601. */
  sealed_at: z.string(),
  /** SPKI in base64; only where it is signed. */
  public_key: z.string().exactOptional(),
  /** Ed25519 over the canonical JSON of all other fields, in base64. */
  signature: z.string().exactOptional(),
});

/** What the event `sealed` says, in its file form. */
export type Seal = Readonly<z.infer<typeof sealSchema>>;

/** Adds the signature of a private key to a seal. */
export function signSeal(seal: Seal, signKey: SealKey): Seal {
  const signed = { ...seal, public_key: publicKeyText(signKey) };
  const signature = sign(null, Buffer.from(canonicalJson(signed)), signKey as KeyObject);
  return { ...signed, signature: signature.toString('base64') };
}

/** Reads a seal; null where the data of the event are not one. */
export function readSeal(data: unknown): Seal | null {
  return sealSchema.safeParse(data).data ?? null;
}

/** Whether the signature of a seal is right, and by the expected key where one is given. */
export function isSignedBy({ signature, ...signed }: Seal, expected: SealKey | null): boolean {
  if (signature === undefined || signed.public_key === undefined) return false;
  return isSignature(signed.public_key, signature, Buffer.from(canonicalJson(signed)), expected);
}

/** The first entry that no seal of this key covers. */
export function firstUnsigned(seals: readonly RunEvent[], signKey: SealKey): number {
  const publicKey = publicPart(signKey);
  const covered = seals.flatMap(({ seq, data }) => {
    const seal = readSeal(data);
    return seal !== null && isSignedBy(seal, publicKey) ? seq : [];
  });
  return Math.max(0, ...covered) + 1;
}

/** SHA-256 of the public key in DER, in hexadecimal: what `openssl pkey -pubin -outform DER | sha256sum` prints. */
export function sealFingerprint(seal: Seal): string | null {
  return seal.public_key === undefined ? null : hash('sha256', Buffer.from(seal.public_key, 'base64'));
}

/** The hash of the scores of a run, as a seal holds it. Both are in the form of a JSON report. */
export function scoresHash(scores: object, ledger: object): string {
  return contentHash(JSON.parse(JSON.stringify({ scores, ledger })));
}

/** What a seal commits to besides the entries. */
export interface SealOptions {
  /** Of scores and ledger; null for a run without scores. */
  readonly scoresHash: string | null;
  /** The version that writes the seal. */
  readonly krisisVersion: string | null;
}

/** A run that a merged run was made from. */
export type MergedPart = Readonly<z.infer<typeof mergedPartSchema>>;

export const mergedPartSchema = z.object({
  /** The name of its file, without the folder. */
  file: z.string(),
  run_id: z.string().nullable(),
  /** The digest of its entries. */
  head: z.string(),
  entries: z.number(),
  /** When it was sealed, in ISO 8601. */
  sealed_at: z.string(),
  /** SHA-256 of the public key that signed it; null where it is not signed. */
  key_fingerprint: z.string().nullable(),
});
