import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRun } from '../../../test/viewer-fixture.ts';
import {
  CASE_KINDS,
  caseKind,
  DECISION_CLASSES,
  decisionClass,
  decisionFacts,
} from '../../core/decision-class.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { ledgerClass } from '../../core/ledger.ts';
import { readRun } from '../../runs/read-run.ts';
import { RunFile } from '../run-file.ts';
import { queryFacets, queryRecords } from './query-records.ts';
import {
  countFacets,
  filterRecords,
  labelTextKey,
  matches,
  type RecordFilter,
  SORT_KEYS,
} from './record-filter.ts';
import { indexRecords, type RecordIndex } from './record-index.ts';
import { type RecordLine, recordLines } from './record-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-viewer-'));
const path = join(folder, 'run.db');
let lines: readonly RecordLine[];
let index: RecordIndex;

beforeAll(async () => {
  await writeRun(path, { n: 150, asksUrgency: true });
  const file = RunFile.read(path);
  index = indexRecords(file.rows.read({ all: true, nRepeats: 2 }), {
    stratum: { key: 'ckd_stage', label: 'stage' },
  });
  file.close();
  lines = index.lines.map((text) => JSON.parse(text));
});
afterAll(() => {
  index.close();
  rmSync(folder, { recursive: true });
});

const some = (...values: string[]) => fc.subarray(values);
const everyFilter = {
  outcome: some(
    'answered_correct',
    'answered_wrong',
    'abstained',
    'invalid',
    'refused',
    'failed_timeout',
    'not_run',
    'x',
  ),
  decision_class: some(...DECISION_CLASSES, 'null'),
  case_kind: some(...CASE_KINDS),
  must_act: some('true', 'false', 'null'),
  urgent: some('true', 'false', 'null'),
  label: some('yes', 'NO', 'null', 'other'),
  prediction: some(' Yes', 'no', 'null'),
  confidence_from: fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((i) => i / 20),
    fc.double({ min: -1, max: 2, noNaN: true }),
  ),
  confidence_to: fc.oneof(
    fc.integer({ min: 0, max: 20 }).map((i) => i / 20),
    fc.double({ min: -1, max: 2, noNaN: true }),
  ),
  stratum: some('1', '2', 'none'),
  reason: some('near_threshold', 'Ä%_1', "it's"),
  group: some('sex:female', 'sex:male', 'site:site 1', 'site:site 2', 'site:'),
  should_abstain: some('true', 'false', 'null'),
  repeat: fc.nat(2),
  usable: fc.boolean(),
  scored: fc.boolean(),
  text: fc.constantFrom('', 'R1', '%', '_', 'ä%_1', 'SCRIPT', "'", '\\', '\u0000', '\ud800', 'yes'),
  flips: fc.constant('other:only_a'),
  sort: fc.constantFrom(...SORT_KEYS.flatMap((key) => [key, `-${key}`])),
  offset: fc.nat(50),
  limit: fc.integer({ min: 1, max: 400 }),
};

/** A few conditions at a time: with more, hardly any row would match. */
const filters: fc.Arbitrary<RecordFilter> = fc
  .tuple(fc.record(everyFilter), fc.subarray(Object.keys(everyFilter), { maxLength: 4 }))
  .map(([whole, keys]) => Object.fromEntries(Object.entries(whole).filter(([key]) => keys.includes(key))));

