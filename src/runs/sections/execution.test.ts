import { describe, expect, it } from 'vitest';
import { extras } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { execution } from './execution.ts';

const textOf = (change: Partial<typeof extras> = {}) => htmlOf(execution({ ...extras, ...change }).blocks);

describe('execution', () => {
  it('has every field but the templates, and what each role took, which has a section of its own', () => {
    const fields = [...textOf().matchAll(/<code>(\w+)<\/code>/g)].map(([, field]) => field);
    expect(fields.sort()).toEqual(
      Object.keys(extras)
        .filter((key) => key !== 'prompt_templates' && key !== 'roles')
        .sort(),
    );
  });

  it('writes numbers with their units', () => {
    const text = textOf({ token_total: 1_234_567, records_per_second: 11437.48 });
    for (const shown of [
      '12.5 s',
      '2.250 s',
      '0.0421 US dollars',
      '1,234,567',
      '11,437',
      'model-2026-01-01',
      '2026-02-27 08:15 UTC',
    ])
      expect(text).toContain(`>${shown}<`);
  });

  it('says why there is no value', () => {
    const text = textOf({ cost_usd: null, model_ids: [], n_calls: null });
    expect(text).toContain('no price is known for this model');
    expect(text.match(/>not stated</g)).toHaveLength(2);
  });
});
