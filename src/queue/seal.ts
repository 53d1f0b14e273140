import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { KrisisError } from '../core/index.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SHORTEST_SECRET = 16;

/** Turns a text into one that only holders of the secret can read, and back. `name` must be the same both times: a text cannot be passed off as another. */
export interface Seal {
  close(text: string, name: string): string;
  /** @throws when the text was sealed with another secret or name, or was changed. */
  open(sealed: string, name: string): string;
}

/** AES-256-GCM; every run has a key of its own. */
export function createSeal(secret: string, run: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secret, run, 'krisis queue', 32));
  return {
    close(text, name) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64',
      );
    },
    open(sealed, name) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return `${decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8')}${decipher.final('utf8')}`;
    },
  };
}

/** Refuses a secret that could be guessed. */
export function checkSecret(secret: string | undefined): void {
  if (secret !== undefined && secret.length < SHORTEST_SECRET)
    throw new KrisisError(`the secret of the queue is shorter than ${SHORTEST_SECRET} characters`, {
      code: 'ERR_QUEUE_SECRET',
    });
}
