import { createHash, type Hash, type KeyObject, sign } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KrisisError } from '../core/errors.ts';
import { isSignature, publicKeyText, type SealKey } from './keys.ts';

/** How many entries a run file has, and the SHA-256 of all of them in their order. */
export interface Proof {
  readonly entries: number;
  readonly digest: string;
  /** SPKI in base64; null where it is not signed. */
  readonly publicKey: string | null;
  /** Ed25519 over entries and digest, in base64; null where it is not signed. */
  readonly signature: string | null;
}

const EMPTY = createHash('sha256').digest('hex');
/** Before the first entry. */
export const NO_ENTRIES: Proof = { entries: 0, digest: EMPTY, publicKey: null, signature: null };

/** The state of a digest: it can be continued, which its value cannot. */
export interface DigestState {
  readonly proof: Proof;
  readonly hash: Hash;
}

export const emptyDigest = (): DigestState => ({ proof: NO_ENTRIES, hash: createHash('sha256') });

/** The proof that a file states; null where it states none. */
export function storedProof(db: DatabaseSync): Proof | null {
  const row = db.prepare('SELECT entries, digest, public_key, signature FROM proof WHERE id = 1').get();
  if (row === undefined) return null;
  const orNull = (cell: unknown) => (cell === null ? null : String(cell));
  return {
    entries: Number(row.entries),
    digest: String(row.digest),
    publicKey: orNull(row.public_key),
    signature: orNull(row.signature),
  };
}

function signedText({ entries, digest }: Pick<Proof, 'entries' | 'digest'>): Buffer {
  return Buffer.from(`krisis entries ${entries} ${digest}`);
}

/** Whether the signature of a proof is right, and by the expected key where one is given. */
export function isProofSignedBy(proof: Proof, expected: SealKey | null): boolean {
  if (proof.signature === null || proof.publicKey === null) return false;
  return isSignature(proof.publicKey, proof.signature, signedText(proof), expected);
}

/**
 * The digest of a run file that is being written. Every commit stores the digest of all entries so far, signed where there is a key, so
 * that a kill leaves a file that proves itself.
 */
export class RunningDigest {
  readonly #insert: StatementSync;
  #hash: Hash;
  #proof: Proof;
  #pending = '';
  #nPending = 0;
  /** The digest of the transaction that is being committed. */
  #next: DigestState | null = null;
  #signer: { readonly key: KeyObject; readonly publicKey: string } | null = null;

  constructor(db: DatabaseSync, { proof, hash }: DigestState) {
    this.#insert = db.prepare('INSERT OR REPLACE INTO proof VALUES (1, ?, ?, ?, ?)');
    this.#proof = proof;
    this.#hash = hash;
  }

  /** All entries, those that are not yet committed too. */
  get entries(): number {
    return this.#proof.entries + this.#nPending;
  }

  /** As of the last commit. */
  get proof(): Proof {
    return this.#proof;
  }

  signWith(signKey: SealKey): void {
    this.#signer = { key: signKey as KeyObject, publicKey: publicKeyText(signKey) };
  }

  /** Adds the next entry. */
  add(covered: string): void {
    if (this.#proof.signature !== null && this.#signer === null)
      throw new KrisisError('the run is signed, so whatever is added to it must be signed, too', {
        code: 'ERR_RUN_SIGNED',
      });
    this.#pending += covered;
    this.#nPending += 1;
  }

  /** Stores the digest, in the transaction that writes the entries. */
  write(): void {
    if (this.#nPending === 0) return;
    const hash = this.#hash.copy().update(this.#pending);
    const unsigned = { entries: this.entries, digest: hash.copy().digest('hex') };
    const proof: Proof = {
      ...unsigned,
      publicKey: this.#signer?.publicKey ?? null,
      signature: this.#signer && sign(null, signedText(unsigned), this.#signer.key).toString('base64'),
    };
    this.#insert.run(proof.entries, proof.digest, proof.publicKey, proof.signature);
    this.#next = { proof, hash };
  }

  committed(): void {
    if (this.#next === null) return;
    this.#proof = this.#next.proof;
    this.#hash = this.#next.hash;
    this.rolledBack();
  }

  rolledBack(): void {
    this.#pending = '';
    this.#nPending = 0;
    this.#next = null;
  }
}
