import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runDrift } from '../src/analyses/drift/run-drift.ts';
import type { EvaluationResult } from '../src/core/evaluation-result.ts';
import { run as runToFile } from '../src/engine/run.ts';
import { defineBackend } from '../src/models/define-backend.ts';
import { looksPath } from '../src/store/run-looks.ts';
import { emulator, runJson, SMALL, toEmulator, workingFolder } from './emulated-run.ts';
import { suiteOf, temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';

const folder = temporaryFolder();
const N = 100;
const suite = suiteOf(
  Array.from({ length: N }, (_, i) => ({
    id: `r${String(i).padStart(3, '0')}`,
    features: { i },
    label: 'yes',
    metadata: {},
  })),
);

type Answer = Partial<Pick<EvaluationResult, 'prediction' | 'abstained'>> | Error;

/** A run of 100 records in which the first `nWrong` answers are wrong. */
async function made(
  name: string,
  nWrong: number,
  more: {
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly repeats?: number;
    readonly answer?: (i: number) => Answer;
  } = {},
): Promise<string> {
  const path = folder.file(name);
  const backend = defineBackend({
    name: 'provider/model',
    maxRetries: 0,
    parameters: more.parameters ?? { temperature: 0 },
    evaluate: ({ features }) => {
      const answer = more.answer?.(Number(features.i)) ?? {
        prediction: Number(features.i) < nWrong ? 'no' : 'yes',
      };
      if (answer instanceof Error) throw answer;
      return { prediction: null, abstained: false, ...answer };
    },
  });
  await runToFile({
    suite,
    backend,
    krisisVersion: '1',
    seed: 1,
    batchSize: 1,
    maxConcurrency: 4,
    repeats: more.repeats ?? 1,
    path,
  });
  return path;
}

let january: string;
let february: string;
let march: string;

beforeAll(async () => {
  january = await made('january.db', 5);
  february = await made('february.db', 8);
  march = await made('march.db', 17);
});

describe('krisis drift', () => {
  it('shows an alarm with exit code 1, and counts looks beside the reference', async () => {
    const first = await krisis(['drift', january, february]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('No change was shown in accuracy');
    expect(first.stdout).toContain('at least 7 flips in one direction');
    const second = await krisis(['drift', january, february, march]);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain('Alarm: accuracy differs from the reference in march.db (worse)');
    const { looks, alpha } = JSON.parse(readFileSync(looksPath(january), 'utf8'));
    expect([alpha, looks.map(({ look }: { look: number }) => look)]).toEqual([0.05, [1, 2]]);
  });

  it('does not count the same result twice', async () => {
    const before = readFileSync(looksPath(january), 'utf8');
    const again = JSON.parse((await krisis(['drift', march, january, february, '--json'])).stdout);
    expect(again.runs.map(({ look }: { look: number }) => look)).toEqual([1, 2]);
    expect(readFileSync(looksPath(january), 'utf8')).toBe(before);
  });

  it('takes the number of the look, and then writes nothing', async () => {
    const { stdout, code } = await krisis(['drift', february, march, '--look', '40', '--json']);
    const { runs, reference } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(reference.run_file).toBe('february.db');
    expect(runs[0]).toMatchObject({
      look: 40,
      fewest_flips: 17,
      flips: { lost: 9, gained: 0, changed: 9, n: 100 },
    });
    expect(existsSync(looksPath(february))).toBe(false);
  });

  it('has Markdown, and HTML with a chart', async () => {
    expect((await krisis(['drift', january, march, '--format', 'md'])).stdout).toContain('**worse**');
    const page = folder.file('drift.html');
    await krisis(['drift', january, february, march, '--format', 'html', '-o', page]);
    expect(readFileSync(page, 'utf8')).toContain('accuracy, over 3 runs');
  });

  it('refuses another experiment, and names what differs', async () => {
    const other = await made('other.db', 5, { parameters: { temperature: 1 } });
    const { code, stderr } = await krisis(['drift', january, other]);
    expect(code).toBe(2);
    expect(stderr).toContain('differs from the reference in sampling: another experiment, not drift');
    expect(() => runDrift([january, other])).toThrow(expect.objectContaining({ code: 'ERR_DRIFT_RUNS' }));
  });

  it('refuses runs with cached replies', async () => {
    const server = await emulator();
    const cwd = workingFolder();
    const args = [...SMALL, ...toEmulator('openai', server)];
    const [first, second] = [
      await runJson([...args, '--run', 'first.db'], cwd),
      await runJson([...args, '--run', 'second.db'], cwd),
    ];
    expect(() => runDrift([first.file, second.file])).toThrow(/came from the cache/);
  });

  it('takes a folder: runs of one suite and model, those that cannot be compared left out and listed', async () => {
    const { stdout, code } = await krisis(['drift', folder.path, '--look', '1']);
    expect(code).toBe(1);
    expect(stdout).toContain('other.db is left out: differs from the reference in sampling');
  });

  it('gives no verdict when more than 5 % failed, with exit code 3', async () => {
    const failed = await made('failed.db', 5, {
      answer: (i) => (i >= 94 ? { prediction: null } : { prediction: 'yes' }),
    });
    // An invalid reply is a reply: it is not right, and stays in the pairing.
    expect((await krisis(['drift', january, failed, '--look', '1', '--json'])).stdout).toContain('"n": 100');
    const broken = await made('broken.db', 5, {
      answer: (i) => (i >= 94 ? new Error('no route to host') : { prediction: 'yes' }),
    });
    const { stdout, code } = await krisis(['drift', january, broken]);
    expect([code, stdout]).toEqual([3, expect.stringContaining('more than 5 %, so no verdict')]);
  });

  it('uses shares with repeats, and shows the churn of the reference itself', async () => {
    let asked = 0;
    const answer = () => ({ prediction: asked++ % 10 === 0 ? 'no' : 'yes' });
    const one = await made('repeats-1.db', 0, { repeats: 3, answer });
    const two = await made('repeats-2.db', 0, {
      repeats: 3,
      answer: (i) => ({ prediction: i < 60 ? 'no' : 'yes' }),
    });
    const drift = runDrift([one, two], { look: 1 });
    expect(drift).toMatchObject({ repeats: 3, isAlarm: true, reference: { ownChurn: expect.any(Number) } });
    expect(drift.runs[0]!.flips!.n).toBe(300);
  });

  it('counts calls where records shared them, since one bad call is one event', async () => {
    const batched = async (name: string, nBadCalls: number) => {
      let asked = 0;
      const answers = (n: number) => {
        const prediction = asked++ < nBadCalls ? 'no' : 'yes';
        return Array.from({ length: n }, () => ({ prediction, abstained: false }));
      };
      const backend = defineBackend({
        name: 'provider/model',
        evaluate: () => answers(1)[0]!,
        evaluateBatch: (records) => answers(records.length),
      });
      const path = folder.file(name);
      await runToFile({ suite, backend, krisisVersion: '1', batchSize: 10, maxConcurrency: 1, path });
      return path;
    };
    const reference = await batched('calls-0.db', 0);
    const one = runDrift([reference, await batched('calls-1.db', 1)], { look: 1 });
    expect(one).toMatchObject({ isBatched: true, isAlarm: false });
    expect(one.runs[0]).toMatchObject({ nUnits: 10, flips: { lost: 10 }, test: { p: 1 } });
    expect(runDrift([reference, await batched('calls-9.db', 9)], { look: 1 }).isAlarm).toBe(true);
  });

  it('does not mix looks of another error, and says when it cannot count', async () => {
    expect(() => runDrift([january, march], { alpha: 0.01 })).toThrow(
      expect.objectContaining({ code: 'ERR_LOOKS_FILE' }),
    );
    writeFileSync(looksPath(february), '{');
    expect(() => runDrift([february, march])).toThrow(expect.objectContaining({ code: 'ERR_LOOKS_FILE' }));
    chmodSync(looksPath(february), 0o600);
  });

  it('does not compare a run with its copy, and takes a run that was named twice once', async () => {
    copyFileSync(january, folder.file('copy.db'));
    const copied = await krisis(['drift', january, folder.file('copy.db'), '--look', '1']);
    expect([copied.code, copied.stderr]).toEqual([2, expect.stringContaining('the same run as')]);
    rmSync(folder.file('copy.db'));
    const twice = await krisis(['drift', january, january, february, '--look', '1', '--json']);
    expect(JSON.parse(twice.stdout).runs).toHaveLength(1);
  });

  it('leaves out of a folder what is older than a new reference', async () => {
    const { stdout } = await krisis(['drift', folder.path, '--reference', february, '--look', '1', '--json']);
    const { runs, left_out: leftOut } = JSON.parse(stdout);
    expect(runs.map((run: { run_file: string }) => run.run_file)).not.toContain('january.db');
    expect(leftOut).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('older') }));
  });

  it('refuses a count of looks that was changed', () => {
    const path = looksPath(january);
    const before = readFileSync(path, 'utf8');
    const { looks, ...file } = JSON.parse(before);
    for (const changed of [looks.slice(1), looks.map((look: object) => ({ ...look, look: 1 }))]) {
      writeFileSync(path, JSON.stringify({ ...file, looks: changed }));
      expect(() => runDrift([january, march])).toThrow(/looks are not numbered/);
    }
    writeFileSync(path, before);
  });

  it('needs two runs', async () => {
    expect((await krisis(['drift', january])).code).toBe(2);
  });
});
