import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { earlyVerdict, earlyVerdicts } from '../src/analyses/early-stop/early-verdicts.ts';
import {
  type Backend,
  BackendError,
  defineBackend,
  defineSuite,
  type RunOptions,
  readRun,
  run,
} from '../src/index.ts';
import type { GatePlan } from '../src/runs/conditions/verdict.ts';
import { parseGate } from '../src/runs/gates/parse-gate.ts';
import { sequentialGate } from '../src/statistics/methods/sequential-gate.ts';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-stop-early-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const at = (...args: string[]) => krisis(args, { cwd });
const model = (accuracy: number, more = '') =>
  `simulated/careful?accuracy=${accuracy}&spread=0&deferral_recall=1&needless_deferral=0${more}`;
const GATE = 'lower(selective_accuracy) >= 0.9';
const early = (file: string, accuracy: number, ...more: string[]) =>
  at(
    'run',
    'ckd/detection',
    '-m',
    model(accuracy),
    '--run',
    file,
    '--stop-early',
    '--bootstrap',
    '0',
    ...more,
  );

describe('krisis run --stop-early', () => {
  it('stops with a pass, says so in every format, and asks nothing when it is repeated', async () => {
    const ran = await early('pass.db', 0.99, '--assert', GATE, '--json');
    const { status, ledger, stop_early: stop, gates, metrics, warnings, execution } = JSON.parse(ran.stdout);
    expect([ran.code, status]).toEqual([0, 'stopped_early']);
    expect(stop).toMatchObject({
      gates: [GATE],
      alpha_side: 0.025,
      min_n: 30,
      claim: 'population',
      unit: 'record',
      seed: 42,
    });
    expect(stop.order_sha256).toMatch(/^[0-9a-f]{64}$/);
    const [{ looked_at: looked, lower, upper }] = stop.verdicts;
    expect(stop.verdicts[0]).toMatchObject({ gate: GATE, status: 'pass', n_failed: 0 });
    expect(looked).toBeGreaterThanOrEqual(51);
    expect(looked).toBeLessThan(stop.n_total / 2);
    expect(lower).toBeGreaterThanOrEqual(0.9);
    expect(upper).toBeLessThanOrEqual(1);
    expect(gates[0]).toMatchObject({
      text: GATE,
      status: 'pass',
      warning: expect.stringContaining('a model can pass by staying silent'),
    });
    // Calls under way at the decision are kept; nothing else was asked.
    expect(ledger.not_run).toBeGreaterThan(0);
    expect(execution.n_calls).toBe(ledger.n - ledger.not_run);
    expect(ledger.n - ledger.not_run - looked).toBeLessThanOrEqual(4);
    // Rows that were not asked widen no bounds; only shares have an interval.
    expect(metrics.accuracy).toMatchObject({ bounds: null, interval: { method: 'anytime_valid' } });
    expect(metrics.expected_calibration_error).toMatchObject({
      interval: null,
      interval_reason: 'not_valid_after_early_stop',
    });
    expect(metrics.deferral_mcc.interval).toBeNull();
    expect(warnings.map(({ code }: { code: string }) => code)).toContain('stopped_early');

    const again = await early('pass.db', 0.99, '--assert', GATE, '--json');
    expect(JSON.parse(again.stdout).gates[0]).toMatchObject({ status: 'undecided', reason: 'nothing_asked' });
    expect(again.code).toBe(3);
    expect(JSON.parse(again.stdout).stop_early).toEqual(stop);
    expect(JSON.parse(again.stdout).execution.n_calls).toBe(execution.n_calls);

    for (const format of ['text', 'md', 'html', 'junit']) {
      const report = await at('report', 'pass.db', '--format', format, '--assert', GATE);
      expect([format, report.code]).toEqual([format, 0]);
      const text = report.stdout.replace(/\s+/g, ' ');
      expect(text).toContain('anytime-valid');
      expect(text).toMatch(new RegExp(`after ${looked} of ${stop.n_total} cases`));
      if (format === 'junit') continue;
      expect(text).toContain('Cases not asked');
      expect(text).toContain('fixed-size interval after an early stop: not valid');
    }
  });

  it('stops with a failure that is shown, or that the records left cannot repair', async () => {
    const shown = await early('shown.db', 0.5, '--assert', GATE);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(
      /FAIL {2}lower\(selective_accuracy\) >= 0\.9: .* shown not to hold\s+after \d+ of/,
    );
    const unreachable = await early('unreachable.db', 0.5, '--limit', '60', '--assert', GATE, '--json');
    expect(unreachable.code).toBe(1);
    expect(JSON.parse(unreachable.stdout)).toMatchObject({
      status: 'stopped_early',
      gates: [{ status: 'fail', reason: 'fail_unreachable' }],
    });
  });

  it('stops on a plain value when the records left cannot change it', async () => {
    const ran = await early('value.db', 0.99, '--assert', 'selective_accuracy >= 0.5', '--json');
    const { stop_early: stop, gates } = JSON.parse(ran.stdout);
    expect(gates[0].status).toBe('pass');
    const { looked_at: looked, value } = stop.verdicts[0];
    expect(looked * value).toBeGreaterThanOrEqual(0.5 * stop.n_total - 1);
    expect(stop.verdicts[0].lower).toBeNull();
    const report = (await at('report', 'value.db', '--bootstrap', '0')).stdout.replace(/\s+/g, ' ');
    expect(report).toContain('has the verdict that asking all cases would give, and claims nothing beyond');
    expect(report).not.toContain('about the population');
  });

  it('shares the error over gates and models, and ends when all are decided', async () => {
    const second = 'upper(unsafe_decision_rate) <= 0.1';
    const ran = await early('two.db', 0.99, '--assert', GATE, '--assert', second, '--json');
    const { stop_early: stop, gates } = JSON.parse(ran.stdout);
    expect([ran.code, stop.alpha_side]).toEqual([0, 0.0125]);
    expect(gates.map(({ status }: { status: string }) => status)).toEqual(['pass', 'pass']);
    const released = await early(
      'release.db',
      0.5,
      '--assert',
      GATE,
      '--assert',
      'lower(answer_rate) >= 0.9',
      '--set',
      'stopEarlyAlpha=release',
      '--json',
    );
    const found = JSON.parse(released.stdout);
    expect([released.code, found.stop_early.alpha_side]).toEqual([1, 0.025]);
    expect(found.gates.some(({ status }: { status: string }) => status === 'fail')).toBe(true);
  });

  it('decides the claim about exactly this suite at the end at the latest', async () => {
    const ran = await early(
      'suite.db',
      0.95,
      '--limit',
      '120',
      '--set',
      'claim=suite',
      '--assert',
      'lower(accuracy) >= 0.9',
      '--json',
    );
    const { stop_early: stop } = JSON.parse(ran.stdout);
    expect(stop.claim).toBe('suite');
    expect(['pass', 'fail_unreachable', 'fail_shown']).toContain(stop.verdicts[0].status);
  });

  it.each([
    [['--assert', 'lower(balanced_accuracy) >= 0.9'], /balanced_accuracy is not a share/],
    [['--assert', 'lower(mcc) >= 0.5'], /mcc is not a share/],
    [['--assert', 'lower(f1) >= 0.5'], /f1 is not a share/],
    [['--assert', 'ece <= 0.1'], /expected_calibration_error is not a share/],
    [['--assert', 'lower(auroc_confidence) >= 0.5'], /auroc_confidence is not a share/],
    [['--assert', 'lower(augrc) >= 0.5'], /augrc is not a share/],
    [['--assert', 'upper(accuracy) >= 0.9'], /use lower\(\.\.\.\) >=/],
    [['--assert', 'accuracy == 0.9'], /use >=/],
    [
      ['--assert', GATE, '--limit', '50'],
      /could not pass even if all 50 answers were right: at least 51 are needed/,
    ],
    [
      ['--assert', 'upper(must_act_silence_rate) <= 0.05'],
      /even if all \d\d answers that it counts, of 400, were right: at least 105 are needed/,
    ],
    [['--assert', 'lower(accuracy) >= 1'], /no number of cases would do/],
    [['--assert', GATE, '--set', 'claim=suite'], /cannot be claimed of exactly this suite/],
    [['--assert', GATE, '--limit', '100', '--stratify', 'label'], /not a random sample/],
    [['--assert', GATE, '--shard', '1/2'], /does not work with --shard: a shard has only a part/],
    [['--assert', GATE, '--bulk'], /does not work with --bulk: a provider answers a bulk job in any order/],
    [[], /--stop-early needs a condition/],
  ])('refuses %j before the first call', async (args, message) => {
    const small = ['--n-records', '400', ...args];
    const ran = await early('refused.db', 0.99, ...small);
    expect([ran.code, ran.stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(join(cwd, 'refused.db'))).toBe(false);
    const planned = await early('refused.db', 0.99, ...small, '--dry-run');
    expect([planned.code, planned.stderr]).toEqual([2, ran.stderr]);
  });

  it('refuses to change its terms once a run has begun', async () => {
    const other = await early('pass.db', 0.99, '--assert', 'lower(selective_accuracy) >= 0.8');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('on other terms')]);
    const plain = await at('run', 'ckd/detection', '-m', model(0.99), '--run', 'pass.db');
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('begun with early stopping')]);
    await at(
      'run',
      'ckd/detection',
      '-m',
      model(0.99),
      '--run',
      'plain.db',
      '--limit',
      '60',
      '--bootstrap',
      '0',
    );
    const begun = await early('plain.db', 0.99, '--limit', '60', '--assert', GATE);
    expect([begun.code, begun.stderr]).toEqual([2, expect.stringContaining('begun without early stopping')]);
  });

  it('names the models that it leaves out where none is left', async () => {
    const both = (...more: string[]) =>
      at('run', 'ckd/detection', '-m', `${model(0.99)},${model(0.98)}`, '--limit', '60', ...more);
    await both('--bootstrap', '0');
    const refused = await both('--stop-early', '--assert', GATE);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr.match(/is left out: .*begun without early stopping/g)).toHaveLength(2);
  });

  it('refuses open questions, which are asked as the suite lists them', async () => {
    const asked = ['open/bcl2', '-m', 'baseline/reference', '--judge', 'baseline/lexical'];
    const gate = ['--assert', 'trait_mean(apoptosis) >= 0.5', '--stop-early'];
    for (const more of [[], ['--dry-run']]) {
      const ran = await at('run', ...asked, ...gate, ...more);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('open questions')]);
    }
  });

  it('plans a run that may stop early', async () => {
    const planned = await early('planned.db', 0.99, '--assert', GATE, '--dry-run');
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('nothing was asked')]);
    expect(planned.stdout).toContain('at most: with --stop-early');
    expect(existsSync(join(cwd, 'planned.db'))).toBe(false);
  });

  it('has no threshold, no drift and no interval that is not anytime-valid', async () => {
    const threshold = await at('threshold', 'pass.db');
    expect([threshold.code, threshold.stderr.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining('no threshold after an early stop'),
    ]);
    const drift = await at('drift', 'pass.db', 'plain.db');
    expect([drift.code, drift.stderr.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining('pass.db: stopped early, so which cases it has depends on its answers'),
    ]);
    const result = readRun(join(cwd, 'pass.db'));
    const { figures, decisions, decisionsAtPrevalence, detectable } = result;
    const { mustAnswer, mustDefer, byReason, byClass } = decisions!;
    const shares = [mustAnswer, mustDefer, ...byReason, ...byClass, ...decisionsAtPrevalence];
    for (const { lower, upper } of [...shares, ...figures!.reliability, ...figures!.dots])
      expect([lower, upper]).toEqual([null, null]);
    expect([detectable, result.threshold()]).toEqual([null, null]);
    for (const { interval, details } of result.metricScores) {
      expect(interval?.method ?? 'anytime_valid').toBe('anytime_valid');
      expect(details.null_band ?? null).toBeNull();
    }
    result.close();
    const { stdout: page } = await at('report', 'pass.db', '--format', 'html');
    expect(page).toContain('Not valid after an early stop: the exact tests behind a threshold');
    expect(page).not.toContain('Wilson intervals');
    const asked = result.ledger.n - result.ledger.not_run;
    expect(page).toMatch(new RegExp(`answered \\d+ of ${asked} cases`));
    const compared = await at('compare', 'plain.db', 'pass.db', '--bootstrap', '50', '--format', 'html');
    expect(compared.stdout).toContain('Stopped early, so without intervals: ');
    expect(compared.stdout).toContain('do not hold after an early stop');
  });

  it('is judged by what was declared only, and compared with a warning', async () => {
    const gated = await at('report', 'pass.db', '--assert', 'accuracy >= 0.5');
    expect([gated.code, gated.stdout.replace(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringContaining('it was not declared before the run'),
    ]);
    const compared = await at('compare', 'plain.db', 'pass.db', '--bootstrap', '50');
    expect(compared.stdout.replace(/\s+/g, ' ')).toContain(
      'stopped early: it is compared on the cases that it was asked about only',
    );
  });
});

