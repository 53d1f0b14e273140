import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { canonicalJson, contentHash, KrisisError } from '../core/index.ts';
import { isSignature, publicKeyText } from './digest.ts';
import type { RunEvent } from './events.ts';

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

/** A key that `readSigningKey` or `readPublicKey` gives: a `KeyObject` of Node, without the types of Node. */
export interface SealKey {
  readonly type: string;
  readonly asymmetricKeyType?: string | undefined;
}

/** Adds the signature of a private key to a seal. */
export function signSeal(seal: Seal, signKey: SealKey): Seal {
  const signed = { ...seal, public_key: publicKeyText(signKey) };
  const signature = sign(null, Buffer.from(canonicalJson(signed)), signKey as KeyObject);
  return { ...signed, signature: signature.toString('base64') };
}

/** The fingerprint of the public part of a key, as {@link fingerprintOf} gives it for a seal. */
export function keyFingerprint(key: SealKey): string {
  return hash('sha256', createPublicKey(key as KeyObject).export({ type: 'spki', format: 'der' }));
}

/** The public key that belongs to a private one. */
export function publicPart(signKey: SealKey): SealKey {
  return createPublicKey(signKey as KeyObject);
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

/** The last seal of a run; null before the first. */
export function lastSeal(events: readonly RunEvent[]): (Seal & { readonly seq: number }) | null {
  const last = events.findLast(({ kind }) => kind === 'sealed');
  const seal = last === undefined ? null : readSeal(last.data);
  return seal && { ...seal, seq: last!.seq };
}

/** The first entry that no seal of this key covers. */
export function firstUnsigned(events: readonly RunEvent[], signKey: SealKey): number {
  const publicKey = publicPart(signKey);
  const covered = events.flatMap(({ seq, kind, data }) => {
    const seal = kind === 'sealed' ? readSeal(data) : null;
    return seal !== null && isSignedBy(seal, publicKey) ? seq : [];
  });
  return Math.max(0, ...covered) + 1;
}

/** SHA-256 of the public key in DER, in hexadecimal: what `openssl pkey -pubin -outform DER | sha256sum` prints. */
export function fingerprintOf(seal: Seal): string | null {
  return seal.public_key === undefined ? null : hash('sha256', Buffer.from(seal.public_key, 'base64'));
}

/**
 * Reads an Ed25519 private key (PEM, PKCS 8), to sign runs with. `source` is a file, or the PEM itself.
 *
 * @throws KrisisError when there is no such file, or it is not such a key.
 *
 * @example
 * ```ts
 * const { generateKeyPairSync } = process.getBuiltinModule('node:crypto');
 * const { privateKey } = generateKeyPairSync('ed25519', { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
 * readSigningKey(privateKey).asymmetricKeyType // => 'ed25519'
 * ```
 */
export function readSigningKey(source: string): SealKey {
  return readKey(source, createPrivateKey, 'an Ed25519 private key (PEM, PKCS 8, without a passphrase)');
}

/**
 * Reads an Ed25519 public key (PEM), to check signatures with. `source` is a file, or the PEM itself.
 *
 * @throws KrisisError when there is no such file, or it is not such a key.
 *
 * @example
 * ```ts
 * const { generateKeyPairSync } = process.getBuiltinModule('node:crypto');
 * const { publicKey } = generateKeyPairSync('ed25519', { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
 * readPublicKey(publicKey).type // => 'public'
 * ```
 */
export function readPublicKey(source: string): SealKey {
  return readKey(source, createPublicKey, 'an Ed25519 public key (PEM)');
}

/** Errors name the file, and never quote what is in it. */
function readKey(source: string, create: (pem: string) => KeyObject, expected: string): KeyObject {
  const isPem = source.trimStart().startsWith('-----BEGIN');
  const name = isPem ? 'the key' : source;
  let key: KeyObject;
  try {
    key = create(isPem ? source : readFileSync(source, 'utf8'));
  } catch (error) {
    const { code = 'ERR_INVALID' } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'no such file' : `cannot be read as ${expected} (${code})`;
    throw new KrisisError(`${name}: ${what}`, { code: 'ERR_SIGN_KEY' });
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new KrisisError(`${name}: is not ${expected}`, { code: 'ERR_SIGN_KEY' });
  return key;
}

/** The hash of the scores of a run, as a seal holds it. Both are in the form of a JSON report. */
export function scoresHash(scores: object, ledger: object): string {
  return contentHash(JSON.parse(JSON.stringify({ scores, ledger })));
}

/** The finished report of a run as JSON, and what a list of runs shows of it. */
export interface StoredReport {
  readonly line: string;
  readonly content: string;
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
