import { describe, expect, it } from 'vitest';
import { refuseIgnored } from './ignored.ts';

describe('refuseIgnored', () => {
  it('refuses an option of open questions on a suite with labels, and the other way round', () => {
    expect(() => refuseIgnored({ judge: 'openai/x' }, 'labels', 'ckd/staging')).toThrow(
      expect.objectContaining({
        code: 'ERR_OPTION_NOT_APPLICABLE',
        message: '--judge is for open questions; ckd/staging has labels. Leave it out',
      }),
    );
    expect(() => refuseIgnored({ arm: 'natural' }, 'text', 'open/clinical')).toThrow(
      '--arm is for suites with labels',
    );
  });

  it('lets pass what both kinds of suites know', () => {
    expect(() => refuseIgnored({ limit: 5, passes: 2 }, 'text', 'open/clinical')).not.toThrow();
    expect(() => refuseIgnored({ limit: 5, batchSize: 1 }, 'labels', 'ckd/staging')).not.toThrow();
  });
});
