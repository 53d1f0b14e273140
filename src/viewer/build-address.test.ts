import { describe, expect, it } from 'vitest';
import { buildAddress } from './build-address.ts';

describe('buildAddress', () => {
  it('fills in the path and puts the rest into the query', () => {
    expect(buildAddress('runs/:id/records', { id: 'a/b', outcome: ['x', 'y z'], limit: 5, text: '' })).toBe(
      'runs/a%2Fb/records?outcome=x&outcome=y%20z&limit=5',
    );
    expect(buildAddress('compare', { a: 'one', b: undefined })).toBe('compare?a=one');
    expect(buildAddress('', {})).toBe('');
  });
});
