import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { readPublicKey, readSigningKey } from './keys.ts';
import { isSignedBy, readSeal, type Seal, sealFingerprint, signSeal } from './seal.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const SEAL: Seal = {
  digest: 'ab',
  entries: 3,
  scores_hash: null,
  report_hash: null,
  line_hash: null,
  krisis_version: '1',
  sealed_at: '2026-01-01T00:00:00Z',
};
const inPem = ({ publicKey, privateKey }: KeyPairKeyObjectResult) => ({
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const pem = () => inPem(generateKeyPairSync('ed25519'));

describe('a signature', () => {
  const { publicKey, privateKey } = pem();
  const signed = signSeal(SEAL, readSigningKey(privateKey));

  it('is that of the seal, by its key', () => {
    expect(isSignedBy(signed, null)).toBe(true);
    expect(isSignedBy(signed, readPublicKey(publicKey))).toBe(true);
    expect(isSignedBy(signed, readPublicKey(pem().publicKey))).toBe(false);
    expect(sealFingerprint(signed)).toMatch(/^[0-9a-f]{64}$/);
    expect(readSeal(JSON.parse(JSON.stringify(signed)))).toEqual(signed);
  });

  it('does not fit another seal, another key or none', () => {
    expect(isSignedBy({ ...signed, entries: 4 }, null)).toBe(false);
    expect(
      isSignedBy(
        { ...signed, public_key: signSeal(SEAL, readSigningKey(pem().privateKey)).public_key! },
        null,
      ),
    ).toBe(false);
    expect(isSignedBy({ ...signed, public_key: 'no key' }, null)).toBe(false);
    expect(isSignedBy(SEAL, null)).toBe(false);
    expect(sealFingerprint(SEAL)).toBeNull();
  });
});

describe('a key', () => {
  it('is read from a file, or from its PEM', () => {
    const { privateKey } = pem();
    const path = folder.file('key.pem');
    writeFileSync(path, privateKey);
    const seals = [path, privateKey].map((source) => signSeal(SEAL, readSigningKey(source)));
    expect(seals[0]).toEqual(seals[1]);
  });

  it('of another kind, or none, is refused without quoting it', () => {
    const path = folder.file('bad.pem');
    writeFileSync(path, '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n');
    for (const read of [
      () => readSigningKey(path),
      () => readSigningKey(folder.file('missing.pem')),
      () => readSigningKey(pem().publicKey),
      () => readSigningKey(inPem(generateKeyPairSync('x25519')).privateKey),
      () => readPublicKey('-----BEGIN c2VjcmV0'),
    ]) {
      expect(read).toThrow(expect.objectContaining({ code: 'ERR_SIGN_KEY' }));
      expect(read).not.toThrow('c2VjcmV0');
    }
  });
});

describe('readSeal', () => {
  it('returns null for what is not a seal', () => {
    expect([null, {}, 'x', { ...SEAL, entries: -1 }, { ...SEAL, digest: 1 }].map(readSeal)).toEqual(
      Array(5).fill(null),
    );
  });
});
