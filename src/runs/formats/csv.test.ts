import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE, smallResult } from '../../../test/report-fixture.ts';
import { csvCell } from '../../reports/formats/csv-cell.ts';
import { csvChunks } from './csv.ts';

describe('csvCell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1', "'+49 30 1"],
    ['-', "'-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['＝1', "'＝1"],
    ['=a,b', '"\'=a,b"'],
  ])('makes no formula of %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it.each([
    [-0.5, '-0.5'],
    ['-12', '-12'],
    ['+1.5e-3', '+1.5e-3'],
    [1e-7, '1e-7'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [['a', 'b'], 'a; b'],
    [{ a: 1 }, '"{""a"":1}"'],
    ['two\nlines', '"two\nlines"'],
  ])('writes %j as it is', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('can be read back, but for the apostrophe', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (cells) => {
        const [read] = parse(`${['x', ...cells].map(csvCell).join(',')}\r\n`) as string[][];
        read!.slice(1).forEach((cell, i) => {
          expect([cells[i], `'${cells[i]}`]).toContain(cell);
          expect(cell).not.toMatch(/^[=@\t\r]|^[+-](?![\d.])/);
        });
      }),
    );
  });
});

describe('csvChunks', async () => {
  const report = await smallResult();
  const rows = parse([...csvChunks(report)].join(''), { columns: true }) as Record<string, string>[];

  it('has one line per row, with how it ended', () => {
    expect(rows).toHaveLength(24);
    expect(rows[0]).toMatchObject({
      id: 'r0',
      repeat: '0',
      ground_truth: 'no',
      prediction: 'no',
      state: 'abstained',
      abstained: 'true',
      should_abstain: 'true',
      should_abstain_reasons: 'a; b',
      ledger_class: 'abstained',
      total_tokens: '4',
    });
    expect(rows[5]).toMatchObject({ state: 'invalid', ledger_class: 'invalid', prediction: '' });
    expect(rows[8]).toMatchObject({ confidence: '' });
  });

  it('classes every row, and has the columns that the run was grouped by', () => {
    expect(rows[7]).toMatchObject({
      case_kind: 'must_act',
      decision_class: 'missed_emergency',
      must_act: 'true',
      urgent: '',
      near_line: '',
    });
    expect(rows[0]).not.toHaveProperty('ckd_stage');
    const gap = { metric: 'accuracy', groups: [], gap: null, worst_group: null, min_n: 30, n_without_key: 0 };
    const sites = [...report.rows()].map((row) => ({ ...row, metadata: { ...row.metadata, site: 'a' } }));
    const grouped = { ...report, rows: () => sites, groups: [{ ...gap, by: 'site' }] };
    const [first] = parse([...csvChunks(grouped)].join(''), { columns: true }) as Record<string, string>[];
    expect(first).toMatchObject({ site: 'a' });
  });

  it('derives emergencies from the labels that say to act, and states urgency nowhere else', () => {
    const unmarked = [...report.rows()].map((row) => ({ ...row, metadata: {} }));
    const byLabel = {
      ...report,
      rows: () => unmarked,
      card: { ...report.card, emergencyRule: 'label' as const },
      task: { ...report.task!, actLabels: ['no'] },
    };
    const acting = parse([...csvChunks(byLabel)].join(''), { columns: true }) as Record<string, string>[];
    expect(acting[3]).toMatchObject({ must_act: 'true', decision_class: 'missed_emergency' });
    expect(acting[3]).not.toHaveProperty('urgent');
  });

  it('keeps what a model said, and does not let it calculate', () => {
    expect(rows[1]!.raw_response).toBe(`'${HOSTILE}`);
  });

  it('is refused where there are no rows', () => {
    const imported = { format: 'python_metrics', source: 'old.json', sha256: '0', hasRows: false };
    expect(() => [...csvChunks({ ...report, imported })]).toThrow(
      expect.objectContaining({
        code: 'ERR_NO_ROWS',
        message: expect.stringContaining('old.json: was imported without rows'),
      }),
    );
  });
});
