import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { allYes, recordsOf, scriptedBackend, suiteOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/krisis-error.ts';
import { createBackend } from './create-backend.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const suite = suiteOf(recordsOf('ab'));
const create = (model: string, own = [scriptedBackend(allYes, { name: 'mine' })]) =>
  createBackend(model, suite, { seed: 1, own });

describe('createBackend', () => {
  it('finds baselines, simulated models, recordings and backends of the config', async () => {
    const path = folder.file('rows.jsonl');
    writeFileSync(path, '{"id":"a","prediction":"yes","ground_truth":"yes","abstained":false}');
    for (const model of ['baseline/random', 'simulated/careful?accuracy=0.8', `replay/${path}`, 'mine'])
      expect((await create(model)).name).toBe(model);
  });

  it('lets a backend of the config go before one of ours', async () => {
    const own = scriptedBackend(allYes, { name: 'baseline/random' });
    expect(await create('baseline/random', [own])).toBe(own);
  });

  it.each(['gpt', 'baselineX', 'simulated!', 'replay', '', 'openia/gpt'])(
    'does not know "%s" and says what it knows',
    async (model) => {
      const asked = create(model);
      await expect(asked).rejects.toThrow(KrisisError);
      await expect(asked).rejects.toThrow(`no model "${model}"`);
      for (const known of ['baseline/majority', 'simulated/careful', 'replay/FILE', 'mine'])
        await expect(asked).rejects.toThrow(known);
    },
  );

  it('gives the seed to the simulation', async () => {
    const parameters = async (seed: number) =>
      (await createBackend('simulated/careful', suite, { seed })).parameters;
    expect(await parameters(7)).toMatchObject({ seed: 7, accuracy: 0.9 });
  });
});