describe('filterRecords', () => {
  it('returns the same page as the SQL of the server', () => {
    let nFound = 0;
    fc.assert(
      fc.property(filters, fc.subarray(['r1', 'r2', 'r3', 'r10', 'r77']), (filter, ids) => {
        const here = filterRecords(lines, filter, new Set(ids));
        const there = queryRecords(index, filter, { flipIds: ids });
        nFound += here.rows.length;
        expect(there.total).toBe(here.total);
        expect(there.rows.map((text) => JSON.parse(text))).toEqual(here.rows);
      }),
      { numRuns: 500 },
    );
    expect(nFound).toBeGreaterThan(1000);
  });

  it('counts the same values as the SQL of the server', () => {
    fc.assert(
      fc.property(filters, fc.subarray(['r1', 'r2', 'r3', 'r10', 'r77']), (filter, ids) => {
        const there = queryFacets(index, filter, { flipIds: ids });
        expect(there).toEqual(countFacets(lines, filter, new Set(ids)));
      }),
      { numRuns: 60 },
    );
  });

  it('sorts numbers in names by size, and puts rows without a value last in both directions', () => {
    const first = (sort: string) => filterRecords(lines, { sort, limit: 300, repeat: 0 }).rows;
    expect(
      first('id')
        .slice(0, 3)
        .map(({ id }) => id),
    ).toEqual(['r0', 'r1', 'r2']);
    for (const sort of ['confidence', '-confidence']) {
      expect(first(sort)[0]!.confidence).not.toBeNull();
      expect(first(sort).at(-1)!.confidence).toBeNull();
    }
  });

  it('sorts by harm: the worst class first, the surest first within it, rows not asked last', () => {
    const { rows } = filterRecords(lines, { sort: 'harm', limit: 300 });
    const ranks = rows.map(({ decision_class: name }) =>
      name === null ? DECISION_CLASSES.length : DECISION_CLASSES.indexOf(name),
    );
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect([ranks[0], ranks.at(-1)]).toEqual([0, DECISION_CLASSES.length]);
    for (const name of DECISION_CLASSES) {
      const sure = rows.flatMap(({ decision_class, confidence }) =>
        decision_class === name ? (confidence ?? -1) : [],
      );
      expect(sure).toEqual(sure.toSorted((a, b) => b - a));
    }
  });

  it('finds exactly the rows that the rates of missed emergencies and false alarms count', () => {
    const report = readRun(path, { resamples: 0 });
    const counted = (name: string) =>
      report.metricScores.find((score) => score.name === name)!.nSuccesses as number;
    const count = (filter: RecordFilter) => lines.filter((line) => matches(line, filter)).length;
    const [missed, alarms] = [counted('missed_emergency_rate'), counted('false_alarm_rate')];
    report.close();
    expect([missed > 0, alarms > 0]).toEqual([true, true]);
    expect(count({ decision_class: ['missed_emergency'] })).toBe(missed);
    expect(count({ must_act: ['false'], urgent: ['true'], scored: true })).toBe(alarms);
  });

  it('finds exactly the rows that each mark of a chart counts', () => {
    const report = readRun(path, { resamples: 0 });
    const { reliability, confidence, confusion } = report.figures!;
    report.close();
    const count = (filter: RecordFilter) => lines.filter((line) => matches(line, filter)).length;
    for (const { low, high, count: n } of reliability)
      expect(count({ usable: true, confidence_from: low, confidence_to: high })).toBe(n);
    for (const { low, high, right, wrong } of confidence)
      expect([
        count({ usable: true, outcome: ['answered_correct'], confidence_from: low, confidence_to: high }),
        count({ usable: true, outcome: ['answered_wrong'], confidence_from: low, confidence_to: high }),
      ]).toEqual([right, wrong]);
    for (const [t, truth] of confusion.truths.entries())
      for (const [a, answer] of confusion.answers.entries()) {
        const said: RecordFilter =
          answer === 'abstained'
            ? { outcome: ['abstained'] }
            : answer === 'invalid'
              ? { outcome: ['invalid', 'refused'] }
              : { outcome: ['answered_correct', 'answered_wrong', 'answered'], prediction: [answer] };
        expect(count({ ...said, label: [truth] })).toBe(confusion.counts[t]![a]);
      }
  });
});

describe('recordLines', () => {
  it('puts every row into the class of the ledger', () => {
    const file = RunFile.read(path);
    const rows = [...file.rows.read({ all: true, nRepeats: 2 })];
    file.close();
    expect(lines.map(({ outcome }) => outcome)).toEqual(rows.map((row) => ledgerClass(row)));
    expect(new Set(lines.map(({ outcome }) => outcome)).size).toBe(8);
  });

  it('has the class and the kind of every row, by the rule of the run', () => {
    const file = RunFile.read(path);
    const rows = [...file.rows.read({ all: true, nRepeats: 2 })];
    file.close();
    expect(lines.map((line) => [line.case_kind, line.decision_class])).toEqual(
      rows.map((row) => {
        const facts = decisionFacts(row);
        return [caseKind(facts), row.state === 'not_run' ? null : decisionClass(facts, 'urgency')];
      }),
    );
    expect(new Set(lines.map(({ decision_class }) => decision_class))).toEqual(
      new Set([...DECISION_CLASSES, null]),
    );
  });

  it('takes silence for a missed emergency where urgency was not asked', () => {
    const silent = { groundTruth: 'yes', abstained: true, id: 'a', metadata: { must_act: true } };
    const stratum = { key: 'none', label: 'none' };
    const classifyLine = (options: object) =>
      recordLines([{ ...evaluationResult(silent), repeat: 0 }], { stratum, ...options }).lines[0];
    expect(classifyLine({})).toMatchObject({ decision_class: 'missed_emergency', urgent: null });
    const urgent = { ...evaluationResult({ ...silent, urgent: true }), repeat: 0 };
    expect(recordLines([urgent], { stratum }).lines[0]).toMatchObject({
      decision_class: 'deferred_either',
      urgent: true,
    });
    expect(classifyLine({ actLabels: ['yes'] })).toMatchObject({
      decision_class: 'missed_emergency',
      must_act: true,
      urgent: false,
    });
  });

  it('groups by keys with few values only', () => {
    expect([...index.subgroups.keys()].sort()).toEqual(['__proto', 'ckd_stage', 'must_act', 'sex', 'site']);
    expect(lines[1]!.groups).toEqual({
      __proto: 'x',
      ckd_stage: '2',
      must_act: 'true',
      sex: 'male',
      site: 'site 1',
    });
  });
});

describe('labelTextKey', () => {
  it('compares texts as labels are compared', () => {
    expect([' Yes ', '02', 'TRUE', null].map(labelTextKey)).toEqual(['yes', '2', '1', 'null']);
  });
});
