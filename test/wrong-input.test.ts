import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { failureWords } from '../src/core/fault.ts';
import { krisis } from './krisis.ts';
import { spreadsheet } from './spreadsheet-fixture.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-wrong-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(cwd, name), content);
  return name;
};
const typed = (line: string) => krisis(line.split(' '), { cwd });

/** A table of answers: `head` and lines of it. */
const table = (name: string, head: string, ...lines: string[]) =>
  file(name, `${[head, ...lines].join('\n')}\n`);
const HEAD = 'id,prediction,ground_truth,confidence';
const answers = (name: string, ...lines: string[]) => table(name, HEAD, ...lines);

/** What would be counted without a word: scored, with a warning that names it and what to type. */
describe('is said', () => {
  it.each([
    [
      'an answer that is never the truth',
      'score unsure.csv',
      () => answers('unsure.csv', 'a,yes,yes,0.9', 'b,unsure,no,0.4', 'c,unsure,yes,0.4', 'd,no,no,0.9'),
      ['2 answers are never a truth and count as wrong: "unsure" (2)', '--abstain unsure'],
    ],
    [
      'an answer in words, and the same label with a full stop',
      'score words.csv',
      () => answers('words.csv', 'a,YES.,yes,0.9', "b,I don't know,no,0.4", 'c,no,no,0.9'),
      ['"YES." (1; is it "yes"?)', `"I don't know" (1)`, '--abstain'],
    ],
    [
      'columns with nearly the right names',
      'score near.csv',
      () => table('near.csv', 'id,prediction,ground_truth,abstain,conf', 'a,yes,yes,no,0.9', 'b,,no,yes,'),
      ['"abstain" (abstained?), "conf" (confidence?)', '--columns abstained=abstain,confidence=conf'],
    ],
    [
      'one label written as two numbers',
      'score codes.csv',
      () => answers('codes.csv', 'a,03,3,0.9', 'b,1,1,0.9'),
      ['"3" and "03" count as the same label'],
    ],
    [
      'rows of one case without a number',
      'score repeats.csv',
      () => answers('repeats.csv', 'a,yes,yes,0.9', 'a,no,yes,0.9', 'b,no,no,0.9'),
      ['1 case has several rows (up to 2): they are read as repeats, in the order of the file'],
    ],
    [
      'empty predictions without a column abstained',
      'score empty-answers.csv',
      () => answers('empty-answers.csv', 'a,yes,yes,0.9', 'b,,no,', 'c,,no,'),
      ['2 predictions are empty and count as wrong', 'add a column abstained'],
    ],
    [
      'an answer to abstain by that no row gives',
      'score none-unsure.csv --abstain unsre',
      () => answers('none-unsure.csv', 'a,yes,yes,0.9', 'b,no,no,0.4'),
      ['no row answers "unsre"; the labels are: "yes", "no"'],
    ],
  ])('%s', async (_, command, write, messages) => {
    write();
    const { code, stderr } = await typed(command);
    expect(code).toBe(0);
    for (const message of messages) expect(stderr).toContain(message);
  });

  it('a case to be acted upon and to be deferred at once', async () => {
    table(
      'both.csv',
      'id,prediction,ground_truth,must_act,should_abstain',
      'a,yes,yes,true,true',
      'b,no,no,false,false',
    );
    const { code, stdout } = await typed('score both.csv');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('marked both to be acted upon and to be deferred'),
    ]);
  });

  it('a file without a single truth', async () => {
    answers('truthless.csv', 'a,yes,,0.9', 'b,no,,0.9');
    const { stdout, stderr } = await typed('score truthless.csv');
    expect(stderr).toContain('no row has a ground_truth');
    expect(stdout).not.toContain('rows that have no answer');
  });
});

