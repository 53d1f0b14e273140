import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { canonicalJson, contentHash, KrisisError } from '../core/index.ts';

const sealSchema = z.object({
  /** The hash of the last entry that it covers. */
  head: z.string(),
  /** How many entries it covers. */
  entries: z.int().min(0),
  /** Of scores and ledger. */
  scores_hash: z.string().nullable(),
  krisis_version: z.string().nullable(),
  /** ISO 8601. */
  sealed_at: z.string(),
  /** The hash of the entry of the seal before; null for the first. */
  previous: z.string().nullable(),
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
  const key = signKey as KeyObject;
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const signed = { ...seal, public_key: spki.toString('base64') };
  return { ...signed, signature: sign(null, Buffer.from(canonicalJson(signed)), key).toString('base64') };
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
  try {
    const der = Buffer.from(signed.public_key, 'base64');
    const own = createPublicKey({ key: der, type: 'spki', format: 'der' });
    if (own.asymmetricKeyType !== 'ed25519' || (expected !== null && !own.equals(expected as KeyObject)))
      return false;
    return verify(null, Buffer.from(canonicalJson(signed)), own, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
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

/** The hash of the scores of a run, as a seal holds it. Both are in the form of the manifest. */
export function scoresHash(scores: object, ledger: object): string {
  return contentHash(JSON.parse(JSON.stringify({ scores, ledger })));
}
