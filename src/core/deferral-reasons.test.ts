import { describe, expect, it } from 'vitest';
import { KNOWN_REASONS } from '../domains/domains.ts';
import { findSuite } from '../domains/find-suite.ts';
import type { Suite } from '../suites/suite.ts';
import { GENERAL_REASONS, reasonsToGive, rightReasons } from './deferral-reasons.ts';

const own = {
  missing_sodium: { general: 'data_missing' },
  hemolysed: { general: 'data_conflict', equivalent: ['contaminated', 'data_missing'] },
  contaminated: { general: 'other' },
} as const;

describe('reasonsToGive', () => {
  it('is the general list in every arm but the one that gives the rule', () => {
    for (const defaultArm of ['natural', 'egfr_shown', undefined])
      expect(reasonsToGive({ ...(defaultArm && { defaultArm }), deferralReasons: own })).toBe(
        GENERAL_REASONS,
      );
    expect(reasonsToGive({ defaultArm: 'instructed' })).toBe(GENERAL_REASONS);
    expect(reasonsToGive({ defaultArm: 'instructed', deferralReasons: own })).toEqual([
      'missing_sodium',
      'hemolysed',
      'contaminated',
      'other',
    ]);
  });
});

describe('rightReasons', () => {
  it.each([
    [['missing_sodium'], ['missing_sodium', 'data_missing']],
    [['hemolysed'], ['hemolysed', 'data_conflict', 'contaminated', 'other', 'data_missing']],
    [['uncertain'], ['uncertain']],
    [
      ['missing_sodium', 'free text'],
      ['missing_sodium', 'data_missing', 'free text'],
    ],
    [['free text'], null],
    [['constructor'], null],
    [[], null],
  ])('%j: %j', (held, right) => {
    const found = rightReasons(held, own);
    expect(found && [...found]).toEqual(right);
  });
});

describe.each([
  ['ckd/detection', {}],
  ['ckd/staging', {}],
  ['ckd/progression', {}],
])('the reasons of %s', (name, options) => {
  it('are all known, to its task and to its domain', async () => {
    const suite = (await findSuite(name, { ...options, nRecords: 600 })) as Suite;
    const held = new Set(
      (await suite.load()).flatMap(({ metadata }) => metadata.should_abstain_reasons as string[]),
    );
    expect(held.size).toBeGreaterThan(5);
    for (const reason of held) {
      expect(suite.task.deferralReasons).toHaveProperty(reason);
      expect(KNOWN_REASONS).toHaveProperty(reason);
    }
  });

  it('have equivalents that are reasons', async () => {
    const { deferralReasons = {} } = ((await findSuite(name, options)) as Suite).task;
    const known = [...GENERAL_REASONS, ...Object.keys(deferralReasons)];
    for (const { equivalent = [] } of Object.values(deferralReasons))
      for (const reason of equivalent) expect(known).toContain(reason);
  });
});
