import { createHash, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Asked,
  allYes,
  recordsOf,
  response,
  scriptedBackend,
  suiteOf,
  temporaryFolder,
} from '../../test/engine-fixture.ts';
import { cutEntries, forgeProof } from '../../test/forge-proof.ts';
import { compareRuns } from '../analyses/comparison/compare-runs.ts';
import type { BackendResponse } from '../models/backend.ts';
import { BackendError } from '../models/backend-error.ts';
import { RunFile } from '../store/run-file.ts';
import { verifyRun } from '../store/verify-run.ts';
import { mergeRuns } from './merge-runs.ts';
import { run } from './run.ts';
import type { RunOptions } from './run-options.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const draw = (...what: (string | number)[]) =>
  createHash('sha256').update(what.join('|')).digest().readUInt32BE(0) / 2 ** 32;

/** What is answered depends on the whole question, so batches of other records would give other answers. */
const moody = ({ ids, mode }: Asked): readonly BackendResponse[] => {
  const question = `${mode}:${ids}`;
  if (ids.length > 1 && draw('mood', question) < 0.3) throw new BackendError('malformed', 'half');
  if (mode === 'single' && draw('single', question) < 0.3) throw new BackendError('malformed', 'again');
  return [...ids].map((id) =>
    response({
      prediction: draw('says', question, id) < 0.3 ? 'no' : 'yes',
      confidence: draw('sure', question, id),
    }),
  );
};

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
let nFiles = 0;

