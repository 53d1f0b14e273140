import { describe, expect, it } from 'vitest';
import { appliesTo, refuseIgnored } from './option.ts';
import { RUN_OPTIONS } from './run-options.ts';

const KINDS = appliesTo(RUN_OPTIONS);

describe('refuseIgnored', () => {
  it('refuses an option of open questions on a suite with labels, and the other way round', () => {
    expect(() => refuseIgnored({ judge: 'openai/x' }, KINDS, 'labels', 'ckd/staging')).toThrow(
      expect.objectContaining({
        code: 'ERR_OPTION_NOT_APPLICABLE',
        message: '--judge is for runs of open questions, and ckd/staging has labels: leave it out',
      }),
    );
    expect(() => refuseIgnored({ arm: 'natural' }, KINDS, 'text', 'open/clinical')).toThrow(
      '--arm is for runs with labels',
    );
  });

  it('lets pass what both kinds of suites know', () => {
    expect(() => refuseIgnored({ limit: 5, passes: 2 }, KINDS, 'text', 'open/clinical')).not.toThrow();
    expect(() => refuseIgnored({ limit: 5, batchSize: 1 }, KINDS, 'labels', 'ckd/staging')).not.toThrow();
  });
});
