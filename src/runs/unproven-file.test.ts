import { copyFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { krisis } from '../../test/krisis.ts';
import { checkGates } from './gates/check-gates.ts';
import { parseGate } from './gates/parse-gate.ts';
import { readRun } from './read-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

it('decides conditions by the file that was scored, not by one that took its place', async () => {
  const [path, other] = [folder.file('run.db'), folder.file('other.db')];
  const settings = ['--n-records', '30', '--bootstrap', '0', '--model', 'simulated/careful'];
  await krisis(['run', 'ckd/staging', ...settings, '--run', path]);
  const plan = { gates: [parseGate('accuracy >= 0.1')], nonInferior: null };
  const scored = readRun(path);
  expect(checkGates(plan, scored)).toMatchObject([{ status: 'pass' }]);
  copyFileSync(path, other);
  copyFileSync(other, path);
  expect(checkGates(plan, scored)).toMatchObject([
    { status: 'undecided', reason: 'unverified', message: expect.stringContaining('while it was read') },
  ]);
  expect(checkGates(plan, readRun(path))).toMatchObject([{ status: 'pass' }]);
});
