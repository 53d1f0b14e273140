import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';
import { writeXpt } from './write-xpt.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-validate-'));
afterAll(() => rmSync(cwd, { recursive: true }));
for (const name of ['answers.jsonl', 'table-suite', 'questions', 'own-suite'])
  cpSync(resolve('examples', name), join(cwd, name), { recursive: true });

const file = (name: string, text: string) => {
  writeFileSync(join(cwd, name), text);
  return name;
};
const validate = (name: string, ...flags: string[]) => krisis(['check', name, ...flags], { cwd });

const SUITE = 'name: own/x\nfile: x.csv\nlabel: dx\ninstructions: Answer.\n';
file('x.csv', 'na,dx\n1,a\n2,b\n3,a\n');

describe('krisis check recognises', () => {
  it.each([
    ['answers.jsonl', 'answers', '120 rows, 2 labels: present (82), absent (38)'],
    ['table-suite/suite.yaml', 'table_suite', 'A table suite, examples/sodium: 40 cases'],
    ['questions/questions.yaml', 'questions', 'Open questions: 3 questions'],
    ['questions/answers.jsonl', 'recorded_answers', 'Recorded answers to open questions'],
    ['own-suite/krisis.config.ts', 'config', 'suites: potassium/urgency'],
  ])('%s as %s', async (name, kind, summary) => {
    const { code, stdout } = await validate(name);
    expect(stdout).toContain(summary);
    expect(stdout).toMatch(/no problems\n/);
    expect(code).toBe(0);
    expect(JSON.parse((await validate(name, '--json')).stdout)).toMatchObject({
      ok: true,
      kind,
      problems: [],
    });
  });

  it('NHANES files: which tasks can use them, how many people, and who is left out', async () => {
    const merged =
      'SEQN,RIDAGEYR,RIAGENDR,LBXGH,DIQ010,BPXSY1,BPXDI1,BPQ050A\n1,40,1,5.4,2,120,70,2\n2,50,2,7.4,1,150,90,1\n3,9,1,5,2,100,60,2\n';
    const { code, stdout } = await validate(file('merged.csv', merged), '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        kind: 'data',
        rows: 3,
        'diabetes/diagnosis': {
          records: 1,
          left_out: { under_18: 1, diabetes_already_diagnosed: 1 },
          needs: null,
        },
        'hypertension/classification': {
          records: 1,
          left_out: { under_18: 1, takes_drugs_for_blood_pressure: 1 },
        },
      },
    ]);
    const text = (await validate('merged.csv')).stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      'hypertension/classification can use 1 of them; left out: 1 takes drugs for blood pressure, 1 under 18.',
    );
  });

  it('NHANES files in SAS transport form, alone and together', async () => {
    const demo = writeXpt(['SEQN', 'RIDAGEYR', 'RIAGENDR'], [[1, 40, 1]]);
    writeFileSync(join(cwd, 'DEMO_J.XPT'), demo);
    writeFileSync(join(cwd, 'GHB_J.xpt'), writeXpt(['SEQN', 'LBXGH'], [[1, 5.4]]));
    const said = async (name: string) => (await validate(name)).stdout.replace(/\s+/g, ' ');
    expect(await said('DEMO_J.XPT')).toContain('diabetes/diagnosis needs more: the NHANES files have no');
    expect(await said('DEMO_J.XPT,GHB_J.xpt')).toContain('diabetes/diagnosis can use 1 of them; none is');
    writeFileSync(join(cwd, 'cut.xpt'), demo.subarray(0, 700));
    expect(await validate('cut.xpt')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('tables cannot be read'),
    });
  });

  it.each([
    [
      'pima.csv',
      'Pregnancies,Glucose,DiabetesPedigreeFunction,Outcome\n1,2,3,1\n',
      'onset within five years',
    ],
    ['130.csv', 'encounter_id,A1Cresult,readmitted\n1,>7,NO\n', 'its class is readmission'],
    ['twice.csv', 'SEQN,LBXGH\n1,5\n1,6\n', 'line 3, column "SEQN": "1"; expected each respondent once'],
  ])('%s, and says why no suite can use it', async (name, text, why) => {
    const { code, stdout } = await validate(file(name, text));
    expect(code).toBe(2);
    expect(stdout).toContain('1 problem:');
    expect(stdout.replace(/\s+/g, ' ')).toContain(why);
  });

  it('a run file', async () => {
    const run = ['run', 'ckd/staging', '--n-records', '20', '--model', 'simulated/careful', '--run', 'a.db'];
    expect((await krisis(run, { cwd })).code).toBe(0);
    const { code, stdout } = await validate('a.db');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('A run file: ckd/staging, simulated/careful, complete, 20 of 20 rows'),
    ]);
  });

  it('a rubric, a config in YAML, and answers in CSV', async () => {
    const rubric = 'regex_traits:\n  - name: greets\n    pattern: hello\n';
    const kindOf = async (name: string) => JSON.parse((await validate(name, '--json')).stdout).kind;
    expect(await kindOf(file('rubric.yaml', rubric))).toBe('rubric');
    expect(await kindOf(file('own.yaml', 'run:\n  model: simulated/careful\n'))).toBe('config');
    expect(await kindOf(file('own.csv', 'Prediction;Ground Truth\n1;1\n0;1\n'))).toBe('answers');
  });

  it('a table that is neither answers nor a data file, and says what it needs', async () => {
    const { code, stdout } = await validate('x.csv');
    expect(code).toBe(2);
    expect(stdout).toContain('A table with 2 columns: na, dx.');
    expect(stdout).toContain('krisis score FILE --columns');
  });
});

