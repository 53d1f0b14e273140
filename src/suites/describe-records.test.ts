import { describe, expect, it } from 'vitest';
import type { Label } from '../core/label.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import { describeRecords } from './describe-records.ts';

const record = (
  label: Label | null,
  metadata: PatientRecord['metadata'] = {},
  features: PatientRecord['features'] = {},
): PatientRecord => ({ id: 'any', features, label, metadata });

const counted = (records: Iterable<PatientRecord>, labels: readonly Label[]) =>
  describeRecords(records, labels, { key: 'ckd_stage', label: 'stage' });

describe('describeRecords', () => {
  it('counts labels in the order of the label space, rows without one last', () => {
    const records = [null, 5, '3a', 5, 1, 5, null, null, null].map((label) => record(label));
    expect(counted(records, [1, 2, '3a', '3b', 4, 5]).labels).toEqual([
      { name: '1', n: 1 },
      { name: '3a', n: 1 },
      { name: '5', n: 3 },
      { name: 'none (no answer follows)', n: 4 },
    ]);
  });

  it.each<[readonly Label[], readonly Label[], string[]]>([
    [
      [true, false],
      [false, false, true],
      ['true', 'false'],
    ],
    [
      [0.5, 1.5],
      [1.5, 1.5, 0.5],
      ['0.5', '1.5'],
    ],
    [
      ['Present', 'absent'],
      ['absent', 'ABSENT', 'present'],
      ['Present', 'absent'],
    ],
  ])('names the labels %j as the task does', (labels, given, names) => {
    const { labels: counts } = counted(
      given.map((label) => record(label)),
      labels,
    );
    expect(counts.map(({ name, n }) => [name, n])).toEqual([
      [names[0], 1],
      [names[1], 2],
    ]);
  });

  it('distinguishes must defer, must answer and unlabelled; a row may have several reasons', () => {
    const { deferral } = counted(
      [
        record('x', { should_abstain: true, should_abstain_reasons: ['b', 'a'] }),
        record('x', { should_abstain: true, should_abstain_reasons: ['b'] }),
        record('x', { should_abstain: false, should_abstain_reasons: [] }),
        // Where silence would be unsafe a reason leaves the row unlabelled: it is not counted as one to defer.
        record('x', { should_abstain: null, should_abstain_reasons: ['c'] }),
        record('x'),
      ],
      ['x'],
    );
    expect(deferral).toEqual({
      mustDefer: 2,
      mustAnswer: 1,
      unlabelled: 2,
      reasons: [
        { name: 'b', n: 2 },
        { name: 'a', n: 1 },
      ],
    });
  });

  it('counts origins, must-act marks with their reasons, and the stratum', () => {
    const described = counted(
      [
        record('x', {
          origin: 'uci',
          ckd_stage: 5,
          must_act: true,
          must_act_reasons: ['egfr_below_10', 'potassium'],
        }),
        record('x', { origin: 'uci_synthetic', ckd_stage: 2, must_act: false, must_act_reasons: [] }),
        record('x', { origin: 'uci', ckd_stage: null, must_act: null, must_act_reasons: ['egfr_below_10'] }),
        record('x', { origin: 'uci', ckd_stage: 5 }),
      ],
      ['x'],
    );
    expect(described.origins).toEqual([
      { name: 'uci', n: 3 },
      { name: 'uci_synthetic', n: 1 },
    ]);
    expect(described.mustAct).toEqual({
      emergencies: 1,
      none: 1,
      open: 2,
      reasons: [
        { name: 'egfr_below_10', n: 1 },
        { name: 'potassium', n: 1 },
      ],
      openReasons: [{ name: 'egfr_below_10', n: 1 }],
    });
    expect(described.strata).toEqual([
      { name: 'stage 2', n: 1 },
      { name: 'stage 5', n: 2 },
      { name: 'stage none', n: 1 },
    ]);
  });

  it('counts null features, commonest first, and not 0, false or absent ones', () => {
    const { missing, nRecords } = counted(
      [
        record('x', {}, { a: null, b: null, c: 0 }),
        record('x', {}, { a: '', b: null, c: false }),
        record('x', {}, { a: 1, c: 1 }),
      ],
      ['x'],
    );
    expect(nRecords).toBe(3);
    expect(missing).toEqual([
      { name: 'b', n: 2 },
      { name: 'a', n: 1 },
    ]);
  });

  it('reads a stream once', () => {
    function* stream() {
      for (const label of ['x', 'y', 'x']) yield record(label);
    }
    expect(counted(stream(), ['y', 'x'])).toMatchObject({
      nRecords: 3,
      labels: [
        { name: 'y', n: 1 },
        { name: 'x', n: 2 },
      ],
    });
  });

  it('describes no records', () => {
    expect(counted([], ['x'])).toEqual({
      nRecords: 0,
      labels: [],
      origins: [],
      deferral: { mustDefer: 0, mustAnswer: 0, unlabelled: 0, reasons: [] },
      mustAct: { emergencies: 0, none: 0, open: 0, reasons: [], openReasons: [] },
      missing: [],
      strata: [],
    });
  });
});
