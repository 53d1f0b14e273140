import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis as command } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-shards-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const krisis = (...args: string[]) => command(args, { cwd: folder });
const run = (...more: string[]) =>
  krisis(
    'run',
    'ckd/staging',
    '-m',
    'simulated/careful',
    '--limit',
    '40',
    '--batch-size',
    '3',
    '--bootstrap',
    '50',
    ...more,
  );

describe('krisis run --shard and krisis runs merge', () => {
  it('divide a run and put it together: scores and rows are those of the undivided run', async () => {
    for (const shard of ['1/3', '2/3', '3/3']) expect((await run('--shard', shard)).code).toBe(0);
    const parts = readdirSync(join(folder, '.krisis/runs')).filter((name) => name.endsWith('.db'));
    expect(parts).toHaveLength(3);
    const paths = parts.map((name) => join('.krisis/runs', name));
    const incomplete = await krisis('runs', 'merge', 'whole.db', ...paths.slice(1));
    expect(incomplete.code).toBe(2);
    expect(incomplete.stderr).toContain('krisis runs merge --partial');
    expect(existsSync(join(folder, 'whole.db'))).toBe(false);
    const merged = JSON.parse((await krisis('runs', 'merge', 'whole.db', ...paths, '--json')).stdout);
    const whole = JSON.parse((await run('--json')).stdout);
    expect((await krisis('report', paths[0]!)).stdout).toMatch(
      /^ckd.staging, simulated.careful, part \d of 3: /,
    );
    expect(merged.status).toBe('complete');
    expect([merged.metrics, merged.ledger]).toEqual([whole.metrics, whole.ledger]);
    const csv = await krisis('report', 'whole.db', '--format', 'csv');
    const other = await krisis('report', whole.run_file, '--format', 'csv');
    const withoutLatency = (text: string) => {
      const [head, ...lines] = text.split('\n');
      const column = head!.split(',').indexOf('latency_ms');
      // The cells before it hold neither commas nor quotes.
      return [head, ...lines.map((line) => line.split(',').toSpliced(column, 1).join())];
    };
    expect(withoutLatency(csv.stdout)).toEqual(withoutLatency(other.stdout));
    for (const refused of [
      ['compare', 'whole.db', paths[0]!],
      ['threshold', paths[0]!],
      ['report', paths[0]!, '--assert', 'accuracy >= 0.1'],
    ]) {
      const { code, stderr } = await krisis(...refused);
      expect([code, stderr]).toEqual([2, expect.stringContaining('krisis runs merge OUT.db')]);
    }
    const drift = await krisis('drift', 'whole.db', paths[0]!);
    expect([drift.code, drift.stderr]).toEqual([2, expect.stringMatching(/is part \d of 3 of a run; merge/)]);
  });

  it('say which parts were merged, and that a merge of signed parts is not signed by itself', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    writeFileSync(join(folder, 'key.pem'), privateKey);
    writeFileSync(join(folder, 'key.pub'), publicKey);
    const parts = ['p1.db', 'p2.db'];
    for (const [i, path] of parts.entries())
      await run('--shard', `${i + 1}/2`, '--run', path, '--sign-key', 'key.pem');
    const plain = await krisis('runs', 'merge', 'plain.db', ...parts);
    expect([plain.code, plain.stderr]).toEqual([0, expect.stringContaining('the merged run is not signed')]);
    const required = ['--assert', 'accuracy >= 0.01', '--require-signature', 'key.pub'];
    expect((await krisis('report', 'plain.db', ...required)).code).toBe(3);
    expect(await krisis('runs', 'merge', 'merged.db', ...parts, '--sign-key', 'key.pem')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect((await krisis('report', 'merged.db', ...required)).code).toBe(0);
    const { code, stdout } = await krisis('runs', 'verify', 'merged.db', '--public-key', 'key.pub');
    expect(code).toBe(0);
    for (const part of parts)
      expect(stdout).toMatch(
        new RegExp(`part ${part}: \\d+ entries up to [0-9a-f]{64}, sealed 20.*, signed with the key`),
      );
    await run('--shard', '2/2', '--run', 'p2-unsigned.db');
    const mixed = await krisis(
      'runs',
      'merge',
      'mixed.db',
      'p1.db',
      'p2-unsigned.db',
      '--sign-key',
      'key.pem',
    );
    expect(mixed.stderr).toContain('marked as unsigned: p2-unsigned.db');
    expect((await krisis('report', 'mixed.db', ...required)).code).toBe(3);
  });

  it('leave what a judge without a model cannot decide as it is', async () => {
    const judged = () =>
      krisis(
        'run',
        'open/clinical',
        '-m',
        'baseline/reference',
        '--judge',
        'baseline/lexical',
        '--shard',
        '1/3',
      );
    await judged();
    const again = await judged();
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('failed judgements')]);
  });

  it('refuse conditions on a part, and say that limits hold for each part', async () => {
    const gated = await run('--shard', '1/2', '--assert', 'accuracy >= 0.1');
    expect([gated.code, gated.stderr]).toEqual([2, expect.stringContaining('--assert needs the whole run')]);
    const limited = await run('--shard', '1/2', '--set', 'rpm=100000', '--dry-run');
    expect(limited.stderr).toContain('rpm 100000: for this part alone');
    expect(limited.stdout).toContain('21 cases in 7 calls');
    for (const typed of ['0/8', '9/8', '3/0', 'x']) {
      const { code, stderr } = await run('--shard', typed);
      expect([code, stderr]).toEqual([2, expect.stringContaining('the number of parts, from 1/8 to 8/8')]);
    }
  });
});
