import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EvaluationResult } from './evaluation-result.ts';
import { readRows } from './row-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row = { prediction: 1, ground_truth: 1, abstained: false, confidence: 0.9 };
let files = 0;

async function read(text: string, extension = 'json'): Promise<EvaluationResult[]> {
  const file = join(folder, `rows-${files++}.${extension}`);
  writeFileSync(file, text);
  const rows: EvaluationResult[] = [];
  await readRows(file, (r) => rows.push(r)).catch((error: Error) => {
    throw new Error(error.message.replace(file, 'FILE'));
  });
  return rows;
}

describe('readRows', () => {
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
  ])('says where %s stands', async (_, text, extension, message) => {
    await expect(read(text, extension)).rejects.toThrow(message);
  });

  it('says so when there is no such file, or it is a folder', async () => {
    await expect(readRows(join(folder, 'none.jsonl'), () => {})).rejects.toThrow('no such file');
    await expect(readRows(folder, () => {})).rejects.toThrow('is a folder');
  });
});
