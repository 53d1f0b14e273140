import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';
import { RECOMMENDED_GATE } from './policies.ts';

/** The first screens of `run`, `score` and `compare` fit on one screen of 80 columns, standard error included. */

const cwd = mkdtempSync(join(tmpdir(), 'krisis-screens-'));
const env = { ...process.env, COLUMNS: '80', NO_COLOR: '1' };
const gate = RECOMMENDED_GATE.slice(0, 5).flatMap((condition) => ['--assert', condition]);
const careful = ['run', 'ckd/staging', '--model', 'simulated/careful'];
const screens = new Map<string, Awaited<ReturnType<typeof shown>>>();

async function shown(...args: string[]) {
  const { code, stdout, stderr } = await krisis(args, { cwd, env });
  const lines = `${stderr}${stdout}`.trimEnd().split('\n');
  return { code, stdout, stderr, lines };
}

/** Commands under `NEXT` and in the example of a condition, as they are typed. */
function suggested(stdout: string): string[] {
  return [...stdout.matchAll(/^ {2,}(?:\S.*? {2,})?(krisis .*(?:\n {4}(?=--).*)?)$/gm)].map(([, command]) =>
    command!.replaceAll(/\s+/g, ' ').trim(),
  );
}

/** The words of a command, without the quotes of the shell. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'krisis.config.yaml'), 'score: { bootstrap: 50 }\n');
  writeFileSync(
    join(cwd, 'answers.csv'),
    [
      'id,prediction,ground_truth,confidence',
      ...Array.from(
        { length: 300 },
        (_, i) => `p${i},${i % 7 === 0 ? 'a' : 'b'},${i % 5 === 0 ? 'a' : 'b'},0.8`,
      ),
    ].join('\n'),
  );
  screens.set('six models', await shown('run'));
  screens.set('six models again', await shown('run'));
  screens.set('six models with five conditions', await shown('run', '--new', ...gate));
  screens.set('one model', await shown(...careful, '--new'));
  screens.set('one model with five conditions', await shown(...careful, '--new', '--limit', '300', ...gate));
  screens.set('compare', await shown('compare', '--last'));
  screens.set('compare in full', await shown('compare', '--last', '--full'));
  screens.set('a table without labels for emergencies', await shown('score', 'answers.csv'));
  screens.set('a table with conditions', await shown('score', 'answers.csv', '--assert', 'accuracy >= 0.9'));
}, 300_000);

describe('a first screen', () => {
  it.each([
    'six models',
    'six models again',
    'six models with five conditions',
    'one model',
    'one model with five conditions',
    'a table without labels for emergencies',
    'a table with conditions',
  ])('of %s has at most 40 lines of 80 columns', (name) => {
    const { lines } = screens.get(name)!;
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('says first who was asked what, then the decision, harm, how sure that is, and what to do', () => {
    const { stdout } = screens.get('one model with five conditions')!;
    const places = [
      'simulated/careful on ckd/staging: 300 cases (sample of 1,000)',
      'RELEASE  No: ',
      'FAIL  upper(',
      'missed emergencies',
      'false alarms',
      'answered, should defer',
      'wrong answers',
      'deferred without need',
      'right decisions (primary)',
      'without a model: always deferring',
      'HOW SURE',
      'NEXT',
    ].map((text) => stdout.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('says how to set a condition where there is none, and which columns are missing', () => {
    const { stdout } = screens.get('a table without labels for emergencies')!;
    expect(stdout).toContain('RELEASE  Not judged: no condition was set.');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Not known without these columns: must_act (emergencies), should_abstain (cases to defer).',
    );
  });

  it('counts conditions by model where there are several', () => {
    expect(screens.get('six models with five conditions')!.stdout).toMatch(
      /^ {2}FAIL +baseline\/majority: \d failed \(missed_emergency_rate/m,
    );
  });

  it('suggests commands that work', async () => {
    const commands = new Set([...screens.values()].flatMap(({ stdout }) => suggested(stdout)));
    expect(commands.size).toBeGreaterThan(5);
    for (const command of commands) {
      const [, ...args] = words(command);
      // The viewer would wait for a browser.
      const { code, stderr } = await krisis(args[0] === 'view' ? ['view', '--help'] : args, { cwd, env });
      expect([command, code === 0 || code === 1 || code === 3, stderr]).toEqual([command, true, stderr]);
    }
  }, 300_000);

  it('suggests commands that read and score a file as the one that was typed', async () => {
    for (const name of ['mine.csv', 'theirs.csv'])
      writeFileSync(join(cwd, name), 'id,y,t\na,1,1\nb,unsure,0\nc,0,0\n');
    const typed = "--columns 'prediction=y,ground_truth=t' --abstain unsure --seed 3";
    for (const command of [`score mine.csv ${typed}`, `compare mine.csv theirs.csv ${typed}`]) {
      const { stdout } = await shown(...words(command));
      const next = suggested(stdout.slice(stdout.indexOf('NEXT')));
      expect(next.length).toBeGreaterThanOrEqual(2);
      for (const other of next) {
        expect(other).toContain(typed.replace('--columns ', ''));
        rmSync(join(cwd, 'compare.html'), { force: true });
        expect((await shown(...words(other).slice(1))).code, other).toBe(0);
      }
    }
  });
});

describe('the first screen of compare', () => {
  it('has at most 45 lines of 80 columns, plots intervals, and says whether the order is real', () => {
    const { lines, stdout } = screens.get('compare')!;
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^ {2}guideline-defer \(rule\) .* 1\.000 +-*o$/m);
    expect(stdout).toMatch(/^ {2}simulated\/careful .* -*o-*$/m);
    expect(stdout).toMatch(/(All|\d+ of) 15 differences in right decisions are shown/);
  });

  it('prints everything with --full', () => {
    const { stdout } = screens.get('compare in full')!;
    expect(stdout).toContain('Models side by side');
  });
});

describe('exit code 3', () => {
  it('says in words and in JSON that a condition is undecided', async () => {
    const args = [...careful, '--new', '--limit', '60', '--assert', 'severe_under_staging_rate <= 0.5'];
    const failing = ['--model', 'simulated/careful?poisoned=0.6', '--fail-on-error', '1'];
    const undecided = await shown(...args, ...failing);
    expect([undecided.code, undecided.stderr]).toEqual([
      3,
      expect.stringContaining('exit code 3: a condition cannot be decided'),
    ]);
    const json = await shown(...args, ...failing, '--json');
    expect(JSON.parse(json.stdout).exit).toEqual({ code: 3, because: 'condition_undecided' });
  });

  it('says in words and in JSON that a run is incomplete, and with --json why', async () => {
    const args = [
      'run',
      'ckd/staging',
      '--model',
      'simulated/careful?poisoned=0.3',
      '--new',
      '--limit',
      '60',
    ];
    const incomplete = await shown(...args);
    expect([incomplete.code, incomplete.stderr]).toEqual([
      3,
      expect.stringContaining('exit code 3: the run is incomplete'),
    ]);
    const json = await shown(...args, '--json');
    expect(JSON.parse(json.stdout).exit).toEqual({ code: 3, because: 'run_incomplete' });
    expect(json.stderr).toMatch(/^krisis: simulated\/careful\?poisoned=0\.3: Failed: \d+ cases?/m);
  });
});
