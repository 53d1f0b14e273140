import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { KrisisError } from '../../core/errors.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const MIN_SECRET_LENGTH = 32;
const QUEUE_TAG_LENGTH = 8;

/**
 * Encrypts and authenticates texts by AES-256-GCM; every run has its own key. `name` must be the same both times, so a text
 * cannot pass for another.
 */
export function createCipher(secret: string, run: string) {
  const key = deriveKey(secret, run, 'krisis queue');
  return {
    encrypt(text: string, name: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64',
      );
    },
    /** @throws when the text was encrypted with another secret or name, or was changed. */
    decrypt(encrypted: string, name: string): string {
      const bytes = Buffer.from(encrypted, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return `${decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8')}${decipher.final('utf8')}`;
    },
  };
}

/** Authenticates texts that stay readable, by HMAC-SHA-256. */
export function createSigner(secret: string) {
  const key = deriveKey(secret, '', 'krisis registry');
  const mac = (text: string, name: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([name, text]))
      .digest('hex');
  return {
    /** Puts a MAC before the text. */
    sign: (text: string, name: string) => `${mac(text, name)} ${text}`,
    /** The text after its MAC; null where they do not fit. */
    verify(signed: string, name: string): string | null {
      const end = signed.indexOf(' ');
      const text = signed.slice(end + 1);
      const [actual, expected] = [
        Buffer.from(signed.slice(0, Math.max(end, 0))),
        Buffer.from(mac(text, name)),
      ];
      return actual.length === expected.length && timingSafeEqual(actual, expected) ? text : null;
    },
  };
}

/** Part of the name of a queue. Workers with another secret listen to another queue. */
export function deriveQueueTag(secret: string): string {
  return Buffer.from(deriveKey(secret, '', 'krisis queue name'))
    .toString('hex')
    .slice(0, QUEUE_TAG_LENGTH);
}

function deriveKey(secret: string, salt: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, purpose, 32));
}

/** Refuses a missing secret, and one that could be guessed. Returns the others. */
export function requireSecret(secret: string | undefined): string {
  if (secret === undefined || secret === '')
    throw new KrisisError(
      'no queue secret: without one, anyone who can reach the Redis could read calls, forge replies and spend money',
      { code: 'ERR_QUEUE_SECRET' },
    );
  if (secret.length < MIN_SECRET_LENGTH)
    throw new KrisisError(
      `the queue secret has ${secret.length} characters; at least ${MIN_SECRET_LENGTH} are required`,
      { code: 'ERR_QUEUE_SECRET' },
    );
  return secret;
}
