import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { PatientRecord } from '../core/patient-record.ts';
import { RunFile } from '../store/run-file.ts';
import { defineSuite } from '../suites/define-suite.ts';
import type { Suite } from '../suites/suite.ts';
import { selectRecords } from './select-records.ts';

const records: PatientRecord[] = Array.from({ length: 40 }, (_, i) => ({
  id: `r${i}`,
  features: { value: i },
  label: i % 2 === 0 ? 'yes' : 'no',
  metadata: { sex: i % 3 === 0 ? 'f' : 'm' },
}));

const inMemory = defineSuite({
  name: 'own/x',
  task: {
    id: 'own/x',
    labels: ['yes', 'no'],
    ordered: false,
    arms: { natural: { instructions: 'Answer.' } },
    defaultArm: 'natural',
    primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a test' },
  },
  load: () => records,
});

/** Counts how often its records are read, and cannot hold them all. */
function streamed() {
  const suite: Suite & { nRead: number } = {
    ...inMemory,
    nRead: 0,
    load: () => Promise.reject(new Error('loaded')),
    *stream() {
      for (const record of records) {
        suite.nRead += 1;
        yield record;
      }
    },
  };
  return suite;
}

const selection = { limit: 5, seed: 42, order: 'blind' } as const;
const shown = async (suite: Suite, more: { stratify?: string } = {}) => {
  const found = await selectRecords(RunFile.inMemory(), { ...selection, ...more, suite });
  const all = Array.from({ length: found.length }, (_, i) => [found.id(i), found.features(i)]);
  return { all, orderHash: found.orderHash };
};

it('selects the same records from a suite that streams, without loading it', async () => {
  const suite = streamed();
  expect(await shown(suite)).toEqual(await shown(inMemory));
  expect(suite.nRead).toBeLessThanOrEqual(2 * records.length);
  expect(await shown(streamed(), { stratify: 'sex' })).toEqual(await shown(inMemory, { stratify: 'sex' }));
});

it('loads all records where all are asked', async () => {
  const all = selectRecords(RunFile.inMemory(), { suite: streamed(), seed: 42, order: 'blind' });
  await expect(all).rejects.toThrow('loaded');
});

it('enters no record that is not asked about, and those of a larger limit later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-select-'));
  const path = join(folder, 'run.db');
  const stored = () => {
    const db = new DatabaseSync(path, { readOnly: true });
    const { n } = db.prepare('SELECT count(*) AS n FROM records').get()!;
    db.close();
    return n;
  };
  const select = async (limit?: number) => {
    const store = RunFile.write(path);
    const found = await selectRecords(store, { ...selection, limit, suite: inMemory });
    store.close();
    return Array.from({ length: found.length }, (_, i) => found.id(i));
  };
  const five = await select(5);
  expect(stored()).toBe(5);
  expect((await select(8)).slice(0, 5)).toEqual(five);
  expect(stored()).toBe(8);
  await select(undefined);
  expect(stored()).toBe(40);
  rmSync(folder, { recursive: true });
});