const plan = (...gates: string[]): GatePlan => ({
  gates: gates.map((text) => parseGate(text)),
  nonInferior: null,
});

/** Records whose features say what becomes of them, several for each patient where `perPatient` says so. */
function suiteOf(outcomes: readonly string[], perPatient = 1) {
  return defineSuite({
    name: 'demo/outcomes',
    sensitivity: 'synthetic',
    ...(perPatient > 1 && { cluster: 'patient' }),
    task: {
      id: 'demo/outcomes',
      labels: ['yes', 'no'],
      ordered: false,
      defaultArm: 'natural',
      arms: { natural: { instructions: 'Yes or no?' } },
      primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
    },
    load: () =>
      outcomes.map((outcome, i) => ({
        id: `r${i}`,
        features: { outcome },
        label: 'yes',
        metadata: { patient: `p${Math.floor(i / perPatient)}` },
      })),
  });
}

const backend = (behave: (outcome: string) => Promise<void> = async () => {}): Backend =>
  defineBackend({
    name: 'scripted',
    evaluate: async ({ features }) => {
      const outcome = String(features.outcome);
      await behave(outcome);
      if (outcome === 'failed') throw new BackendError('backend', 'broken');
      return { prediction: outcome === 'right' ? 'yes' : 'no', abstained: false, confidence: 0.9 };
    },
  });