describe('krisis check checks names', () => {
  it('of the primary endpoint', async () => {
    const { code, stdout } = await validate(file('s1.yaml', `${SUITE}primary_endpoint: decison_accuracy\n`));
    expect(code).toBe(2);
    expect(stdout).toContain(
      'primary_endpoint: no metric "decison_accuracy"; did you mean decision_accuracy?',
    );
    expect((await validate(file('s2.yaml', `${SUITE}primary_endpoint: ece\n`))).code).toBe(0);
  });

  it('of the primary endpoint as run does, which asks nothing', async () => {
    const suite = file('s3.yaml', `${SUITE}primary_endpoint: decison_accuracy\n`);
    for (const flags of [[], ['--dry-run']]) {
      const ran = await krisis(['run', suite, '--model', 'baseline/random', ...flags], { cwd });
      expect([ran.code, ran.stdout]).toEqual([2, '']);
      expect(ran.stderr.replace(/\s+/g, ' ')).toContain(
        'suite own/x: primary_endpoint: no metric "decison_accuracy"; did you mean decision_accuracy?',
      );
    }
    expect(existsSync(join(cwd, '.krisis'))).toBe(false);
  });

  it('of models, judges and providers in a config', async () => {
    const text =
      'run:\n  model: [opnai/gpt-5, simulated/carefull, baseline/majorty, openai/gpt-5]\n  judge: baseline/lexcal\nallowEgress: [antropic]\n';
    const { code, stdout } = await validate(file('names.yaml', text));
    expect(code).toBe(2);
    for (const hint of ['openai/gpt-5', 'careful', 'baseline/majority', 'anthropic'])
      expect(stdout).toContain(`did you mean ${hint}?`);
    expect(stdout).toContain('5 problems:');
  });

  it('of keys in a config, all of them at once', async () => {
    const { code, stdout } = await validate(
      file('keys.yaml', 'run:\n  modle: x\nscroe:\n  task: detection\n'),
    );
    expect(code).toBe(2);
    expect(stdout).toContain('2 problems:');
    expect(stdout).toContain('did you mean model?');
    expect(stdout).toContain('did you mean score?');
  });

  it('of columns, and lists every problem of a definition', async () => {
    const text = `${SUITE}groups: [sex]\nprimary_endpoint: acuracy\n`;
    const { stdout } = await validate(file('s3.yaml', text));
    expect(stdout).toContain('column "sex": no such column');
    expect(stdout).toContain('did you mean accuracy?');
    const wrong = await validate(file('s4.yaml', `${SUITE}seed: high\nlabell: dx\npack: staging\n`));
    expect(wrong.code).toBe(2);
    expect(wrong.stdout).toContain('seed is "high"');
    expect(wrong.stdout).toContain('unknown key "labell" (did you mean label?)');
  });
});

describe('krisis check lists problems', () => {
  it('of answers, with their lines, up to 20', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, i) =>
        `{"prediction":"a","ground_truth":"a","abstained":false,"confidence":${i < 25 ? '"high"' : 0.5}}`,
    );
    const { code, stdout } = await validate(file('rows.jsonl', `${rows.join('\n')}\nnot json\n`));
    expect(code).toBe(2);
    expect(stdout).toContain('26 problems:');
    expect(stdout).toContain('  line 1: confidence is "high"');
    expect(stdout).toMatch(/ {2}and 6 more\n$/);
    expect(stdout.split('\n').filter((line) => /^ {2}line/.test(line))).toHaveLength(20);
    const { n_problems, problems, rows: n } = JSON.parse((await validate('rows.jsonl', '--json')).stdout);
    expect([n_problems, problems.length, n]).toEqual([26, 26, 5]);
  });

  it('of a table, with the name of its file', async () => {
    file('bad.csv', `na,dx\n${'1,a\n2,c\n'.repeat(30)}`);
    const { code, stdout } = await validate(
      file('s5.yaml', SUITE.replace('x.csv', 'bad.csv').replace('label: dx', 'label: dx\nlabels: [a, b]')),
    );
    expect(code).toBe(2);
    expect(stdout).toContain('30 problems:');
    expect(stdout).toContain('"bad.csv", line 3, column "dx": "c"; expected one of "a", "b"');
    expect(stdout).toContain('and 10 more');
  });

  it('of YAML that cannot be read', async () => {
    const { code, stdout } = await validate(file('broken.yaml', 'a: [1'));
    expect([code, stdout]).toEqual([2, expect.stringContaining('not YAML')]);
  });

  it('refuses a folder and a file that is not there', async () => {
    expect(await validate('.')).toMatchObject({ code: 2, stderr: expect.stringContaining('it is a folder') });
    expect(await validate('none.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no such file'),
    });
  });
});
