import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { krisis } from '../../test/krisis.ts';
import { RunFile } from '../store/run-file.ts';
import { verifyRun } from '../store/verify-run.ts';
import { checkGates } from './gates/check-gates.ts';
import { parseGate } from './gates/parse-gate.ts';
import { openRun, readRun } from './read-run.ts';
import { recomputeScores } from './recompute-scores.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const VERSION = '7.0.0';

/** A run whose stored scores are sealed by a version, after an edit that the seal then covers. */
async function sealedRun(name: string, edit: (file: RunFile) => void): Promise<string> {
  const path = folder.file(name);
  const settings = ['--n-records', '20', '--bootstrap', '0', '--model', 'simulated/careful'];
  await krisis(['run', 'ckd/staging', ...settings, '--run', path]);
  const { scoresHash } = verifyRun(path).seal!;
  const file = RunFile.write(path);
  edit(file);
  file.events.add('continued');
  file.seal({ scoresHash, krisisVersion: VERSION });
  file.close();
  return path;
}
function storeBetterScores(file: RunFile): void {
  const { line, content } = file.report()!;
  const report = JSON.parse(content);
  report.card.scores.find(({ name }: { name: string }) => name === 'accuracy').value = 1;
  file.storeReport({ line, content: JSON.stringify(report) });
}
const recomputed = (path: string, version = VERSION) => recomputeScores(path, verifyRun(path), version);

describe('scores of the rows', () => {
  it('are the sealed ones', async () => {
    expect(recomputed(await sealedRun('same.db', () => {}))).toBe('same');
  });

  it('differ where better scores were stored and sealed', async () => {
    const path = await sealedRun('better.db', storeBetterScores);
    expect(verifyRun(path).verdict).toBe('verified');
    expect(recomputed(path)).toBe('different');
    expect(recomputed(path, '8.0.0')).toBe('other_version');
  });

  it('are not compared where the file was changed, or has entries after its seal', async () => {
    const path = await sealedRun('after.db', () => {});
    const file = RunFile.write(path);
    file.events.add('continued');
    file.close();
    expect(recomputed(path)).toBe('not_checked');
    const db = new DatabaseSync(path);
    db.exec('UPDATE rows SET confidence = 0.1');
    db.close();
    expect(recomputed(path)).toBe('not_checked');
  });
});

describe('a run that is opened for reading', () => {
  it('has the numbers of its report, which are those of its rows', async () => {
    const path = await sealedRun('stored.db', () => {});
    const { numbersFrom, ...stored } = openRun(path);
    const { numbersFrom: other, ...scored } = readRun(path);
    expect([numbersFrom, other]).toEqual(['stored_report', 'rows']);
    expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(scored)));
    expect(stored.threshold()).toEqual(scored.threshold());
    expect(stored.threshold({ risk: 0.3 })).toEqual(scored.threshold({ risk: 0.3 }));
  });

  it('is scored again where other numbers are asked for, or its report is outdated', async () => {
    const path = await sealedRun('outdated.db', () => {});
    expect(openRun(path, { level: 0.9 }).numbersFrom).toBe('rows');
    expect(openRun(path, { level: undefined }).numbersFrom).toBe('stored_report');
    const file = RunFile.write(path);
    file.events.add('continued');
    file.close();
    expect(openRun(path).numbersFrom).toBe('rows');
  });

  it('is gated on its rows', async () => {
    const path = await sealedRun('gated.db', storeBetterScores);
    const shown = openRun(path);
    expect(shown.scores.accuracy!.value).toBe(1);
    const plan = { gates: [parseGate('accuracy >= 0.99')], nonInferior: null };
    const [verdict] = checkGates(plan, shown);
    expect(verdict).toMatchObject({ status: 'fail', message: expect.stringContaining('0.600') });
  });
});