function edit(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function make(more: Partial<RunOptions> & { n?: number; script?: typeof moody } = {}) {
  const { n = 20, script = moody, ...options } = more;
  const path = folder.file(`${nFiles++}.db`);
  return run({
    suite: suiteOf(recordsOf(letters.slice(0, n))),
    backend: scriptedBackend(script),
    batchSize: 3,
    path,
    scoring: { resamples: 50 },
    ...options,
  });
}

const makeParts = async (of: number, more: Parameters<typeof make>[0] = {}) => {
  const paths: string[] = [];
  for (let index = 1; index <= of; index++) paths.push((await make({ ...more, shard: { index, of } })).path);
  return paths;
};

/** Everything that a reader can see of a run, apart from times and what it cost to write. */
function contents(path: string) {
  return RunFile.use(path, (file) => ({
    rows: [...file.rows.read({ nRepeats: file.manifest().identity.repeats })].map(
      // Entries have other numbers in a merged run.
      ({ callId: _, latencyMs: __, ...row }) => row,
    ),
    records: [...file.records.read()],
    planned: [...file.rounds.plannedCalls()].sort(),
    totals: { ...file.calls.totals(), latencies: null },
    scores: file.manifest().scores,
    ledger: file.manifest().ledger,
    status: file.status(),
  }));
}

describe('mergeRuns', () => {
  it('makes of any division what the undivided run holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          n: fc.integer({ min: 6, max: 30 }),
          of: fc.integer({ min: 1, max: 6 }),
          batchSize: fc.integer({ min: 1, max: 4 }),
          repeats: fc.integer({ min: 1, max: 2 }),
          limit: fc.option(fc.integer({ min: 6, max: 30 }), { nil: undefined }),
        }),
        async ({ of, ...options }) => {
          fc.pre(Math.ceil(Math.min(options.n, options.limit ?? options.n) / options.batchSize) >= of);
          const whole = await make(options);
          const parts = await makeParts(of, options);
          const target = folder.file(`${nFiles++}.db`);
          const { result, missing } = await mergeRuns(target, parts.reverse());
          expect(missing).toEqual([]);
          expect(result.path).toBe(target);
          expect(contents(target)).toEqual(contents(whole.path));
          expect(verifyRun(target).verdict).toBe('verified');
        },
      ),
      { numRuns: 12, seed: 7 },
    );
  }, 60_000);

  it('asks nothing more of a merged run, and the rest of a partial one', async () => {
    const parts = await makeParts(3);
    const target = folder.file('partial.db');
    const partial = mergeRuns(target, parts.slice(0, 2));
    await expect(partial).rejects.toMatchObject({
      code: 'ERR_MERGE_INCOMPLETE',
      message: 'the run is not whole: part 3 of 3 missing',
    });
    expect(existsSync(target)).toBe(false);
    const { result, missing } = await mergeRuns(target, parts.slice(0, 2), { partial: true });
    expect([result.status, missing]).toEqual(['interrupted', [3]]);
    const backend = scriptedBackend(moody);
    const whole = await make();
    await run({
      suite: suiteOf(recordsOf(letters.slice(0, 20))),
      backend,
      batchSize: 3,
      path: target,
      scoring: { resamples: 50 },
      keepFailed: true,
    });
    expect(contents(target)).toEqual(contents(whole.path));
    const again = scriptedBackend(moody);
    await run({
      suite: suiteOf(recordsOf(letters.slice(0, 20))),
      backend: again,
      batchSize: 3,
      path: target,
      keepFailed: true,
    });
    expect(again.calls).toEqual([]);
  });

  it('merges a part that stopped only when asked to, and the merged run asks its rest', async () => {
    const script = (asked: Asked) => {
      if (/[kl]/.test(asked.ids)) throw new BackendError('auth', 'no key');
      return allYes(asked);
    };
    const parts = await makeParts(2, { script, maxConcurrency: 1 });
    const stopped = parts.filter((path) => RunFile.use(path, (file) => file.status() === 'stopped'));
    expect(stopped).toHaveLength(1);
    const target = folder.file('stopped.db');
    await expect(mergeRuns(target, parts)).rejects.toThrow(`not finished: ${stopped[0]}`);
    const { result, unfinished } = await mergeRuns(target, parts, { partial: true });
    expect([result.status, unfinished]).toEqual(['interrupted', stopped]);
    await make({ script: allYes, path: target });
    const whole = await make({ script: allYes });
    expect(contents(target).rows).toEqual(contents(whole.path).rows);
  });

  it('keeps rounds of asking failed rows again together', async () => {
    let isDown = true;
    const script = (asked: Asked) => {
      if (isDown && /[bdp]/.test(asked.ids)) throw new BackendError('timeout', 'late');
      return allYes(asked);
    };
    const options = { n: 16, script, batchSize: 1 };
    const parts = await makeParts(2, options);
    isDown = false;
    const backend = scriptedBackend(script);
    for (const [i, path] of parts.entries())
      await make({ ...options, backend, path, shard: { index: i + 1, of: 2 } });
    expect(backend.calls.length).toBeGreaterThan(1);
    const { result } = await mergeRuns(folder.file('rounds.db'), parts);
    expect([result.status, result.scores.usable_answer_rate?.value, result.nRecords]).toEqual([
      'complete',
      1,
      16,
    ]);
    expect(RunFile.use(result.path, (file) => file.rows.countAskedAgain())).toBe(3);
    expect(verifyRun(result.path).verdict).toBe('verified');
  });

  it('takes a copy of a part for the part, and refuses another answer to a record', async () => {
    const parts = await makeParts(2);
    const copy = folder.file('copy.db');
    copyFileSync(parts[0]!, copy);
    const { result } = await mergeRuns(folder.file('copied.db'), [...parts, copy]);
    expect(result.nRecords).toBe(20);
    const other = await make({ shard: { index: 1, of: 2 }, script: allYes });
    await expect(mergeRuns(folder.file('two.db'), [...parts, other.path])).rejects.toMatchObject({
      code: 'ERR_MERGE',
      message: expect.stringContaining('differently'),
    });
  });

  it.each([
    ['a whole run', {}, 'is not a part of a run'],
    ['a part of another batch size', { shard: { index: 2, of: 2 }, batchSize: 2 }, 'batch_size is 2, not 3'],
    ['a part of another division', { shard: { index: 2, of: 3 } }, 'is one of 3 parts'],
    ['a part with another limit', { shard: { index: 2, of: 2 }, limit: 9 }, 'parts of 9 cases'],
    ['a part in another order', { shard: { index: 2, of: 2 }, seed: 1 }, 'seed is 1, not 42'],
  ])('refuses %s', async (_, options, message) => {
    const [first] = await makeParts(2);
    const other = await make(options);
    const target = folder.file(`${nFiles++}.db`);
    await expect(mergeRuns(target, [first!, other.path])).rejects.toThrow(message);
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('.merge'))).toEqual([]);
  });

  it('refuses a part whose requests are with a provider in bulk jobs', async () => {
    const parts = await makeParts(2);
    const file = RunFile.write(parts[0]!);
    file.bulk().intend({ nonce: 'n', lane: 'model', n: 3, bytes: 9 }, []);
    file.close();
    const merged = mergeRuns(folder.file('bulk.db'), parts, { partial: true });
    await expect(merged).rejects.toMatchObject({
      code: 'ERR_MERGE',
      message: expect.stringContaining('with the provider in bulk jobs'),
    });
  });

  it.each([
    ['an edited case', 'UPDATE rows SET prediction = \'"yes"\', confidence = 1'],
    ['edited cases and no digest', 'UPDATE rows SET confidence = 1; DELETE FROM proof'],
    [
      'no digest, no seals and no report',
      "DELETE FROM proof; DELETE FROM events WHERE kind = 'sealed'; DELETE FROM report",
    ],
    [
      'records of another run',
      "INSERT INTO records (seq, position, id, label, metadata, features_hash) SELECT entries + 1, 900, 'foreign', '\"yes\"', '{}', '' FROM proof",
    ],
  ])('refuses a part with %s, and writes nothing', async (_, sql) => {
    const [first, second] = (await makeParts(2)) as [string, string];
    edit(second, sql);
    const target = folder.file(`refused-${nFiles++}.db`);
    for (const partial of [false, true])
      await expect(mergeRuns(target, [first, second], { partial })).rejects.toMatchObject({
        code: 'ERR_RUN_UNVERIFIED',
        value: second,
      });
    expect(existsSync(target)).toBe(false);
  });

  it('refuses a part with edited rows and a digest that was made to fit: its seal does not', async () => {
    const [first, second] = (await makeParts(2)) as [string, string];
    edit(second, 'UPDATE rows SET confidence = 1');
    forgeProof(second);
    const target = folder.file(`forged-${nFiles++}.db`);
    await expect(mergeRuns(target, [first, second])).rejects.toMatchObject({ code: 'ERR_RUN_UNVERIFIED' });
    expect(existsSync(target)).toBe(false);
  });

  it('refuses a part that was killed before it was sealed, and merges it once it was continued', async () => {
    const [first, second] = (await makeParts(2)) as [string, string];
    cutEntries(second, verifyRun(second).entries - 1);
    forgeProof(second);
    const target = folder.file(`sealed-${nFiles++}.db`);
    await expect(mergeRuns(target, [first, second], { partial: true })).rejects.toThrow('is unsealed');
    expect(existsSync(target)).toBe(false);
    await make({ path: second, shard: { index: 2, of: 2 } });
    await mergeRuns(target, [first, second]);
    expect(verifyRun(target).verdict).toBe('verified');
  });

  it('records what it merged, and signs it', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const paths = await makeParts(2, { signKey: privateKey });
    const parts = paths.map((path) => {
      const { head, entries, seal } = verifyRun(path);
      const { sealedAt, keyFingerprint } = seal!;
      const run_id = RunFile.use(path, (file) => file.manifest().runId);
      return {
        file: basename(path),
        run_id,
        head,
        entries,
        sealed_at: sealedAt,
        key_fingerprint: keyFingerprint,
      };
    });
    const target = folder.file(`signed-${nFiles++}.db`);
    expect(await mergeRuns(target, paths, { signKey: privateKey })).toMatchObject({
      signed: paths,
      unsigned: [],
    });
    expect(verifyRun(target, { publicKey })).toMatchObject({
      verdict: 'verified',
      unsignedEntries: 0,
      mergedFrom: parts,
    });
    const unsigned = folder.file(`unsigned-${nFiles++}.db`);
    expect(await mergeRuns(unsigned, paths)).toMatchObject({ signed: paths });
    expect(verifyRun(unsigned, { publicKey }).verdict).toBe('unverified');
  });

  it('marks its entries as unsigned where a part is not signed with the key of the merge', async () => {
    const [ours, others] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    for (const signKey of [undefined, others.privateKey]) {
      const paths = [
        (await make({ shard: { index: 1, of: 2 }, signKey: ours.privateKey })).path,
        (await make({ shard: { index: 2, of: 2 }, signKey })).path,
      ];
      const target = folder.file(`mixed-${nFiles++}.db`);
      expect(await mergeRuns(target, paths, { signKey: ours.privateKey })).toMatchObject({
        unsigned: [paths[1]],
      });
      expect(verifyRun(target).verdict).toBe('verified');
      expect(verifyRun(target, { publicKey: ours.publicKey })).toMatchObject({
        verdict: 'unverified',
        problems: [{ problem: 'signature' }],
      });
    }
  });

  it('never writes over a file', async () => {
    const parts = await makeParts(2);
    await expect(mergeRuns(parts[0]!, parts)).rejects.toMatchObject({ code: 'ERR_FILE_EXISTS' });
  });
});

