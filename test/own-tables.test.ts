import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRun } from '../src/runs/read-run.ts';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-own-tables-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const file = (name: string, lines: readonly string[]) =>
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
const inFolder = (...args: string[]) => krisis(args, { cwd });
const warningsIn = (text: string) => text.split('\n').flatMap((line) => /^! (.*)/.exec(line)?.[1] ?? []);

/** 40 made-up cases, five of them emergencies. */
const isEmergency = (i: number) => i % 8 === 0;
const numbers = Array.from({ length: 40 }, (_, i) => i + 1);
file('cases.csv', [
  'Case No,Age,Sex,Sodium,dx,Emergency',
  ...numbers.map((i) =>
    [
      i,
      40 + i,
      i % 2 ? 'F' : 'M',
      isEmergency(i) ? 113 : i % 3 === 0 ? 130 : 138,
      isEmergency(i) || i % 3 === 0 ? 'low' : 'normal',
      isEmergency(i) ? 'yes' : 'no',
    ].join(','),
  ),
]);
const suite = (more: readonly string[]) => [
  'name: ward7/sodium',
  'file: cases.csv',
  'label: dx',
  'instructions: Is the sodium low or normal?',
  ...more,
];
file('suite.yaml', suite(['id: Case No', 'must_act: Emergency', 'groups: [Sex]']));
file('shown.yaml', suite([]));

describe('emergencies in a table of your own', () => {
  it('are missed by a model that always defers, 5 of 5', async () => {
    const { code, stdout, stderr } = await inFolder('run', 'suite.yaml', '-m', 'baseline/always-defer');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}missed emergencies +5 of 5 +100\.0 %/m);
    expect(warningsIn(stdout)[0]).toMatch(/^Missed 5 of 5 emergencies: 5 deferred\./);
    expect(stderr.split('\n')[0]).toBe('The model sees 3 columns: Age, Sex, Sodium.');
  });

  it('work as metadata named must_act, and are never shown', async () => {
    const [head, ...rows] = numbers.map((i) => `${i},${isEmergency(i)},${i % 2 ? 'a' : 'b'}`);
    file('marked.csv', ['na,must_act,dx', head!, ...rows]);
    file('marked.yaml', [...suite(['metadata: [must_act]']).map((line) => line.replace('cases', 'marked'))]);
    const { stdout, stderr } = await inFolder('run', 'marked.yaml', '-m', 'baseline/always-defer', '--json');
    expect(JSON.parse(stdout).metrics.missed_emergency_rate).toMatchObject({
      n_successes: 5,
      n_evaluated: 5,
    });
    expect(stderr).toContain('The model sees 1 column: na.');
    expect(stderr).not.toContain('must_act');
  });

  it('are counted by validate, which names the columns that the model sees', async () => {
    const { code, stdout } = await inFolder('check', 'suite.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('Emergencies: 5 of 40; the model is asked whether a case is urgent.');
    expect(stdout).toContain('The model sees 3 columns: Age, Sex, Sodium.\n');
    const { columns, emergencies } = JSON.parse((await inFolder('check', 'suite.yaml', '--json')).stdout);
    expect({ columns, emergencies }).toEqual({ columns: ['Age', 'Sex', 'Sodium'], emergencies: 5 });
  });

  it('are a warning of validate and run where the model would see the mark', async () => {
    const found = await inFolder('check', 'shown.yaml');
    const ran = await inFolder('run', 'shown.yaml', '-m', 'baseline/random', '--dry-run');
    expect([found.code, ran.code]).toEqual([0, 0]);
    for (const text of [found.stdout, ran.stderr]) {
      expect(text).toContain('The model sees 5 columns: Case No, Age, Sex, Sodium, Emergency.');
      expect(text).toMatch(/"Case No" is shown to the model.*under id/);
      expect(text).toMatch(/"Emergency" is shown to the model.*under must_act/);
    }
  });

  it('are not to be deferred: validate and run count rows that are marked so', async () => {
    file('both.csv', ['na,dx,defer,act', '1,a,yes,yes', '2,b,no,no', '3,,yes,1', '4,a,yes,']);
    file('both.yaml', [
      ...suite(['should_abstain: defer', 'must_act: act']).map((line) => line.replace('cases', 'both')),
    ]);
    const found = await inFolder('check', 'both.yaml');
    const ran = await inFolder('run', 'both.yaml', '-m', 'baseline/always-defer', '--json');
    for (const text of [found.stdout, ran.stderr])
      expect(text).toContain('2 rows are marked both as an emergency and to be deferred');
    expect(found.stdout).toContain('Deferral: 1 must defer, 1 must answer, 2 unlabelled.');
    const { metrics } = JSON.parse(ran.stdout);
    expect(metrics.deferral_recall).toMatchObject({ n_successes: 1, n_evaluated: 1 });
    expect(metrics.missed_emergency_rate).toMatchObject({ n_successes: 2, n_evaluated: 2 });
  });
});