/** What must not be scored: exit code 2, and what to do. */
describe('is refused', () => {
  it.each([
    [
      'percentages as confidences',
      'score percent.csv',
      () => answers('percent.csv', 'a,yes,yes,76', 'b,no,no,85', 'c,no,yes,100'),
      ['3 of 3 confidences are above 1, up to 100', '--confidence-scale 100'],
    ],
    [
      'percentages that hold a 1',
      'score percent1.csv',
      () => answers('percent1.csv', 'a,yes,yes,90', 'b,no,no,1', 'c,no,yes,80'),
      ['2 of 3 confidences are above 1, up to 90', '--confidence-scale 100'],
    ],
    [
      'confidences from 1 to 5',
      'score fives.csv',
      () => answers('fives.csv', 'a,yes,yes,5', 'b,no,no,1', 'c,no,yes,4'),
      ['2 of 3 confidences are above 1, up to 5', '--confidence-scale 5'],
    ],
    [
      'percentages from 0 to 100 with 0 and 1',
      'score percent01.csv',
      () => answers('percent01.csv', 'a,yes,yes,1', 'b,no,no,0', 'c,no,yes,100', 'd,no,no,90', 'e,no,no,55'),
      ['3 of 5 confidences are above 1', '--confidence-scale 100'],
    ],
    [
      'a scale of confidences that are shares',
      'score shares.csv --confidence-scale 100',
      () => answers('shares.csv', 'a,yes,yes,0.9', 'b,no,no,0.8'),
      ['no confidence is above 1, so 100 cannot be their scale', 'Leave --confidence-scale out'],
    ],
    [
      'clipping, which made every percentage certain',
      'score percent.csv --confidence-policy clip',
      () => {},
      ['unknown option'],
    ],
    [
      'one id with two truths',
      'score two-truths.csv',
      () => answers('two-truths.csv', 'a,yes,yes,0.9', 'b,no,no,0.9', 'a,yes,no,0.9'),
      ['two-truths.csv:4: ground_truth of the case "a" is "no", and "yes" in an earlier row'],
    ],
    [
      'two rows of one repeat',
      'score twice.csv',
      () => table('twice.csv', 'id,repeat,prediction,ground_truth', 'a,1,yes,yes', 'a,1,no,yes'),
      ['twice.csv:3: the case "a" has a second row with repeat "1"'],
    ],
    [
      'abstained = maybe',
      'score maybe.csv',
      () => table('maybe.csv', 'prediction,ground_truth,abstained', 'yes,yes,maybe'),
      ['maybe.csv:2: abstained is "maybe"; expected yes or no (or true, false, 1, 0'],
    ],
    [
      'abstained = m',
      'score m.csv',
      () => table('m.csv', 'prediction,ground_truth,abstained', 'yes,yes,m'),
      ['m.csv:2: abstained is "m"; expected yes or no (or true, false, 1, 0'],
    ],
    [
      'a confidence of 1e309',
      'score huge.csv',
      () => answers('huge.csv', 'a,yes,yes,1e309'),
      ['huge.csv:2: confidence is "1e309"; expected a number between 0 and 1'],
    ],
    [
      'two columns prediction',
      'score double.csv',
      () => table('double.csv', 'prediction,prediction,ground_truth', 'yes,no,yes'),
      ['2 columns are named "prediction"; expected different names: rename'],
    ],
    [
      'a binary file',
      'score blob.csv',
      () => file('blob.csv', Buffer.from([1, 2, 0, 0, 0, 9, 0, 7])),
      ['is not text'],
    ],
    [
      'a binary file without zero bytes',
      'score noise.csv',
      () => file('noise.csv', Buffer.from([0xd3, 1, 2, 59, 3, 10, 0xc1, 9, 14, 17, 200, 129])),
      ['is not text'],
    ],
    [
      'a list of rows with a comma too many',
      'score comma.json',
      () => file('comma.json', '[{"prediction": "a", "ground_truth": "a"},]'),
      ['comma.json after row 1: not JSON: unexpected "]"'],
    ],
    [
      'a format that is not written',
      'score answers-for-pdf.csv -o scores.pdf',
      () => answers('answers-for-pdf.csv', 'a,yes,yes,0.9'),
      ['expected a file that ends in .json, .md, .markdown, .html, .htm, .csv or .txt'],
    ],
    [
      'a web page',
      'score page.csv',
      () => file('page.csv', '<!DOCTYPE html>\n<html><body>Not found, sorry</body></html>\n'),
      ['page.csv: is a web page or XML, not a table'],
    ],
    [
      'a title above the header',
      'score title.csv',
      () => table('title.csv', 'Results of March,,', 'prediction,ground_truth,confidence', 'yes,yes,0.9'),
      ['title.csv:1: "Results of March" is the only text here', 'delete what stands above'],
    ],
    [
      'broken JSON',
      'score broken.json',
      () => file('broken.json', '{"prediction": 1,, }'),
      ['expected a list of rows'],
    ],
  ])('%s', async (_, command, write, messages) => {
    write();
    const { code, stdout, stderr } = await typed(command);
    expect([code, stdout]).toEqual([2, '']);
    for (const message of messages) expect(stderr).toContain(message);
  });
});

