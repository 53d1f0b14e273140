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
type Shown = Awaited<ReturnType<typeof shown>>;
const screens = new Map<string, Shown>();

const shown = (...args: string[]) => shownIn(cwd, ...args);

async function shownIn(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await krisis(args, { cwd: folder, env });
  const lines = `${stderr}${stdout}`.trimEnd().split('\n');
  const typed = args.map((word) => (/^[\w./@:+,=-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  return { code, stdout, stderr, lines, typed };
}

/** Commands under `NEXT` and in the example of a condition, as they are typed; those that add to the command that was typed follow it. */
function suggested({ stdout, typed }: Pick<Shown, 'stdout' | 'typed'>): string[] {
  return [
    ...stdout.matchAll(/^ {2,}(?:\S.*? {2,})?((?:krisis|the same command with) .*(?:\n {4}(?=--).*)?)$/gm),
  ].map(([, command]) =>
    command!
      .replaceAll(/\s+/g, ' ')
      .replace(/^the same command with/, `krisis ${typed}`)
      .trim(),
  );
}

/** The words of a command, without the quotes of the shell. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

/** Answers of a model to 20 cases, each asked three times; one of them is a refusal in words. */
function writeRepeats(model: string, m: number): string {
  const labels = ['sc', 'ne', 'em'];
  const lines = Array.from({ length: 60 }, (_, i) => {
    const truth = labels[(i % 20) % 3];
    const said = i === 7 ? 'I am sorry, I cannot' : labels[(i + (i % (m + 3) === 0 ? 1 : 0)) % 3];
    return JSON.stringify({ case: i % 20, triage_true: truth, triage_said: i % 7 === m ? said : truth });
  });
  const name = `answers-of-${model}-to-every-vignette.jsonl`;
  writeFileSync(join(cwd, name), lines.join('\n'));
  return name;
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
  screens.set(
    'compare with a condition',
    await shown('compare', '--last', '--assert', 'upper(missed_emergency_rate) <= 0.1'),
  );
  screens.set('compare in full', await shown('compare', '--last', '--full'));
  screens.set('a table without labels for emergencies', await shown('score', 'answers.csv'));
  screens.set('a table with conditions', await shown('score', 'answers.csv', '--assert', 'accuracy >= 0.9'));
  screens.set(
    'failed calls with five conditions',
    await shown('run', 'ckd/staging', '--model', 'simulated/careful?poisoned=0.2', '--limit', '100', ...gate),
  );
  screens.set('repeats', await shown(...careful, '--new', '--limit', '60', '--repeat', '3'));
  screens.set(
    'two models with repeats',
    await shown(
      ...['run', 'ckd/staging', '--model', 'simulated/careful,simulated/overconfident'],
      ...['--new', '--limit', '60', '--repeat', '3'],
    ),
  );
  screens.set(
    'open questions',
    // Its run would be the latest one.
    await shownIn(
      mkdtempSync(join(tmpdir(), 'krisis-screens-')),
      ...['run', 'open/clinical', '--model', 'baseline/reference', '--judge', 'baseline/lexical'],
    ),
  );
  const repeated = ['model-a', 'model-b', 'model-c', 'model-d'].map(writeRepeats);
  const columns = [
    '--columns',
    'id=case,prediction=triage_said,ground_truth=triage_true',
    '--act-labels',
    'em',
  ];
  screens.set('several files as repeats', await shown('score', ...repeated, '--as-repeats', ...columns));
  screens.set('four files with repeats', await shown('compare', ...repeated, ...columns));
  const full = ['confidence', 'must_act', 'urgent', 'should_abstain'];
  writeFileSync(
    join(cwd, 'full.csv'),
    [
      ['id', 'prediction', 'ground_truth', ...full].join(','),
      ...Array.from({ length: 200 }, (_, i) =>
        [
          `p${i}`,
          i % 9 === 0 ? 'unsure' : i % 4 === 0 ? 'a' : 'b',
          i % 3 === 0 ? 'a' : 'b',
          50 + (i % 50),
          i % 11 === 0,
          i % 13 === 0,
          i % 5 === 0,
        ].join(','),
      ),
    ].join('\n'),
  );
  screens.set(
    'a table with emergencies and deferral labels',
    await shown('score', 'full.csv', '--abstain', 'unsure', '--confidence-scale', '100', ...gate),
  );
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
    'failed calls with five conditions',
    'repeats',
    'two models with repeats',
    'open questions',
    'several files as repeats',
    'a table with emergencies and deferral labels',
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
    const commands = new Set([...screens.values()].flatMap(suggested));
    expect(commands.size).toBeGreaterThan(5);
    for (const command of commands) {
      const [, ...args] = words(command);
      rmSync(join(cwd, 'compare.html'), { force: true });
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
      const next = suggested(await shown(...words(command)));
      expect(next.length).toBeGreaterThanOrEqual(3);
      for (const other of next) {
        expect(other).toContain(typed.replaceAll("'", ''));
        rmSync(join(cwd, 'compare.html'), { force: true });
        expect([0, 1], other).toContain((await shown(...words(other).slice(1))).code);
      }
    }
  });
});

describe('the first screen of compare', () => {
  it('has at most 45 lines of 80 columns, plots intervals, and says whether the order is real', () => {
    for (const name of ['compare', 'compare with a condition', 'four files with repeats']) {
      const { lines } = screens.get(name)!;
      expect(lines.length).toBeLessThanOrEqual(45);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
    const { stdout } = screens.get('compare')!;
    expect(stdout).toMatch(/^ {2}guideline-defer \(rule\) .* 1\.000 +-*o$/m);
    expect(stdout).toMatch(/^ {2}simulated\/careful .* -*o-*$/m);
    expect(stdout).toMatch(/(All|\d+ of) 15 differences in right decisions are shown/);
  });

  it('says once what is true of several files, and counts answers where a case has several', () => {
    const { stdout, lines } = screens.get('four files with repeats')!;
    const text = lines.join(' ').replaceAll(/\s+/g, ' ');
    expect(text.match(/have several rows/g)).toHaveLength(1);
    expect(text).toContain('answers-of-model-a-to-every-vignette.jsonl and 3 more files: 20 cases have');
    expect(stdout).toContain('4 models on the same 20 cases');
    expect(stdout).toMatch(/Missed emergencies in \d of 18 answers/);
    expect(text).not.toMatch(/\b60 cases/);
    expect(screens.get('two models with repeats')!.stdout).toContain(
      '2 models on the same 60 cases, each asked 3 times',
    );
  });

  it('names the model that conditions do not apply to', () => {
    const { stdout } = screens.get('compare with a condition')!;
    expect(stdout).toMatch(/^ +\S+: not judged, since the others are compared with it$/m);
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
