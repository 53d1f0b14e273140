import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, task, temporaryFolder } from '../../test/engine-fixture.ts';
import { BackendError } from './backend-error.ts';
import { replayBackend } from './replay-backend.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

function recording(name: string, rows: object[]): string {
  const path = folder.file(name);
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

const row = { prediction: 'yes', ground_truth: 'yes', abstained: false, confidence: 0.7 };

describe('replayBackend', () => {
  it('honours recorded states', async () => {
    const path = recording('states.jsonl', [
      { ...row, id: 'a' },
      { ...row, id: 'b', state: 'refused' },
      { ...row, id: 'c', state: 'invalid', state_reason: 'label_not_in_task' },
      { ...row, id: 'd', state: 'invalid' },
      { id: 'e', ground_truth: 'yes', abstained: true, prediction: null },
    ]);
    const [a, b, c, d, e] = await (await replayBackend(path)).evaluateBatch(recordsOf('abcde'), task);
    expect(a).toMatchObject({ prediction: 'yes', abstained: false, confidence: 0.7 });
    expect([a!.refused, a!.invalid]).toEqual([undefined, undefined]);
    expect(b).toMatchObject({ refused: true });
    expect(c).toMatchObject({ invalid: 'label_not_in_task' });
    expect(d).toMatchObject({ invalid: 'recorded as invalid' });
    expect(e).toMatchObject({ prediction: null, abstained: true, confidence: null });
  });

  it('makes nothing up for a record that is not there or failed: it keeps the others and says so', async () => {
    const path = recording('failures.jsonl', [
      { ...row, id: 'a' },
      { id: 'b', ground_truth: 'yes', state: 'failed_timeout' },
      { id: 'c', ground_truth: 'yes', state: 'not_run' },
    ]);
    const backend = await replayBackend(path);
    const error = await backend
      .evaluateBatch(recordsOf('abcd'), task)
      .catch((thrown: BackendError) => thrown);
    expect(error).toBeInstanceOf(BackendError);
    expect((error as BackendError).fault).toBe('not_recorded');
    expect((error as BackendError).partial.map((kept) => kept?.prediction ?? null)).toEqual([
      'yes',
      null,
      null,
      null,
    ]);
    for (const record of recordsOf('bcd'))
      await expect(backend.evaluate(record, task)).rejects.toMatchObject({ fault: 'not_recorded' });
  });

  it('answers a whole batch in the order asked, and of several runs gives the first', async () => {
    const path = recording('order.jsonl', [
      { ...row, id: 'a' },
      { ...row, id: 'b', prediction: 'no' },
      { ...row, id: 'a', prediction: 'no' },
    ]);
    const backend = await replayBackend(path);
    const batch = await backend.evaluateBatch(recordsOf('ba'), task);
    expect(batch.map(({ prediction }) => prediction)).toEqual(['no', 'yes']);
    expect((await backend.evaluate(recordsOf('a')[0]!, task)).prediction).toBe('yes');
  });

  it('refuses a file without ids', async () => {
    const path = recording('no-ids.jsonl', [{ ...row, id: 'a' }, row]);
    await expect(replayBackend(path)).rejects.toThrow(
      'no-ids.jsonl: a row has no id; replay needs one on every row',
    );
  });

  it('is another model when the file holds other answers', async () => {
    const readParameters = async (rows: object[]) =>
      (await replayBackend(recording('same-name.jsonl', rows))).parameters;
    const first = await readParameters([{ ...row, id: 'a' }]);
    expect(await readParameters([{ ...row, id: 'a' }])).toEqual(first);
    expect(await readParameters([{ ...row, id: 'a', prediction: 'no' }])).not.toEqual(first);
  });
});