/** Suites, configs and other files that are not what a command expects: exit code 2, and what to do. */
describe('other files', () => {
  const suite = (lines: string) =>
    `name: ward/x\nfile: cases.csv\nlabel: dx\ninstructions: What is it?\n${lines}`;
  const cases = () =>
    table('cases.csv', 'id,age,dx,emergency', 'a,61,ill,yes', 'b,42,well,no', 'c,70,ill,no');

  it.each([
    [
      'run of a table',
      'run cases.csv',
      cases,
      ['a table of cases becomes a suite', 'krisis init table cases.csv'],
    ],
    ['run of a table that is not there', 'run nowhere.xlsx', () => {}, ['nowhere.xlsx: no such file']],
    ['check of a table', 'check cases.csv', cases, ['krisis init table cases.csv --label COLUMN']],
    [
      'bad YAML',
      'run bad.yaml',
      () => file('bad.yaml', 'name: a: b\n'),
      ['a value with a colon needs quotes', 'the line is "name: a: b"'],
    ],
    [
      'an empty YAML file',
      'run empty.yaml',
      () => file('empty.yaml', ''),
      ['empty.yaml: is empty; expected at least name, file, label and instructions'],
    ],
    [
      'a YAML list',
      'run list.yaml',
      () => file('list.yaml', '- a\n- b\n'),
      ['is no object with keys and values; expected at least name, file, label and instructions'],
    ],
    [
      'a config with a syntax error',
      'score out.csv --config broken.config.ts',
      () => file('broken.config.ts', 'export default {\n  score: { bundle: },\n};\n'),
      ['broken.config.ts: cannot be loaded', '(line 2, column'],
    ],
    [
      'a config that names a label no row has',
      'score out.csv --config label.config.yaml',
      () => file('label.config.yaml', 'score: { positiveLabel: present }\n'),
      ['label.config.yaml, score.positiveLabel: no row has the label "present"; the labels are: yes, no'],
    ],
    [
      'detection without the positive label',
      'score out.csv --task detection',
      () => {},
      ['--positive-label LABEL; the labels are: yes, no'],
    ],
    [
      'a report of a suite',
      'report suite.yaml',
      () => file('suite.yaml', suite('')),
      ['It is a suite or a config, and no run: krisis run suite.yaml -m MODEL'],
    ],
    [
      'a comparison of files about other cases',
      'compare out.csv others.csv',
      () => answers('others.csv', 'x,yes,yes,0.9', 'y,no,no,0.8'),
      ['0 of 4 ids are in both files (2 in the other)'],
    ],
    [
      'cases of conformance that are not there',
      'conformance nope.json',
      () => {},
      ['nope.json: no such file'],
    ],
    [
      'an absurd number of resamples',
      'score out.csv --bootstrap 1e9',
      () => {},
      ['whole number from 0 to 100000'],
    ],
    [
      'a misspelt primary endpoint',
      'run endpoint.yaml --model baseline/random',
      () => {
        cases();
        file('endpoint.yaml', suite('primary_endpoint: decison_accuracy\n'));
      },
      ['no metric "decison_accuracy"; did you mean decision_accuracy?'],
    ],
  ])('%s', async (_, command, write, messages) => {
    table('out.csv', `${HEAD},sex`, 'a,yes,yes,0.9,f', 'b,no,no,0.8,m', 'c,no,yes,0.7,f', 'd,no,no,0.6,m');
    write();
    const { code, stdout, stderr } = await typed(command);
    expect(code).toBe(2);
    // The findings about a file are the output of `check`.
    const text = (command.startsWith('check') ? stdout : stderr).replace(/\s+/g, ' ');
    for (const message of messages) expect(text).toContain(message.replace(/\s+/g, ' '));
  });

  it('an address without the right path names the address as well as the model', () => {
    expect(failureWords('unknown_model').advice).toContain('does a base URL end in /v1?');
  });

  it('must_act among the metadata of a table suite marks emergencies', async () => {
    table('act.csv', 'id,age,dx,must_act', 'a,61,ill,yes', 'b,42,well,no');
    file('act.yaml', suite('metadata: [must_act]\n').replace('cases.csv', 'act.csv'));
    const { stdout } = await typed('check act.yaml');
    expect(stdout).toContain('Emergencies: 1 of 2');
  });

  it('init table writes a suite that runs, and guesses no label', async () => {
    cases();
    rmSync(join(cwd, 'suite.yaml'), { force: true });
    const asked = await typed('init table cases.csv');
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining(
        'which column has the right answer? Its columns are: "id", "age", "dx", "emergency"',
      ),
    ]);
    const wrong = await typed('init table cases.csv --label dxx');
    expect(wrong.stderr).toContain('no column "dxx"; did you mean dx');
    const { code, stdout } = await typed('init table cases.csv --label dx');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('The model sees: age\nIt never sees: dx, id, emergency'),
    ]);
    expect((await typed('check suite.yaml')).stdout).toContain('Emergencies: 1 of 3');
    expect((await typed('run suite.yaml --model baseline/random')).code).toBe(0);
    expect((await typed('init table cases.csv --label dx')).stderr).toContain('already exists');
  });

  it('a spreadsheet is a table of a suite, and its problems have its row numbers', async () => {
    const head = ['id', 'age', 'dx', 'must_act'];
    file(
      'book.xlsx',
      spreadsheet({
        Notes: [['nothing here']],
        Cases: [head, ['a', 61, 'ill', true], [null, null, null, null], ['b', 42, 'well', 'soon']],
        Good: [head, ['a', 61, 'ill', true], ['b', 42, 'well', false]],
      }),
    );
    const yaml = (sheet: string) =>
      suite(`must_act: must_act\nsheet: ${sheet}\n`).replace('cases.csv', 'book.xlsx');
    file('book.yaml', yaml('Cases'));
    expect((await typed('check book.yaml')).stdout).toContain('row 4, column "must_act": "soon"');
    file('good.yaml', yaml('Good'));
    expect((await typed('run good.yaml --model baseline/random')).stderr).not.toContain('problem');
    expect((await typed('check good.yaml')).stdout).toContain('Emergencies: 1 of 2');
    expect((await typed('check book.xlsx')).code).toBe(2);
  });

  it('line breaks in cells of a table suite do not shift the rows that are named', async () => {
    table('breaks2.csv', 'id,note,dx', 'a,"x\ny\nz",ill', 'b,n,well', 'c,n,');
    file('breaks2.yaml', suite('').replace('cases.csv', 'breaks2.csv'));
    expect((await typed('check breaks2.yaml')).stdout).toContain('row 4 (line 6), column "dx"');
  });

  it('metrics without rows can be imported, compared and reported', async () => {
    await typed('score out.csv --run m1.db --name one');
    await typed('score out.csv --run m2.db --name two');
    for (const n of [1, 2]) await typed(`report m${n}.db --format metrics-json -o m${n}.json`);
    const compared = await typed('compare m1.json m2.json --json');
    expect([compared.code, JSON.parse(compared.stdout).models.length]).toEqual([0, 2]);
    const imported = await typed('runs import m1.json --run imported.db');
    expect([imported.code, imported.stderr]).toEqual([0, '']);
    expect((await typed('report imported.db -o imported.html')).code).toBe(0);
  });
});

