import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KrisisError } from './errors.ts';
import type { EvaluationResult } from './evaluation-result.ts';
import { sameLabel } from './label.ts';
import { type ReadRowsOptions, readRows } from './row-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row = { prediction: 1, ground_truth: 1, abstained: false, confidence: 0.9 };
let files = 0;

async function read(
  text: string | Uint8Array,
  extension = 'json',
  options: ReadRowsOptions = {},
): Promise<EvaluationResult[]> {
  const file = join(folder, `rows-${files++}.${extension}`);
  writeFileSync(file, text);
  const rows: EvaluationResult[] = [];
  await readRows(file, (r) => rows.push(r), options).catch((error: KrisisError) => {
    const { code, value } = error;
    throw new KrisisError(error.message.replace(file, 'FILE'), { code, value });
  });
  return rows;
}

describe('readRows', () => {
  const nested = (opening: string, closing: string) => `${opening.repeat(50_000)}1${closing.repeat(50_000)}`;
  const LISTS = nested('[', ']');
  const OBJECTS = nested('{"a":', '}');
  it.each([
    ['jsonl', `{"prediction": ${OBJECTS}, "ground_truth": 1}`, 'FILE:1'],
    ['jsonl', `{"prediction": 1, "ground_truth": 1, "metadata": {"x": ${LISTS}}}`, 'FILE:1'],
    ['json', `[{"prediction": 1, "ground_truth": 1, "metadata": ${OBJECTS}}]`, 'FILE row 1'],
  ])('refuses deep nesting with its place: %s', async (extension, text, place) => {
    await expect(read(text, extension)).rejects.toThrow(
      `${place}: is nested more than 100 levels deep; expected a flat object`,
    );
  });

  it.each(['jsonl', 'txt'])('refuses a line without an end', async (extension) => {
    const endless = Buffer.alloc(2 ** 26 + 2 ** 21, 'a');
    await expect(read(endless, extension)).rejects.toThrow('FILE:1: a line of more than 64 MiB');
  });

  it('has a code for a file that cannot be read', async () => {
    await expect(readRows(join(folder, 'absent.jsonl'), () => {})).rejects.toMatchObject({
      code: 'ERR_ROW_FILE',
    });
  });

  it.each([
    ['JSONL', `${JSON.stringify(row)}\n${JSON.stringify(row)}\n`, 'jsonl'],
    [
      'JSONL without an ending newline, with CRLF and blank lines',
      `${JSON.stringify(row)}\r\n\r\n${JSON.stringify(row)}`,
      'jsonl',
    ],
    ['JSONL under another name', `${JSON.stringify(row)}\n${JSON.stringify(row)}`, 'txt'],
    ['JSONL with a byte order mark', `\uFEFF${JSON.stringify(row)}\n${JSON.stringify(row)}`, 'jsonl'],
    ['an array', JSON.stringify([row, row]), 'json'],
    ['an array, pretty-printed', JSON.stringify([row, row], null, 2), 'json'],
    [
      'a report with evaluation_results',
      JSON.stringify({ backend_name: 'x', evaluation_results: [row, row] }),
      'json',
    ],
    [
      'the same, pretty-printed',
      JSON.stringify({ backend_name: 'x', evaluation_results: [row, row], extras: { rows: 2 } }, null, 2),
      'json',
    ],
    ['an object with rows', JSON.stringify({ rows: [row, row] }, null, 2), 'json'],
  ])('reads %s', async (_, text, extension) => {
    const rows = await read(text, extension);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ prediction: 1, confidence: 0.9, state: 'answered' });
  });

  it('keeps a letter whole that falls between two chunks', async () => {
    const label = 'é'.repeat(700_001);
    const rows = await read(JSON.stringify({ ...row, ground_truth: label }), 'jsonl');
    expect(rows[0]!.groundTruth).toBe(label);
  });

  it.each([
    [
      'a wrong field',
      `${JSON.stringify(row)}\n{"prediction":1,"ground_truth":1,"abstained":"no","confidence":1}`,
      'jsonl',
      'FILE:2: abstained is "no"; expected true or false (not text, not 0 or 1)',
    ],
    [
      'a missing field',
      '{"prediction":1,"abstained":false}',
      'jsonl',
      'FILE:1: ground_truth is missing; expected the true label',
    ],
    [
      'NaN',
      '{"prediction":1,"ground_truth":1,"abstained":false,"confidence":NaN}',
      'jsonl',
      'FILE:1: NaN and Infinity are not JSON',
    ],
    ['broken JSON', '{"prediction":1,', 'jsonl', 'FILE:1: not JSON'],
    [
      'a bad row of an array',
      JSON.stringify([row, { ...row, confidence: 'high' }]),
      'json',
      'FILE row 2: confidence is "high"',
    ],
    [
      'a truncated array',
      JSON.stringify([row, row]).slice(0, -8),
      'json',
      'FILE after row 1: not JSON: the file ends in the middle',
    ],
    ['nothing', '', 'jsonl', 'FILE: no rows'],
    ['an empty array', '[]', 'json', 'FILE: no rows'],
    ['a report without rows', JSON.stringify({ metrics: {} }, null, 2), 'json', 'FILE: no rows'],
  ])('says where %s is', async (_, text, extension, message) => {
    await expect(read(text, extension)).rejects.toThrow(message);
  });

  it('says so when there is no such file, or it is a folder', async () => {
    await expect(readRows(join(folder, 'none.jsonl'), () => {})).rejects.toThrow('no such file');
    await expect(readRows(folder, () => {})).rejects.toThrow('is a folder');
  });
});

