import { describe, expect, it } from 'vitest';
import { addressOf } from './address-of.ts';

describe('addressOf', () => {
  it('fills in the path and puts the rest into the query', () => {
    expect(addressOf('runs/:id/records', { id: 'a/b', outcome: ['x', 'y z'], limit: 5, text: '' })).toBe(
      'runs/a%2Fb/records?outcome=x&outcome=y%20z&limit=5',
    );
    expect(addressOf('compare', { a: 'one', b: undefined })).toBe('compare?a=one');
    expect(addressOf('', {})).toBe('');
  });
});
