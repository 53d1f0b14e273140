import { describe, expect, it } from 'vitest';
import { keyFingerprint } from './provider-info.ts';

const aws = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('keyFingerprint', () => {
  it('is the same for the same key only, and does not hold the key', () => {
    const [one, same, other] = ['sk-one', 'sk-one', 'sk-two'].map((key) =>
      keyFingerprint('openai/m', { env: { OPENAI_API_KEY: key } }),
    );
    expect(one).toMatch(/^[0-9a-f]{12}$/);
    expect([same === one, other === one]).toEqual([true, false]);
  });

  it('stays the same when a session token is renewed, and is null without a key', () => {
    const [first, renewed] = ['first', 'renewed'].map((AWS_SESSION_TOKEN) =>
      keyFingerprint('bedrock/m', { env: { ...aws, AWS_SESSION_TOKEN } }),
    );
    expect(renewed).toBe(first);
    expect(keyFingerprint('ollama/m', { env: {} })).toBeNull();
  });
});
