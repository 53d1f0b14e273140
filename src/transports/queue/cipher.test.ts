import { describe, expect, it } from 'vitest';
import { createCipher, createSigner, deriveQueueTag, requireSecret } from './cipher.ts';

const SECRET = 'a secret for tests that is long enough';
const OTHER = 'another secret for tests, long enough';

describe('the encryption of a call', () => {
  it('decrypts what it encrypted, and shows nothing of it', () => {
    const cipher = createCipher(SECRET, 'run');
    const encrypted = cipher.encrypt('creatinine 2.4 mg/dl, ä', 'job');
    expect(Buffer.from(encrypted, 'base64').toString('latin1')).not.toContain('creatinine');
    expect(cipher.decrypt(encrypted, 'job')).toBe('creatinine 2.4 mg/dl, ä');
    expect(cipher.encrypt('creatinine 2.4 mg/dl, ä', 'job')).not.toBe(encrypted);
  });

  it.each([
    ['with another secret', createCipher(OTHER, 'run'), 'job'],
    ['for another run', createCipher(SECRET, 'other'), 'job'],
    ['as another job', createCipher(SECRET, 'run'), 'job 2'],
  ])('decrypts nothing %s', (_, cipher, name) => {
    const encrypted = createCipher(SECRET, 'run').encrypt('text', 'job');
    expect(() => cipher.decrypt(encrypted, name)).toThrow();
  });

  it('decrypts nothing that was changed', () => {
    const cipher = createCipher(SECRET, 'run');
    const bytes = Buffer.from(cipher.encrypt('text', 'job'), 'base64');
    bytes[13]! ^= 1;
    expect(() => cipher.decrypt(bytes.toString('base64'), 'job')).toThrow();
    expect(() => cipher.decrypt('', 'job')).toThrow();
  });
});

describe('the MAC of an entry', () => {
  const signed = createSigner(SECRET).sign('{"name":"gpu 1"}', 'workers 1');

  it('fits the text and name it was made for', () => {
    expect(createSigner(SECRET).verify(signed, 'workers 1')).toBe('{"name":"gpu 1"}');
  });

  it.each([
    ['another secret', createSigner(OTHER), signed, 'workers 1'],
    ['another name', createSigner(SECRET), signed, 'workers 2'],
    ['a changed text', createSigner(SECRET), signed.replace('1', '2'), 'workers 1'],
    ['no MAC', createSigner(SECRET), '{"name":"gpu 1"}', 'workers 1'],
    ['nothing', createSigner(SECRET), '', 'workers 1'],
  ])('does not fit %s', (_, signer, text, name) => {
    expect(signer.verify(text, name)).toBeNull();
  });
});

describe('the secret of a queue', () => {
  it.each([undefined, '', 'a'.repeat(31)])('is required, and not short: %j', (secret) => {
    expect(() => requireSecret(secret)).toThrow(expect.objectContaining({ code: 'ERR_QUEUE_SECRET' }));
  });

  it('decides which queue is used', () => {
    expect(deriveQueueTag(SECRET)).toMatch(/^[0-9a-f]{8}$/);
    expect(deriveQueueTag(SECRET)).not.toBe(deriveQueueTag(OTHER));
  });
});
