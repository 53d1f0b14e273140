import { expect, it } from 'vitest';
import { nonInferiorityPlanText } from './plan-non-inferiority.ts';

const planned = {
  metric: 'missed_emergency_rate',
  margin: 0.1,
  nRecords: 1000,
  nCounted: 48,
  clusters: null,
  fewest: 35,
  likely: 79,
};

it('says how many emergencies a margin needs, and whether there are enough', () => {
  expect(nonInferiorityPlanText(planned, 'in-use.db')).toBe(
    'a margin of 0.1 on missed_emergency_rate needs at least 35 emergencies, if the two runs never differ on them, and about 79 cases for a chance of 80 % if they differ on 10 %; in-use.db has 48',
  );
  const clustered = { ...planned, clusters: { key: 'patient', n: 30 }, fewest: 38 };
  expect(nonInferiorityPlanText(clustered, 'in-use.db')).toMatch(
    /at least 38 clusters \(patient\) of emergencies.*; in-use\.db has 48 in 30 clusters, too few unless the model turns out better$/,
  );
});

it('is silent where most records count and there are enough of them', () => {
  const all = { ...planned, metric: 'accuracy', nCounted: 990 };
  expect(nonInferiorityPlanText(all, 'in-use.db')).toBeNull();
  expect(nonInferiorityPlanText({ ...all, nRecords: 60, nCounted: 60 }, 'in-use.db')).toMatch(/ has 60$/);
  expect(nonInferiorityPlanText({ ...all, nCounted: 499 }, 'in-use.db')).toMatch(/ has 499$/);
  expect(nonInferiorityPlanText({ ...all, nRecords: 30, nCounted: 30 }, 'in-use.db')).toMatch(
    /at least 35 cases that accuracy counts.* has 30, too few unless the model turns out better$/,
  );
});