const answering = { prediction: 'yes', abstained: false, confidence: 0.9 } as const;
const batching = defineBackend({
  name: 'batching',
  evaluate: () => answering,
  evaluateBatch: (records) => records.map(() => answering),
});

let files = 0;
const runEarly = (options: Omit<RunOptions, 'backend'> & { backend?: Backend }) =>
  run({
    backend: backend(),
    batchSize: 1,
    maxConcurrency: 1,
    scoring: { resamples: 0 },
    path: join(cwd, `own-${files++}.db`),
    ...options,
  });

it('decides the same when its process is killed and started again', async () => {
  const args = (file: string) => [
    'run',
    'ckd/detection',
    '-m',
    model(0.97, '&latency_ms=15'),
    '--run',
    file,
    '--stop-early',
    '--assert',
    GATE,
    '--bootstrap',
    '0',
    '--no-cache',
    '--json',
  ];
  const whole = JSON.parse((await at(...args('undisturbed.db'))).stdout);
  const file = join(cwd, 'killed.db');
  const rows = () => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return Number(database.prepare('SELECT count(*) AS n FROM rows').get()!.n);
    } finally {
      database.close();
    }
  };
  for (const goal of [12, 40]) {
    const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args(file)], {
      cwd,
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    const isFar = () => {
      try {
        return rows() >= goal;
      } catch {
        return false;
      }
    };
    while (child.exitCode === null && !isFar()) await sleep(20);
    child.kill('SIGKILL');
    await ended;
  }
  expect(readRun(file, { resamples: 0 }).status).toBe('interrupted');
  const open = await at('report', 'killed.db', '--assert', GATE, '--bootstrap', '0');
  expect([open.code, open.stdout.replace(/\s+/g, ' ')]).toEqual([
    3,
    expect.stringContaining('the same command continues it, and decides'),
  ]);
  const resumed = JSON.parse((await at(...args(file))).stdout);
  expect(resumed.stop_early.verdicts).toEqual(whole.stop_early.verdicts);
}, 60_000);

