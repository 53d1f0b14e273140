import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RunFile } from '../src/store/run-file.ts';
import { verifyRun } from '../src/store/verify-run.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-schema-5-'));
cpSync('test/fixtures/schema-5', folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['questions.db', 'labels.db'])('%s of schema 5', (file) => {
  const path = join(folder, file);

  it('is reported and verified as it is', async () => {
    const { code, stderr } = await krisis(['report', path, '--bootstrap', '0']);
    expect([code, stderr]).toEqual([0, '']);
    expect(verifyRun(path).verdict).toBe('verified');
  });

  it('is migrated when it is written to, and still verifies', () => {
    const run = RunFile.write(path);
    run.addEvent('continued');
    run.close();
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', entriesAfterSeal: 1, adoptedAt: null });
  });
});

it('has judgements that belong to no known configuration of the judge', () => {
  const judgements = RunFile.use(join(folder, 'questions.db'), (run) => [...run.judgements()]);
  expect(judgements.map(({ judge, config, attempt }) => [judge, config, attempt])).toEqual([
    ['baseline/lexical', '', 0],
  ]);
});
