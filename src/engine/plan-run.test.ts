import { describe, expect, it } from 'vitest';
import { CkdSuite } from '../domains/ckd/ckd-suite.ts';
import { defineBackend } from '../models/define-backend.ts';
import { planRun } from './plan-run.ts';

const suite = new CkdSuite({ task: 'staging', nRecords: 30, testSize: 1 });
const never = () => {
  throw new Error('a plan asks nothing');
};
const backend = defineBackend({ name: 'never-asked', evaluate: never, evaluateBatch: never });

describe('planRun', () => {
  it('counts calls by limit, batch size and repeats', async () => {
    const [plan] = await planRun(suite, [backend], { limit: 20, batchSize: 8, repeats: 2 });
    expect(plan).toMatchObject({ model: 'never-asked', records: 20, calls: 6, estimated_cost_usd: null });
    const singly = defineBackend({ name: 'one-by-one', evaluate: never });
    const [each] = await planRun(suite, [singly], { limit: 20, batchSize: 8, repeats: 2 });
    expect(each, 'a backend without batches').toMatchObject({ records: 20, calls: 40 });
  });

  it('counts what the arm adds to every record', async () => {
    const tokens = async (arm: string) =>
      (await planRun(suite, [backend], { arm }))[0]!.estimated_input_tokens;
    expect(await tokens('egfr_shown')).toBeGreaterThan((await tokens('natural')) + 30 * 10);
  });

  it('refuses an arm that the task does not have', async () => {
    await expect(planRun(suite, [backend], { arm: 'loud' })).rejects.toThrow('no arm "loud"');
  });
});