describe('run with stopEarly', () => {
  const stopEarly = { plan: plan('lower(accuracy) >= 0.8') };
  const mixed = Array.from({ length: 300 }, (_, i) => (i % 12 === 0 ? 'wrong' : 'right'));

  it('looks at the finished prefix only, however late some answers come', async () => {
    const slow = backend((outcome) => sleep(outcome === 'wrong' ? 25 : 1));
    const [inTurn, atOnce] = await Promise.all([
      runEarly({ suite: suiteOf(mixed), stopEarly }),
      runEarly({ suite: suiteOf(mixed), stopEarly, backend: slow, maxConcurrency: 24 }),
    ]);
    expect(inTurn.status).toBe('stopped_early');
    expect(atOnce.stopEarly!.verdicts).toEqual(inTurn.stopEarly!.verdicts);
    expect(atOnce.n - atOnce.ledger.not_run).toBeGreaterThanOrEqual(inTurn.n - inTurn.ledger.not_run);
  });

  it('decides the same after any number of interruptions', async () => {
    const suite = suiteOf(mixed);
    const whole = await runEarly({ suite, stopEarly });
    const path = join(cwd, 'interrupted.db');
    let sittings = 0;
    for (let status = ''; status !== 'stopped_early'; sittings++) {
      const halt = new AbortController();
      let rows = 0;
      const stopping = backend(async () => {
        rows += 1;
        if (rows === 7) halt.abort();
      });
      ({ status } = await runEarly({
        suite,
        stopEarly,
        path,
        backend: stopping,
        signal: halt.signal,
        maxConcurrency: 3,
      }));
      expect(sittings).toBeLessThan(100);
    }
    expect(sittings).toBeGreaterThan(3);
    expect(readRun(path, { resamples: 0 }).stopEarly!.verdicts).toEqual(whole.stopEarly!.verdicts);
  });

  it('takes failed rows as the worst, and replaces them when they are answered', async () => {
    const outcomes = Array.from({ length: 60 }, (_, i) => (i % 10 === 0 ? 'failed' : 'right'));
    const path = join(cwd, 'failed.db');
    const options = { suite: suiteOf(outcomes), stopEarly: { plan: plan('lower(accuracy) >= 0.9') }, path };
    const first = await runEarly(options);
    expect(first.stopEarly!.verdicts[0]).toMatchObject({
      status: 'undecided',
      lookedAt: 60,
      nFailed: 6,
      value: 1,
    });
    const mended = defineBackend({
      name: 'scripted',
      evaluate: () => ({ prediction: 'yes', abstained: false, confidence: 0.9 }),
    });
    const second = await runEarly({ ...options, backend: mended });
    expect(second.stopEarly!.verdicts[0]!.status).toBe('pass');
  });

  it('looks at whole patients, each with the mean of its records', async () => {
    const outcomes = Array.from({ length: 400 }, (_, i) => (i % 20 === 0 ? 'wrong' : 'right'));
    const result = await runEarly({ suite: suiteOf(outcomes, 4), stopEarly });
    const stop = result.stopEarly!;
    expect([stop.unit, stop.nTotal, stop.verdicts[0]!.status]).toEqual(['patient', 100, 'pass']);
    const looked = stop.verdicts[0]!.lookedAt;
    expect(looked).toBeGreaterThanOrEqual(30);
    expect(result.n - result.ledger.not_run).toBe(4 * looked);
    expect(result.scores.accuracy!.interval!.unit).toBe('cluster');
    await expect(
      runEarly({ suite: suiteOf(outcomes, 4), stopEarly, batchSize: 2, backend: batching }),
    ).rejects.toMatchObject({
      code: 'ERR_STOP_EARLY_SETTING',
    });
  });

  it('looks at records with all their repeats, and at whole batches', async () => {
    const repeated = await runEarly({ suite: suiteOf(mixed), stopEarly, repeats: 3 });
    const { verdicts, unit, nTotal, nRows } = repeated.stopEarly!;
    expect([unit, nTotal, nRows, verdicts[0]!.status]).toEqual(['record', 300, 900, 'pass']);
    expect(repeated.n - repeated.ledger.not_run).toBe(3 * verdicts[0]!.lookedAt);
    const batched = await runEarly({ suite: suiteOf(mixed), stopEarly, batchSize: 5, backend: batching });
    expect([batched.stopEarly!.unit, batched.stopEarly!.nTotal, batched.status]).toEqual([
      'batch',
      60,
      'stopped_early',
    ]);
  });

  it('agrees with the reference rule on the states of the rows', async () => {
    const result = await runEarly({ suite: suiteOf(mixed), stopEarly });
    const wrong = new Set(mixed.flatMap((outcome, i) => (outcome === 'wrong' ? [`r${i}`] : [])));
    const order: string[] = [];
    await run({
      suite: suiteOf(mixed),
      path: join(cwd, 'order.db'),
      batchSize: 1,
      maxConcurrency: 1,
      scoring: { resamples: 0 },
      backend: defineBackend({
        name: 'scripted',
        evaluate: ({ id }) => {
          order.push(id);
          return { prediction: 'yes', abstained: false };
        },
      }),
    });
    const states = order.map((id) => (wrong.has(id) ? 'wrong' : 'right'));
    const expected = sequentialGate(states, { metric: 'accuracy', limit: 0.8, nTotal: 300 })!;
    const [found] = result.stopEarly!.verdicts;
    expect(found).toMatchObject({
      status: expected.status,
      lookedAt: expected.rowsLookedAt,
      lower: expected.lower,
      upper: expected.upper,
    });
  });

  it('stops when it is not inferior to another run, record by record', async () => {
    const suite = suiteOf(mixed);
    const baseline = join(cwd, 'baseline.db');
    await run({ suite, backend: backend(), batchSize: 1, scoring: { resamples: 0 }, path: baseline });
    const nonInferior = { gates: [], nonInferior: { baseline, margin: 0.2, metric: null } };
    const same = await runEarly({ suite, stopEarly: { plan: nonInferior } });
    expect(same.status).toBe('stopped_early');
    expect(same.stopEarly!.verdicts[0]).toMatchObject({ status: 'pass', value: 0 });
    const worse = defineBackend({
      name: 'worse',
      evaluate: () => ({ prediction: 'no', abstained: false, confidence: 0.9 }),
    });
    const lost = await runEarly({ suite, stopEarly: { plan: nonInferior }, backend: worse });
    expect(lost.stopEarly!.verdicts[0]!.status).toBe('fail_shown');
    const selective = {
      gates: [],
      nonInferior: { ...nonInferior.nonInferior, metric: 'selective_accuracy' },
    };
    await expect(runEarly({ suite, stopEarly: { plan: selective } })).rejects.toMatchObject({
      code: 'ERR_STOP_EARLY_METRIC',
    });
    const short = join(cwd, 'short.db');
    await run({ suite, backend: backend(), batchSize: 1, limit: 10, scoring: { resamples: 0 }, path: short });
    const unfinished = { gates: [], nonInferior: { baseline: short, margin: 0.2, metric: null } };
    expect(earlyVerdicts(nonInferior, same.stopEarly!)[0]!.message).toMatch(
      /^difference \+0\.0000 \(anytime-valid -0\.1\d{3} to \+0\.\d{4}, n \d+\); shown after/,
    );
    // Only what was declared has a verdict: this run, this metric, this margin.
    const statusOf = (asked: object) =>
      earlyVerdicts(
        { gates: [], nonInferior: { ...nonInferior.nonInferior, ...asked } },
        same.stopEarly!,
      ).map(({ status }) => status);
    expect([{}, { metric: 'accuracy' }].flatMap(statusOf)).toEqual(['pass', 'pass']);
    expect([{ baseline: short }, { metric: 'answer_rate' }, { margin: 0.1 }].flatMap(statusOf)).toEqual(
      Array(3).fill('undecided'),
    );
    // What cannot be shown any more is not shown to be worse.
    const [passed] = same.stopEarly!.verdicts;
    const unreachable = earlyVerdict({ ...passed!, status: 'fail_unreachable' }, same.stopEarly!);
    expect(unreachable).toMatchObject({
      status: 'undecided',
      message: expect.stringContaining('the margin'),
    });
    await expect(runEarly({ suite, stopEarly: { plan: unfinished } })).rejects.toMatchObject({
      code: 'ERR_STOP_EARLY_BASELINE',
    });
    const other = suiteOf(mixed.toReversed());
    await expect(runEarly({ suite: other, stopEarly: { plan: nonInferior } })).rejects.toMatchObject({
      code: 'ERR_DIFFERENT_SUITES',
    });
  });

  it('goes on with more records when the first were too few to show it', async () => {
    const outcomes = Array.from({ length: 400 }, (_, i) => (i % 25 === 0 ? 'wrong' : 'right'));
    const path = join(cwd, 'longer.db');
    const gate = { plan: plan('lower(accuracy) >= 0.9') };
    const short = await runEarly({ suite: suiteOf(outcomes), stopEarly: gate, limit: 55, path });
    expect(short.stopEarly!.verdicts[0]!.status).toBe('fail_unreachable');
    const longer = await runEarly({ suite: suiteOf(outcomes), stopEarly: gate, path });
    expect([longer.status, longer.stopEarly!.verdicts[0]!.status]).toEqual(['stopped_early', 'pass']);
    // A number of records that is chosen after a look is not the one that was declared.
    const again = { suite: suiteOf(outcomes), stopEarly: gate, limit: 200, path };
    await expect(runEarly(again)).rejects.toMatchObject({ code: 'ERR_STOP_EARLY_TERMS' });
    const claimed = {
      ...again,
      stopEarly: { ...gate, claim: 'suite' as const },
      path: join(cwd, 'exact.db'),
    };
    await runEarly({ ...claimed, limit: 60 });
    await expect(runEarly({ ...claimed, limit: 70 })).rejects.toThrow(/n_total: 60 there, 70 now/);
  });

  it.each([
    [{ plan: plan() }, 'ERR_STOP_EARLY_SETTING'],
    [{ plan: plan('lower(balanced_accuracy) >= 0.5') }, 'ERR_STOP_EARLY_METRIC'],
    [{ plan: plan('lower(accuracy) >= 0.999') }, 'ERR_STOP_EARLY_TOO_SMALL'],
  ])('refuses with a code', async (given, code) => {
    await expect(runEarly({ suite: suiteOf(mixed), stopEarly: given })).rejects.toMatchObject({ code });
  });

  it('refuses other terms with a code', async () => {
    const path = join(cwd, 'terms.db');
    await runEarly({ suite: suiteOf(mixed), stopEarly, path });
    await expect(runEarly({ suite: suiteOf(mixed), path })).rejects.toMatchObject({
      code: 'ERR_STOP_EARLY_TERMS',
    });
  });
});

it('takes a table with patients from a file', async () => {
  const rows = Array.from({ length: 240 }, (_, i) => `r${i},p${Math.floor(i / 3)},${i % 7},yes`);
  writeFileSync(join(cwd, 'visits.csv'), `id,patient,value,answer\n${rows.join('\n')}\n`);
  writeFileSync(
    join(cwd, 'visits.yaml'),
    'name: own/visits\nfile: visits.csv\nsensitivity: synthetic\ncolumns:\n  value: { name: Value }\nid: id\nlabel: answer\nlabels: ["yes", "no"]\ncluster: patient\ninstructions: Yes or no?\n',
  );
  const ran = await at(
    'run',
    'visits.yaml',
    '-m',
    model(0.95),
    '--stop-early',
    '--assert',
    'lower(accuracy) >= 0.5',
    '--json',
  );
  expect(JSON.parse(ran.stdout).stop_early.unit).toBe('patient');
});
