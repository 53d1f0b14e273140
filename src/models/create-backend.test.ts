import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { allYes, recordsOf, scriptedBackend, suiteOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/errors.ts';
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

  it.each(['zzz', ''])('does not know "%s" and says what it knows', async (model) => {
    const asked = create(model);
    await expect(asked).rejects.toThrow(KrisisError);
    await expect(asked).rejects.toThrow(`no model "${model}"`);
    for (const known of ['baseline/majority', 'simulated/careful', 'replay/FILE', 'mine'])
      await expect(asked).rejects.toThrow(known);
  });

  it.each([
    ['openia/gpt', 'openai/gpt'],
    ['simulted/careful', 'simulated/careful'],
    ['gpt-5-mini', 'openai/gpt-5-mini'],
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['careful', 'simulated/careful'],
    ['majority', 'baseline/majority'],
  ])('suggests what "%s" was meant for', async (model, meant) => {
    await expect(create(model)).rejects.toThrow(
      expect.objectContaining({
        code: 'ERR_MODEL_NOT_FOUND',
        message: `no model "${model}"; did you mean ${meant}?`,
      }),
    );
  });

  it('suggests names of baselines and simulated models', async () => {
    await expect(create('baseline/majorty')).rejects.toThrow('no baseline "majorty"; did you mean majority?');
    await expect(create('simulated/carefull')).rejects.toThrow('did you mean careful?');
    await expect(create('simulated/careful?acuracy=1')).rejects.toThrow('did you mean accuracy?');
  });

  it('gives the seed to the simulation', async () => {
    const parameters = async (seed: number) =>
      (await createBackend('simulated/careful', suite, { seed })).parameters;
    expect(await parameters(7)).toMatchObject({ seed: 7, accuracy: 0.9 });
  });
});
