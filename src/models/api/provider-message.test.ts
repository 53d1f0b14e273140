import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerMessage } from './provider-error.ts';

const clean = (text: string, secrets: string[] = []) => providerMessage(text, secrets);

describe('providerMessage', () => {
  it('is one line without control characters', () => {
    expect(clean('a\r\n\tb\u001b[31mc\u202ed\u0000')).toBe('a b [31mc d');
  });

  it('is short', () => {
    expect(clean('x '.repeat(1000)).length).toBeLessThanOrEqual(300);
    expect(clean('y'.repeat(299))).toBe('y'.repeat(299));
  });

  it.each([
    ['Incorrect API key provided: sk-proj-ab***wxyz.', 'Incorrect API key provided: [key]'],
    ['got Bearer abc.def-ghi', 'got [key]'],
    ['key AIzaSyB1234567890 is wrong', 'key [key] is wrong'],
    ['own-key-1234 is wrong', '[key] is wrong'],
  ])('hides keys: %s', (text, expected) => {
    expect(clean(text, ['own-key-1234'])).toBe(expected);
  });

  it.each([
    ['failed (request ID req_0123456789abcdef)', 'failed (request ID req_fedcba9876543210)'],
    ['id 0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f', 'id 9a1b2c3d-0000-4000-8000-0a1b2c3d4e5f'],
    ['trace 4bf92f3577b34da6a3ce929d0e0e4736', 'trace 0bf92f3577b34da6a3ce929d0e0e4736'],
    ['at 2026-10-21T07:28:00Z', 'at 2026-10-21T07:29:13.5Z'],
  ])('is the same for the same error: %s', (one, other) => {
    expect(clean(one)).toBe(clean(other));
  });

  it('keeps words and numbers that say something', () => {
    const text = 'Rate limit reached for gpt-5-mini-2025-08-07 in organization: Limit 30000, Used 29500';
    expect(clean(text)).toBe(text);
  });

  it('never shows a secret, wherever it stands', () => {
    const secret = 'canary-ZYX-0987';
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), fc.string({ maxLength: 400 }), (before, after) => {
        expect(clean(before + secret + after, [secret])).not.toContain('canary-ZYX');
      }),
    );
  });
});
