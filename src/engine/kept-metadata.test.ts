import { describe, expect, it } from 'vitest';
import { defineMetric } from '../metrics/define-metric.ts';
import type { Suite } from '../suites/suite.ts';
import { keptMetadata } from './select-records.ts';

const suite = (more: object = {}) =>
  ({
    name: 'ward/x',
    task: {
      id: 'ward/x',
      labels: ['a', 'b'],
      stratum: { key: 'stage', label: 'stage' },
      deferralReasons: { unclear: { general: 'uncertain' } },
    },
    ...more,
  }) as unknown as Suite;

const METADATA = {
  should_abstain: true,
  must_act: false,
  stage: 3,
  site: 'north',
  nurse: 'Quibblewick',
  patient: 'Zoltan',
  should_abstain_reasons: ['missing_sodium', 'unclear', 'Zoltan said so'],
  deferral_reason: 'Zoltan said so',
  history: { note: 'Quibblewick' },
};

describe('keptMetadata', () => {
  it('keeps all of it when the data are not protected', () => {
    expect(keptMetadata(suite({ sensitivity: 'public' }), {})(METADATA)).toBe(METADATA);
  });

  it('keeps what scores rest on, and codes of reasons, when they are', () => {
    expect(keptMetadata(suite(), {})(METADATA)).toEqual({
      should_abstain: true,
      must_act: false,
      stage: 3,
      should_abstain_reasons: ['missing_sodium', 'unclear'],
    });
  });

  it('keeps groups that the suite declares, and what the run is scored by', () => {
    const declared = keptMetadata(suite({ groups: ['site', 'history'] }), {})(METADATA);
    expect(declared).toMatchObject({ site: 'north' });
    expect(declared).not.toHaveProperty('history');
    expect(keptMetadata(suite(), { scoring: { groupBy: ['site'] } })(METADATA)).toMatchObject({
      site: 'north',
    });
    const metric = { ...defineMetric({ name: 'm', proportion: () => 0 } as never), metadataKeys: ['site'] };
    expect(keptMetadata(suite(), { scoring: { metrics: [metric] } })(METADATA)).toMatchObject({
      site: 'north',
    });
  });

  it('numbers clusters in the order in which they come', () => {
    const kept = keptMetadata(suite({ cluster: 'patient' }), {});
    const patients = ['Zoltan', 'Ada', 'Zoltan', null].map((patient) => kept({ patient }).patient);
    expect(patients).toEqual([1, 2, 1, null]);
  });

  it('keeps no flag that is not one', () => {
    expect(keptMetadata(suite(), {})({ should_abstain: 'Zoltan', must_act: 1 })).toEqual({});
  });
});