/** What looks wrong and can be read. */
describe('is read', () => {
  const scoreOf = async (command: string, metric: string) => {
    const { code, stdout, stderr } = await typed(`${command} --json`);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    return JSON.parse(stdout).metrics[metric].value;
  };

  it('FALSCH and WAHR of a German spreadsheet', async () => {
    table('german.csv', 'prediction;ground_truth;abstained', 'ja;ja;FALSCH', 'ja;nein;WAHR');
    expect(await scoreOf('score german.csv', 'abstention_rate')).toBe(0.5);
  });

  it('JSONL without abstained', async () => {
    file('plain.jsonl', '{"prediction":1,"ground_truth":1}\n{"prediction":0,"ground_truth":1}\n');
    expect(await scoreOf('score plain.jsonl', 'accuracy')).toBe(0.5);
  });

  it('a first line that states the separator', async () => {
    table('sep.csv', 'sep=;', 'prediction;ground_truth', 'yes;yes', 'no;yes');
    expect(await scoreOf('score sep.csv', 'accuracy')).toBe(0.5);
  });

  it('deferrals and refusals that are written as answers', async () => {
    answers('own.csv', 'a,yes,yes,0.9', 'b,Unsure,no,0.4', 'c,I cannot help,no,0.9', 'd,no,no,0.9');
    const { stdout } = await krisis(
      ['score', 'own.csv', '--abstain', 'unsure,unknown', '--refused', '/^I cannot/', '--json'],
      { cwd },
    );
    expect(JSON.parse(stdout).ledger).toMatchObject({ n: 4, answered_correct: 2, abstained: 1, refused: 1 });
    const exact = await krisis(['score', 'own.csv', '--refused', 'i cannot help', '--json'], { cwd });
    expect(JSON.parse(exact.stdout).ledger).toMatchObject({ refused: 1 });
  });

  it('percentages whose scale is stated', async () => {
    answers('p100.csv', 'a,yes,yes,90', 'b,no,no,90', 'c,no,yes,90', 'd,no,no,90');
    answers('p1.csv', 'a,yes,yes,0.9', 'b,no,no,0.9', 'c,no,yes,0.9', 'd,no,no,0.9');
    const metric = 'expected_calibration_error';
    expect(await scoreOf('score p100.csv --confidence-scale 100', metric)).toBe(
      await scoreOf('score p1.csv', metric),
    );
  });

  it('repeats by their column, in any order, as one case each', async () => {
    table(
      'numbered.csv',
      'id,repeat,prediction,ground_truth',
      ...['a,2,yes,yes', 'b,1,no,no', 'a,1,no,yes', 'b,2,no,no', 'c,2,no,yes'],
    );
    const { code, stdout, stderr } = await typed('score numbered.csv --json --run numbered.db');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('repeats')]);
    expect(JSON.parse(stdout).method.cluster).toBe('id');
    const report = JSON.parse((await typed('report numbered.db --json')).stdout);
    expect(report.evaluation_results).toHaveLength(6);
    expect(report.ledger).toMatchObject({ n: 6, not_run: 1 });
    expect(report.extras.repeats).toBe(2);
  });

  it('a spreadsheet, its first sheet or a named one, with its own row numbers', async () => {
    const head = ['id', 'prediction', 'ground_truth', 'abstained', 'confidence'];
    file(
      'answers.xlsx',
      spreadsheet({
        March: [head, ['a', 'yes', 'yes', false, 0.9], ['b', 'yes', 'no', true, null]],
        April: [head, [null, null], ['a', 'yes', 'yes', 'perhaps', 0.9]],
      }),
    );
    expect(await scoreOf('score answers.xlsx', 'abstention_rate')).toBe(0.5);
    const wrong = await typed('score answers.xlsx --sheet April');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('answers.xlsx row 3: abstained is "perhaps"'),
    ]);
    const missing = await typed('score answers.xlsx --sheet Aprli');
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('no sheet "Aprli"; did you mean April?'),
    ]);
  });

  it('a table whose cells have line breaks, by the rows that a spreadsheet shows', async () => {
    table('breaks.csv', 'prediction,ground_truth,abstained,note', 'yes,yes,no,"a\nb\nc"', 'yes,yes,soon,x');
    const { stderr } = await typed('score breaks.csv');
    expect(stderr).toContain('breaks.csv row 3 (line 5): abstained is "soon"');
  });
});

