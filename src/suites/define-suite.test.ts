import { describe, expect, it } from 'vitest';
import { KrisisError } from '../core/errors.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import { defineSuite, type SuiteDefinition } from './define-suite.ts';
import { draftTableSuite } from './draft-table-suite.ts';
import { suiteHash } from './suite-hash.ts';
import type { Task } from './task.ts';

const task: Task = {
  id: 'demo/yes-no',
  labels: ['yes', 'no'],
  positiveLabel: 'yes',
  ordered: false,
  defaultArm: 'natural',
  arms: { natural: { instructions: 'Answer yes or no.' }, told: { instructions: 'Say yes.' } },
  primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a demonstration' },
};
const yes: PatientRecord = { id: 'a', features: { x: 1 }, label: 'yes', metadata: {} };
const no: PatientRecord = { id: 'b', features: { x: null }, label: 'no', metadata: {} };
const createSuite = (records: unknown, more: Partial<SuiteDefinition> = {}) =>
  defineSuite({ name: 'demo/yes-no', task, load: () => records as PatientRecord[], ...more });

describe('defineSuite', () => {
  it('describes what the records hold', async () => {
    const unsure = { id: 'c', features: { x: 3 }, label: null, metadata: { should_abstain: true } };
    const suite = createSuite([yes, no, unsure], { training: () => [{ ...yes, id: 't' }] });
    expect(await suite.describe()).toMatchObject({
      name: 'demo/yes-no',
      task: 'demo/yes-no',
      domain: 'demo',
      sensitivity: 'protected',
      hash: suiteHash(task, await suite.load()),
      nRecords: 3,
      nTraining: 1,
      labels: [
        { name: 'yes', n: 1 },
        { name: 'no', n: 1 },
        { name: 'none (no answer follows)', n: 1 },
      ],
      missing: [{ name: 'x', n: 1 }],
      arms: ['natural', 'told'],
      primaryEndpoint: task.primaryEndpoint,
      settings: {},
      provenance: {},
      warnings: [],
    });
  });

  it('is protected unless it says otherwise', async () => {
    expect(createSuite([yes]).sensitivity).toBe('protected');
    const open = createSuite([yes], { sensitivity: 'public' });
    expect([open.sensitivity, (await open.describe()).sensitivity]).toEqual(['public', 'public']);
  });

  it('loads once, however often it is asked', async () => {
    let loads = 0;
    const suite = createSuite([], { load: () => [{ ...yes, id: `load ${++loads}` }] });
    await suite.describe();
    expect((await suite.load())[0]!.id).toBe('load 1');
    expect(loads).toBe(1);
  });

  it('hands on why loading failed, as a rejection', async () => {
    const suite = createSuite([], {
      load: () => {
        throw new Error('the disk is gone');
      },
    });
    await expect(suite.load()).rejects.toThrow('the disk is gone');
  });

  it('gives records without metadata an empty one', async () => {
    expect(await createSuite([{ id: 'a', features: {}, label: 'no' }]).load()).toEqual([
      { id: 'a', features: {}, label: 'no', metadata: {} },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no list', { yes }, 'suite demo/yes-no: expected a list of records'],
    ['an id twice', [yes, no, yes], 'record 3: an earlier record has the id "a"'],
    ['an empty id', [{ ...yes, id: '' }], 'record 1: id:'],
    ['no features', [yes, { id: 'b', label: 'no', metadata: {} }], 'record 2: features:'],
    ['a feature that is not a number', [{ ...yes, features: { x: Number.NaN } }], 'record 1: features.x:'],
    [
      'an unknown label',
      [yes, { ...no, label: 'maybe' }],
      '(b): label "maybe" is not among the labels: yes, no',
    ],
    ['no label', [{ ...yes, label: null }], '(a): no label'],
    [
      'no label on a must-answer case',
      [{ ...yes, label: null, metadata: { should_abstain: false } }],
      'no label',
    ],
    [
      'an emergency that must be deferred',
      [no, { ...yes, label: null, metadata: { should_abstain: true, must_act: true } }],
      'record 2 (a): metadata.must_act and metadata.should_abstain are both true',
    ],
  ])('refuses records with %s', async (_, records, message) => {
    await expect(createSuite(records).load()).rejects.toMatchObject({ code: 'ERR_SUITE_DEFINITION' });
    await expect(createSuite(records).load()).rejects.toThrow(KrisisError);
    await expect(createSuite(records).load()).rejects.toThrow(message);
    const training = createSuite([yes], { training: () => records as PatientRecord[] });
    await expect(training.training!()).rejects.toThrow(message);
  });

  it('takes an emergency without a label, where nothing says that deferring is right', async () => {
    const metadata = { should_abstain: null, must_act: true };
    await expect(createSuite([{ ...yes, label: null, metadata }]).load()).resolves.toHaveLength(1);
  });

  it.each<[string, Partial<Task>, string]>([
    ['one label', { labels: ['yes'] }, 'at least two labels'],
    ['two labels that are one', { labels: ['yes', 'no', 'Yes '] }, 'two labels are the same: yes, no, Yes '],
    [
      'an unknown positive label',
      { positiveLabel: 'ja' },
      'positive label "ja" is not among the labels: yes, no',
    ],
    ['an unknown default arm', { defaultArm: 'bare' }, 'arm "bare" is not among the arms: natural, told'],
    [
      'an endpoint in an unknown arm',
      { primaryEndpoint: { metric: 'accuracy', arm: 'toString', why: '' } },
      'arm "toString" is not among the arms',
    ],
  ])('refuses a task with %s, at once', (_, change, message) => {
    expect(() => createSuite([yes], { task: { ...task, ...change } })).toThrow(`task demo/yes-no: `);
    expect(() => createSuite([yes], { task: { ...task, ...change } })).toThrow(message);
  });

  it('takes a label in another spelling for the same one', async () => {
    const { labels } = await createSuite([yes, { ...no, label: 'YES' }]).describe();
    expect(labels).toEqual([{ name: 'yes', n: 2 }]);
  });
});

it('asks for the column of a table that has the right answers', async () => {
  await expect(draftTableSuite('examples/table-suite/sodium.csv', { label: undefined })).rejects.toThrow(
    expect.objectContaining({ code: 'ERR_LABEL_COLUMN' }),
  );
});

it('needs a name, labels, instructions and load, and says where the suite is that lacks them', () => {
  const load = () => [{ features: { age: 61 }, label: 'yes' }];
  const whole = { name: 'demo/small', labels: ['yes', 'no'], instructions: 'Yes or no?', load };
  expect(defineSuite(whole).task).toMatchObject({ id: 'demo/small', defaultArm: 'natural', ordered: false });
  const without = (key: keyof typeof whole) => () => defineSuite({ ...whole, [key]: undefined } as never);
  expect(without('load')).toThrow(/^suite demo\/small.*: load is missing; expected a function/);
  expect(without('labels')).toThrow(/what is asked is missing; expected labels \(a list\) and instructions/);
  expect(without('name')).toThrow(/name is missing/);
  expect(() => defineSuite({ ...whole, positive_label: 'yes' } as never)).toThrow(
    'unknown key "positive_label"; did you mean positiveLabel?',
  );
});