describe('a part of a run', () => {
  it('is complete by itself, warns, and is neither compared nor continued as something else', async () => {
    const part = await make({ shard: { index: 2, of: 3 } });
    expect([part.status, part.shard, part.nRecords]).toEqual(['complete', { index: 2, of: 3 }, 6]);
    expect(part.warnings.map(({ code }) => code)).toContain('shard');
    expect(() => compareRuns([part, part])).toThrow(
      expect.objectContaining({
        code: 'ERR_RUN_IS_SHARD',
        message: expect.stringContaining('is part 2 of 3'),
      }),
    );
    await expect(make({ path: part.path })).rejects.toThrow('holds part 2 of 3, and this is a whole run');
    await expect(make({ path: part.path, shard: { index: 1, of: 3 } })).rejects.toMatchObject({
      code: 'ERR_RUN_DIFFERS',
    });
  });

  it.each([
    [{ index: 0, of: 3 }, 'shard is 0/3'],
    [{ index: 4, of: 3 }, 'shard is 4/3'],
    [{ index: 9, of: 9 }, 'shard 9/9 has no call to make: the run has fewer than 9 calls (20 cases)'],
  ])('is refused where it makes no sense: %j', async (shard, message) => {
    const path = folder.file(`none-${shard.index}.db`);
    await expect(make({ shard, path })).rejects.toThrow(message);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});