describe('the file of -o', () => {
  table('out.csv', `${HEAD},sex`, 'a,yes,yes,0.9,f', 'b,no,no,0.8,m', 'c,no,yes,0.7,f', 'd,no,no,0.6,m');

  it.each([
    ['score.html', /^<!doctype html>/i],
    ['score.md', /^# /],
    ['score.json', /^\{/],
    ['score.csv', /^model,suite,metric,/],
    ['score.txt', /^\S*out\.csv: 4 cases/],
  ])('score writes %s', async (name, content) => {
    expect((await typed(`score out.csv -o ${name}`)).code).toBe(0);
    expect(readFileSync(join(cwd, name), 'utf8')).toMatch(content);
  });

  it('report and compare write what its extension says', async () => {
    await typed('score out.csv --run out.db --group-by sex');
    for (const [name, content] of [
      ['report.html', /^<!doctype html>/i],
      ['report.csv', /^id,repeat,/],
      ['report.tex', /\\begin/],
    ] as const) {
      expect((await typed(`report out.db -o ${name}`)).code).toBe(0);
      expect(readFileSync(join(cwd, name), 'utf8')).toMatch(content);
    }
    for (const [name, content] of [
      ['compare.html', /^<!doctype html>/i],
      ['compare.csv', /^model,suite,metric,/],
    ] as const) {
      expect((await typed(`compare out.csv out.db -o ${name}`)).code).toBe(0);
      expect(readFileSync(join(cwd, name), 'utf8')).toMatch(content);
    }
  });

  it('has the groups, and no column of another domain', async () => {
    await typed('report out.db -o groups.csv');
    const [head] = readFileSync(join(cwd, 'groups.csv'), 'utf8').split('\r\n');
    expect(head!.split(',')).toContain('sex');
    expect(head).not.toContain('ckd');
    await typed('report out.db --format metrics-csv -o tidy.csv');
    const tidy = readFileSync(join(cwd, 'tidy.csv'), 'utf8');
    expect(tidy).toMatch(
      /^out,"recorded answers",selective_accuracy,,,,0\.75,|^out,recorded answers,selective_accuracy,,,,0\.75,/m,
    );
    expect(tidy).toMatch(/^out,recorded answers,\w+,sex,f,,/m);
    // What was exported scores the same, intervals included.
    const read = await typed('score groups.csv --group-by sex --json');
    const before = await typed('score out.csv --group-by sex --json');
    expect(JSON.parse(read.stdout).metrics).toEqual(JSON.parse(before.stdout).metrics);
    expect(JSON.parse(read.stdout).subgroups).toEqual(JSON.parse(before.stdout).subgroups);
  });

  it('is refused where there is no such format', async () => {
    const { code, stderr } = await typed('report out.db -o report.pdf');
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected a file that ends in .json')]);
    expect(existsSync(join(cwd, 'report.pdf'))).toBe(false);
  });
});
