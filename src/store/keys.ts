import { createPrivateKey, createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { KrisisError } from '../core/errors.ts';

/** A key that `readSigningKey` or `readPublicKey` gives: a `KeyObject` of Node, without the types of Node. */
export interface SealKey {
  readonly type: string;
  readonly asymmetricKeyType?: string | undefined;
}

/** Whether a signature is right for a text and a public key (SPKI in base64), and by the expected key where one is given. */
export function isSignature(
  publicKey: string,
  signature: string,
  signed: Buffer,
  expected: SealKey | null,
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    if (expected !== null && !key.equals(expected as KeyObject)) return false;
    return verify(null, signed, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

export function publicKeyText(signKey: SealKey): string {
  return createPublicKey(signKey as KeyObject)
    .export({ type: 'spki', format: 'der' })
    .toString('base64');
}

/** The fingerprint of the public part of a key, as {@link sealFingerprint} gives it for a seal. */
export function keyFingerprint(key: SealKey): string {
  return hash('sha256', createPublicKey(key as KeyObject).export({ type: 'spki', format: 'der' }));
}

/** The public key that belongs to a private one. */
export function publicPart(signKey: SealKey): SealKey {
  return createPublicKey(signKey as KeyObject);
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