describe('groups of a table of your own', () => {
  it('may be shown, and are kept in rows of protected tables', async () => {
    const run = await inFolder('run', 'suite.yaml', '-m', 'baseline/random', '--run', 'groups.db');
    expect(run.code).toBe(0);
    const { stdout } = await inFolder('report', 'groups.db', '--group-by', 'Sex', '--format', 'json');
    expect(JSON.parse(stdout).subgroups.map(({ by }: { by: string }) => by)).toContain('Sex');
    const rows = [...readRun(join(cwd, 'groups.db'), { resamples: 0 }).rows()];
    expect(rows[0]!.metadata).toEqual({ Sex: 'F', must_act: false });
  });

  it('are what a shown column must be named under', async () => {
    const { code, stderr } = await inFolder(
      'run',
      'suite.yaml',
      '-m',
      'baseline/random',
      '--group-by',
      'Age',
    );
    expect(code).toBe(2);
    expect(stderr).toContain('The model sees Age: name it under groups to group by it');
  });
});

describe('triage, where the answer says whether to act', () => {
  file('triage.csv', [
    'complaint,urgency',
    ...numbers.map((i) => `complaint ${i},${['home', 'clinic', 'em', 'urgent'][i % 4]}`),
  ]);
  file('triage.yaml', [
    'name: ward7/triage',
    'file: triage.csv',
    'label: urgency',
    'labels: [home, clinic, urgent, em]',
    'act_labels: [EM, urgent]',
    'instructions: How urgent is it?',
  ]);

  it('takes the act labels of the suite', async () => {
    const { stdout } = await inFolder(
      'run',
      'triage.yaml',
      '-m',
      'baseline/always-defer',
      '--run',
      'triage.db',
    );
    expect(warningsIn(stdout)[0]).toBe('Missed 20 of 20 emergencies: 20 deferred.');
    expect((await inFolder('check', 'triage.yaml')).stdout).toContain(
      'Emergencies: 20 of 40; the answer em or urgent means to act.',
    );
    const { emergencyRule, task } = readRun(join(cwd, 'triage.db'), { resamples: 0 });
    expect([emergencyRule, task!.actLabels]).toEqual(['label', ['em', 'urgent']]);
  });

  it('refuses act labels that are no labels', async () => {
    file('wrong.yaml', [...suite(['act_labels: [high]'])]);
    const { code, stdout } = await inFolder('check', 'wrong.yaml');
    expect([code, stdout]).toEqual([2, expect.stringContaining('act label "high" is not among the labels')]);
  });

  const answers = (name: string, answer: (i: number, truth: string) => string) =>
    file(name, [
      'id,ground_truth,prediction',
      ...numbers.map((i) => {
        const truth = ['home', 'clinic', 'em', 'urgent'][i % 4]!;
        return `${i},${truth},${answer(i, truth)}`;
      }),
    ]);
  answers('mild.csv', (i, truth) => (truth === 'em' && i < 20 ? 'home' : truth));
  answers('alarmed.csv', (i, truth) => (truth === 'home' && i < 20 ? 'em' : truth));
  const ACT = ['--act-labels', 'em,urgent'];

  it('scores answers by act labels, and keeps them in a saved run', async () => {
    const { stdout } = await inFolder('score', 'mild.csv', ...ACT, '--json', '--save', '--run', 'mild.db');
    const { metrics } = JSON.parse(stdout);
    expect(metrics.missed_emergency_rate).toMatchObject({ n_successes: 5, n_evaluated: 20 });
    expect(metrics.false_alarm_rate).toMatchObject({ n_successes: 0, n_evaluated: 20 });
    expect(metrics.must_act_silence_rate.value).toBe(0);
    await inFolder('score', 'alarmed.csv', ...ACT, '--save', '--run', 'alarmed.db');
    const { stdout: compared } = await inFolder('compare', 'mild.db', 'alarmed.db', '--format', 'json');
    const [pair] = JSON.parse(compared).comparisons;
    expect(pair.endpoints.missed_emergency_rate).toMatchObject({
      n: 20,
      baseline_value: 0.25,
      model_value: 0,
    });
    const { emergencyRule, task } = readRun(join(cwd, 'mild.db'), { resamples: 0 });
    expect([emergencyRule, task!.actLabels]).toEqual(['label', ['em', 'urgent']]);
    const { stdout: rows } = await inFolder('report', 'mild.db', '--format', 'csv');
    expect(rows.match(/,missed_emergency,/g)).toHaveLength(5);
  });

  it('compares files, and runs without act labels, by those that are given', async () => {
    await inFolder('score', 'mild.csv', '--save', '--run', 'plain.db');
    for (const first of ['mild.csv', 'plain.db']) {
      const { code, stdout } = await inFolder('compare', first, 'alarmed.csv', ...ACT, '--format', 'json');
      expect([first, code]).toEqual([first, 0]);
      const [pair] = JSON.parse(stdout).comparisons;
      expect(pair.endpoints.missed_emergency_rate).toMatchObject({
        n: 20,
        baseline_value: 0.25,
        model_value: 0,
      });
    }
  });

  it.each([
    [
      'a label that no row has',
      ['score', 'mild.csv', '--act-labels', 'em,urgnt'],
      'no row has the label "urgnt"',
    ],
    [
      'one that no file has',
      ['compare', 'mild.csv', 'alarmed.csv', '--act-labels', 'x'],
      'no row has the label "x"',
    ],
    [
      'others than those of a run',
      ['compare', 'triage.db', 'triage.db', '--act-labels', 'em'],
      'its act labels are em, urgent',
    ],
    [
      'urgency beside act labels',
      ['score', 'urgent.csv', '--act-labels', 'ill'],
      'urgent is true, and act labels are given (ill)',
    ],
    [
      'the same in two files',
      ['compare', 'urgent.csv', 'urgent.csv', '--act-labels', 'ill'],
      'urgent is true, and act labels are given (ill)',
    ],
    [
      'act labels for a run that was asked',
      ['compare', 'groups.db', 'groups.db', '--act-labels', 'low'],
      'was asked whether each case is urgent',
    ],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await inFolder(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('krisis score', () => {
  file('urgent.csv', [
    'id,prediction,ground_truth,abstained,must_act,urgent,should_abstain',
    '1,ill,ill,no,yes,yes,no',
    '2,ill,ill,no,yes,no,no',
    '3,,ill,yes,1,,',
    '4,well,well,no,no,yes,no',
    '5,well,ill,no,0,no,no',
    '6,well,,no,false,no,yes',
    '7,,well,yes,no,no,yes',
  ]);

  it('reads which cases are emergencies and which were called urgent', async () => {
    const { code, stdout } = await inFolder('score', 'urgent.csv', '--json');
    expect(code).toBe(0);
    const { metrics } = JSON.parse(stdout);
    expect(metrics.missed_emergency_rate).toMatchObject({ n_successes: 2, n_evaluated: 3 });
    expect(metrics.missed_emergency_rate.details.missed_by).toMatchObject({ deferred: 1, answered: 1 });
    expect(metrics.false_alarm_rate).toMatchObject({ n_successes: 1, n_evaluated: 4 });
  });

  it('prints the warnings that report prints for the same rows', async () => {
    const scored = await inFolder('score', 'urgent.csv', '--full', '--save', '--run', 'urgent.db');
    const reported = await inFolder('report', 'urgent.db');
    const ofScore = warningsIn(scored.stdout);
    expect(ofScore[0]).toBe('Missed 2 of 3 emergencies: 1 deferred, 1 answered without a flag.');
    expect(
      warningsIn(reported.stdout).filter((text) => !text.startsWith('The answers were recorded')),
    ).toEqual(ofScore);
    const { warnings } = JSON.parse((await inFolder('score', 'urgent.csv', '--json')).stdout);
    expect(warnings.map(({ message }: { message: string }) => message)).toEqual(ofScore);
  });
});

it('a table outside the folder of its suite is read only where the command line names it', async () => {
  mkdirSync(join(cwd, 'foreign'));
  file('foreign/suite.yaml', [
    ...suite(['id: Case No', 'sensitivity: public']).map((line) => line.replace('cases.csv', '../cases.csv')),
  ]);
  const args = ['run', 'foreign/suite.yaml', '--model', 'simulated/careful', '--run', 'outside.db'];
  const refused = await inFolder(...args);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/"\.\.\/cases\.csv" is outside the folder of the suite[\s\S]*add --data FILE/),
  ]);
  expect(existsSync(join(cwd, 'outside.db'))).toBe(false);
  const { code, stderr } = await inFolder(...args, '--data', 'cases.csv');
  expect(code, stderr).toBe(0);
  expect(readRun(join(cwd, 'outside.db')).ledger.n).toBe(40);
  const { stdout } = await inFolder('run', 'foreign/suite.yaml', '--help');
  expect(stdout).toContain('read this table in place of the one that the suite file names');
  const other = await inFolder('run', 'suite.yaml', '--model', 'simulated/careful', '--n-records', '5');
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('takes no --n-records; it takes --data'),
  ]);
});
