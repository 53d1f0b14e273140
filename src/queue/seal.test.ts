import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const SECRET = 'a secret that is long enough';

describe('the seal of a job', () => {
  it('opens what it closed, and shows nothing of it', () => {
    const seal = createSeal(SECRET, 'run');
    const sealed = seal.close('creatinine 2.4 mg/dl, ä', 'job');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('creatinine');
    expect(seal.open(sealed, 'job')).toBe('creatinine 2.4 mg/dl, ä');
    expect(seal.close('creatinine 2.4 mg/dl, ä', 'job')).not.toBe(sealed);
  });

  it.each([
    ['with another secret', createSeal('another secret, long enough', 'run'), 'job'],
    ['for another run', createSeal(SECRET, 'other'), 'job'],
    ['as another job', createSeal(SECRET, 'run'), 'job 2'],
  ])('does not open %s', (_, seal, name) => {
    const sealed = createSeal(SECRET, 'run').close('text', 'job');
    expect(() => seal.open(sealed, name)).toThrow();
  });

  it('does not open what was changed', () => {
    const seal = createSeal(SECRET, 'run');
    const bytes = Buffer.from(seal.close('text', 'job'), 'base64');
    bytes[13]! ^= 1;
    expect(() => seal.open(bytes.toString('base64'), 'job')).toThrow();
    expect(() => seal.open('', 'job')).toThrow();
  });
});