describe('readRows of a table', () => {
  const plainRow = { id: 'p1', prediction: 'ill', groundTruth: 'well', confidence: 0.9, state: 'answered' };

  it.each([
    ['CSV', 'id,prediction,ground_truth,abstained,confidence\np1,ill,well,false,0.9\n', 'csv'],
    ['TSV', 'id\tprediction\tground_truth\tabstained\tconfidence\np1\till\twell\tno\t0.9\n', 'tsv'],
    ['semicolons and a decimal comma', 'id;prediction;ground_truth;confidence\np1;ill;well;0,9\n', 'csv'],
    ['camelCase', 'id,prediction,groundTruth,abstained,confidence\np1,ill,well,0,.9\n', 'csv'],
    ['names with spaces', 'ID,Prediction,Ground Truth,Abstained,Confidence\np1,ill,well,F,9e-1\n', 'csv'],
    ['capitals', 'ID,PREDICTION,GROUND_TRUTH,CONFIDENCE\np1,ill,well,0.9\n', 'csv'],
    ['another extension', 'id,prediction,ground_truth,confidence\np1,ill,well,0.9\n', 'txt'],
    [
      'quotation marks',
      '"id","prediction","ground_truth","confidence"\r\n"p1","ill","well","0.9"\r\n',
      'csv',
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFFid,prediction,ground_truth,confidence\np1,ill,well,0.9\n', 'utf16le'),
      'csv',
    ],
  ])('reads %s', async (_, text, extension) => {
    expect(await read(text, extension)).toMatchObject([plainRow]);
  });

  it('reads columns under other names, and puts what is not a field into the metadata', async () => {
    const text = 'case,y_pred,y_true,prob,sex,metadata.site,note\np1,ill,well,0.9,f,a,\n';
    const columns = { id: 'case', prediction: 'y_pred', groundTruth: 'y_true', confidence: 'prob' };
    expect(await read(text, 'csv', { columns })).toMatchObject([
      { ...plainRow, metadata: { sex: 'f', site: 'a' } },
    ]);
    const renamed = await read(text, 'csv', {
      columns: { ...columns, 'metadata.gender': 'sex' },
    });
    expect(renamed[0]!.metadata).toEqual({ gender: 'f', site: 'a' });
    const object = '{"case":"p1","y_pred":"ill","y_true":"well","prob":0.9,"abstained":false,"sex":"f"}';
    expect(await read(object, 'jsonl', { columns })).toMatchObject([{ ...plainRow, metadata: { sex: 'f' } }]);
  });

  it('prefers a stated column to one that has the name of the field', async () => {
    const text = 'prediction,ground_truth,second\nill,well,well\n';
    const [row] = await read(text, 'csv', { columns: { prediction: 'second' } });
    expect(row).toMatchObject({ prediction: 'well', metadata: { prediction: 'ill' } });
  });

  it.each(['', 'NA', 'N/A', '#N/A', '<NA>', 'NaN', 'nan', 'NULL', 'null'])(
    'reads %j as no value in every column',
    async (cell) => {
      const head = 'prediction,ground_truth,abstained,confidence,should_abstain,sex';
      const [row] = await read(`${head}\n${cell},${cell},true,${cell},${cell},${cell}\n`, 'csv');
      expect(row).toMatchObject({ prediction: null, groundTruth: null, confidence: null, metadata: {} });
    },
  );

  it('keeps "None" as a label, and reads it as no value where a number or a flag belongs', async () => {
    const [row] = await read('prediction,ground_truth,confidence\nNone,None,None\n', 'csv');
    expect(row).toMatchObject({ prediction: 'None', groundTruth: 'None', confidence: null });
  });

  it('reads labels as data frames write them', async () => {
    const rows = await read('prediction,ground_truth\n1.0,1\nTrue,1\nFALSE,0\n007,7\n3.7,3.7\n', 'csv');
    expect(rows.map(({ prediction, groundTruth }) => sameLabel(prediction!, groundTruth!))).toEqual(
      Array(5).fill(true),
    );
  });

  it.each(['true', 'TRUE', 'yes', 'y', 't', '1', '1.0'])('reads %j as an abstention', async (cell) => {
    const [row] = await read(`prediction,ground_truth,abstained\n,ill,${cell}\n`, 'csv');
    expect(row).toMatchObject({ state: 'abstained', prediction: null });
  });

  it('takes an empty prediction without a column for abstentions for an invalid answer', async () => {
    expect(await read('prediction,ground_truth\n,ill\n', 'csv')).toMatchObject([{ state: 'invalid' }]);
  });

  it.each([
    ['csv', 'prediction,ground_truth,should_abstain\nill,well,true\n'],
    ['jsonl', '{"prediction":"ill","ground_truth":"well","abstained":false,"should_abstain":true}'],
    ['jsonl', '{"prediction":"ill","groundTruth":"well","abstained":false,"shouldAbstain":true}'],
    [
      'jsonl',
      '{"prediction":"ill","ground_truth":"well","abstained":false,"should_abstain":true,"metadata":{"should_abstain":null}}',
    ],
  ])('counts a should_abstain beside the metadata (%s)', async (extension, text) => {
    expect((await read(text, extension))[0]!.metadata).toEqual({ should_abstain: true });
  });

  it.each(['zstd', 'snappy', 'gzip'])('reads Parquet (%s) as the same rows in JSONL', async (codec) => {
    const columns = { prediction: 'y_pred', ground_truth: 'y_true', confidence: 'prob' };
    const readAllRows = async (path: string) => {
      const rows: EvaluationResult[] = [];
      await readRows(`test/fixtures/answers/${path}`, (row) => rows.push(row), { columns });
      return rows;
    };
    const rows = await readAllRows(`${codec}.parquet`);
    expect(rows).toHaveLength(24);
    expect(rows).toEqual(await readAllRows('same.jsonl'));
  });

  it.each([
    ['a cell', 'prediction,ground_truth,confidence\n1,1,0.5\n1,1,high\n', 'FILE:3: confidence is "high"'],
    ['an abstention', 'prediction,ground_truth,abstained\n1,1,maybe\n', 'FILE:2: abstained is "maybe"'],
    ['a row with too few fields', 'prediction,ground_truth\n1\n', 'FILE:2: 1 field; expected 2'],
    ['a header alone', 'prediction,ground_truth\n', 'FILE: no rows'],
    ['two columns of one field', 'prediction,ground_truth,groundTruth\n1,1,1\n', 'are all ground_truth'],
  ])('says where %s is wrong', async (_, text, message) => {
    await expect(read(text, 'csv')).rejects.toThrow(message);
  });

  it('lists the columns found, and proposes which to take', async () => {
    const error = await read('case_id,y_pred,target,prob\n1,1,1,0.5\n', 'csv').catch((found) => found);
    expect(error).toMatchObject({
      code: 'ERR_ROW_COLUMNS',
      message:
        'FILE: no column for prediction and ground_truth; its columns are: case_id, y_pred, target, prob',
      value: { columns: { prediction: 'y_pred', ground_truth: 'target', confidence: 'prob', id: 'case_id' } },
    });
    const row = '{"y_pred":1,"y_true":1,"abstained":false}';
    await expect(read(row, 'jsonl')).rejects.toMatchObject({
      code: 'ERR_ROW_COLUMNS',
      value: { columns: { prediction: 'y_pred', ground_truth: 'y_true' } },
    });
  });

  it('refuses a stated column that is not there, and a field that rows do not have', async () => {
    const text = 'y_pred,y_true\n1,1\n';
    await expect(
      read(text, 'csv', { columns: { prediction: 'y_pred', ground_truth: 'truth' } }),
    ).rejects.toThrow('FILE: no column "truth"; its columns are: y_pred, y_true');
    await expect(read(text, 'csv', { columns: { predicton: 'y_pred' } })).rejects.toThrow(
      'Did you mean prediction?',
    );
  });

  it.each([
    ['a run file', Buffer.from('SQLite format 3\0 and so on'), 'is a run file'],
    ['a compressed file', Buffer.from([0x1f, 0x8b, 8, 0]), 'is compressed (gzip)'],
    ['a spreadsheet', Buffer.from('PK\x03\x04...'), 'save its table as CSV'],
    ['a damaged Parquet file', Buffer.from('PAR1 and so on'), 'cannot be read as Parquet'],
    ['an empty file', Buffer.from(''), 'FILE: no rows'],
  ])('says what %s is', async (_, bytes, message) => {
    for (const extension of ['csv', 'jsonl', 'txt'])
      await expect(read(bytes, extension)).rejects.toThrow(message);
  });

  it('reads whether a case is an emergency, and whether the model called it urgent', async () => {
    const text = 'prediction,ground_truth,must_act,urgent\n1,1,yes,no\n0,1,,\n0,0,0,TRUE\n';
    const rows = await read(text, 'csv');
    expect(rows.map(({ urgent, metadata }) => [metadata.must_act ?? null, urgent])).toEqual([
      [true, false],
      [null, null],
      [false, true],
    ]);
    const named = await read('prediction,ground_truth,emergency,flag\n1,1,1,y\n', 'csv', {
      columns: { must_act: 'emergency', urgent: 'flag' },
    });
    expect(named[0]).toMatchObject({ urgent: true, metadata: { must_act: true } });
    const json = { ...row, must_act: true, urgent: false };
    expect((await read(JSON.stringify([json])))[0]).toMatchObject({
      urgent: false,
      metadata: { must_act: true },
    });
    await expect(read('prediction,ground_truth,urgent\n1,1,soon\n', 'csv')).rejects.toThrow(
      'FILE:2: urgent is "soon"; expected yes or no',
    );
  });

  it('refuses a statement of urgency where labels mean to act', async () => {
    const text = 'prediction,ground_truth,urgent\nem,em,\nhome,em,no\n';
    await expect(read(text, 'csv', { actLabels: ['em'] })).rejects.toMatchObject({
      code: 'ERR_ACT_LABELS',
      message: expect.stringContaining(
        'FILE:3: urgent is false, and act labels are given (em); expected one of the two',
      ),
    });
    expect(await read(text, 'csv')).toHaveLength(2);
  });
});

describe('readRows of confidences', () => {
  it('refuses a file whose confidences are mostly above 1, and proposes their scale', async () => {
    const text = 'prediction,ground_truth,confidence\n1,1,90\n1,0,1\n0,0,75\n';
    await expect(read(text, 'csv')).rejects.toMatchObject({ code: 'ERR_CONFIDENCE_SCALE', value: 100 });
    expect(await read(text, 'csv', { confidenceScale: 100 })).toMatchObject([
      { confidence: 0.9 },
      { confidence: 0.01 },
      { confidence: 0.75 },
    ]);
  });
});
