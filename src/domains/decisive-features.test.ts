import { describe, expect, it } from 'vitest';
import { decisiveFeatures } from './decisive-features.ts';
import { DOMAINS } from './domains.ts';

describe('decisive features', () => {
  for (const domain of DOMAINS)
    for (const task of Object.keys(domain.tasks))
      it(`are known for every reason in ${domain.name}/${task}`, async () => {
        const suite = await domain.create(task, { seed: 42, nRecords: 400 });
        const records = await suite.load();
        const reasonsIn = (key: string, metadata: object) =>
          ((metadata as Record<string, unknown>)[key] ?? []) as string[];
        const without = new Set<string>();
        let n = 0;
        for (const { features, metadata } of records)
          for (const reason of [
            ...reasonsIn('must_act_reasons', metadata),
            ...reasonsIn('should_abstain_reasons', metadata),
          ]) {
            n++;
            if (decisiveFeatures([reason], features as Record<string, unknown>).length === 0)
              without.add(reason);
          }
        expect([...without]).toEqual([]);
        expect(n).toBeGreaterThan(20);
      });

  it('go by the words of a reason that no domain knows, and not by how a value lies', () => {
    const features = { 'Serum sodium (mmol/L)': null, 'Missing teeth': 3, Symptoms: 'seizure' };
    expect(decisiveFeatures(['sodium_not_measured'], features)).toEqual([
      { feature: 'Serum sodium (mmol/L)', reasons: ['sodium_not_measured'] },
    ]);
    expect(decisiveFeatures(['missing_consent'], features)).toEqual([]);
  });
});
