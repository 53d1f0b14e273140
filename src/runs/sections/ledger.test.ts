import { describe, expect, it } from 'vitest';
import { htmlOf } from '../../../test/section-fixture.ts';
import { emptyLedger } from '../../core/ledger.ts';
import { ledgerFigure } from './ledger.ts';

const textOf = (ledger: Record<string, number>) =>
  htmlOf([ledgerFigure({ ...emptyLedger(), ...ledger }, '')]).replaceAll('\u00a0', ' ');

describe('ledgerFigure', () => {
  it('lists every class with count and share', () => {
    const text = textOf({ n: 4, answered_correct: 2, failed_timeout: 1, not_run: 1 });
    expect(text).toMatch(/answered right <strong>2<\/strong> <span class="muted">50\.0 %/);
    expect(text).toMatch(/failed timeout <strong>1<\/strong>/);
    expect(text).toMatch(/not run <strong>1<\/strong>/);
    expect(text).toMatch(/refused <strong>0<\/strong>/);
  });

  it('sums up what failed for too many reasons', () => {
    const reasons = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`failed_${i}`, 1]));
    expect(textOf({ n: 15, ...reasons })).toContain('failed for 3 other reasons <strong>3</strong>');
  });

  it('says so when the run does not state it', () => {
    expect(textOf({})).toBe('<p>The run does not say how its cases ended.</p>');
  });
});
