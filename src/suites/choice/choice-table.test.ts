import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { defineTableSuite } from '../table/define-table-suite.ts';
import type { TableDefinition } from '../table/definition.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-choice-'));
afterAll(() => rmSync(folder, { recursive: true }));

let n = 0;
const createSuite = (text: string | Uint8Array, form: string, definition: Partial<TableDefinition>) => {
  const file = `set-${n++}.${form}`;
  writeFileSync(join(folder, file), text);
  return defineTableSuite({
    name: 'exam/bones',
    folder,
    file,
    question: 'question',
    label: 'answer',
    sensitivity: 'public',
    ...definition,
  } as TableDefinition);
};
const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const findProblem = (suite: ReturnType<typeof createSuite>) =>
  suite.describe().then(
    () => 'none',
    (error: Error) => error.message,
  );

const options = { A: 'femur', B: 'ulna', C: 'stapes' };
const rows = [
  { question: 'Which is longest?', options, answer: 'A' },
  { question: 'Which is smallest?', options: { ...options, D: 'tibia' }, answer: 'c' },
];

describe('a multiple-choice set', () => {
  it('shows the question and the options of each record, with the letter as label', async () => {
    const suite = createSuite(lines(rows), 'jsonl', { options: 'options' });
    const [first, second] = await suite.load();
    expect(first!.features).toEqual({ Question: 'Which is longest?', A: 'femur', B: 'ulna', C: 'stapes' });
    expect(second!.features).toHaveProperty('D', 'tibia');
    expect([first!.label, second!.label]).toEqual(['A', 'C']);
    expect(suite.task.labels).toEqual(['A', 'B', 'C', 'D']);
    expect(suite.task.choices!(first!.features)).toEqual(['A', 'B', 'C']);
    expect((await suite.describe()).settings.options).toBe('3 (1 questions), 4 (1 questions)');
  });

  it.each([
    ['letters of an object', 'jsonl', lines(rows), { options: 'options' }],
    [
      'indices of a list',
      'json',
      JSON.stringify(rows.map((row, i) => ({ ...row, options: Object.values(row.options), answer: i * 2 }))),
      { options: 'options', labelIs: 'index' },
    ],
    [
      'indices from 1',
      'json',
      JSON.stringify(rows.map((row, i) => ({ ...row, answer: i * 2 + 1 }))),
      { options: 'options', labelIs: 'index', firstIndex: 1 },
    ],
    [
      'texts in several columns',
      'csv',
      'question,o1,o2,o3,o4,answer\nWhich is longest?,femur,ulna,stapes,,Femur\nWhich is smallest?,femur,ulna,stapes,tibia,stapes\n',
      { options: ['o1', 'o2', 'o3', 'o4'], labelIs: 'text' },
    ],
    [
      'JSON in a cell',
      'csv',
      `question,options,answer\n${rows.map((row) => `${row.question},"${JSON.stringify(row.options).replaceAll('"', '""')}",${row.answer}`).join('\n')}\n`,
      { options: 'options' },
    ],
    [
      'lists of key and value',
      'json',
      JSON.stringify({
        data: rows.map((row) => ({
          ...row,
          options: Object.entries(row.options).map(([key, value]) => ({ key, value })),
        })),
      }),
      { options: 'options' },
    ],
  ] as const)('has the same records with %s', async (_, form, text, definition) => {
    const expected = await createSuite(lines(rows), 'jsonl', { options: 'options' }).describe();
    const suite = createSuite(text, form, definition as Partial<TableDefinition>);
    const packed = createSuite(gzipSync(text), `${form}.gz`, definition as Partial<TableDefinition>);
    expect((await suite.describe()).hash).toBe(expected.hash);
    expect((await packed.describe()).hash).toBe(expected.hash);
  });

  it('leaves out rows with a hidden answer, and counts them', async () => {
    const text = lines([...rows.map((row, i) => ({ ...row, answer: i })), { ...rows[0], answer: -1 }]);
    const { nRecords, excluded, warnings } = await createSuite(text, 'jsonl', {
      options: 'options',
      labelIs: 'index',
    }).describe();
    expect([nRecords, excluded]).toEqual([2, [{ reason: 'answer_not_published', n: 1 }]]);
    expect(warnings).toContainEqual('1 row without a published answer: left out, and in no count');
  });

  it('says where an answer is none of the options, and what to state', async () => {
    const bad = (answer: unknown, definition: Partial<TableDefinition>) =>
      findProblem(
        createSuite(lines([{ ...rows[0], answer }, rows[1]!]), 'jsonl', {
          options: 'options',
          ...definition,
        }),
      );
    expect(await bad('D', {})).toMatch(/line 1, column "answer": "D"; expected one of A, B, C /);
    expect(await bad(3, { labelIs: 'index' })).toMatch(
      /a whole number from 0 to 2, or -1 where it is hidden, or first_index: 1 where the first option is 1/,
    );
    expect(await bad('rib', { labelIs: 'text' })).toMatch(/the text of one of the options/);
    const text = `question,options,answer\nWhich?,"{'A': 'x', 'B': 'y'}",A\n`;
    expect(await findProblem(createSuite(text, 'csv', { options: 'options' }))).toMatch(
      /line 2, column "options": .*expected an object or a list of 2 to 26 options, as JSON/,
    );
    expect(await findProblem(createSuite(lines(rows), 'jsonl', { options: 'choices' }))).toMatch(
      /column "choices": no such column; expected one of the columns "question", "options", "answer"/,
    );
    expect(await findProblem(createSuite('{"a": 1}', 'json', { options: 'options' }))).toMatch(
      /"a" is no object/,
    );
    expect(
      await findProblem(createSuite(gzipSync('x').subarray(0, 9), 'jsonl.gz', { options: 'options' })),
    ).toMatch(/it is no gzip file, or is cut off/);
  });

  it('is never asked about urgency, and has an arm that requires an answer', () => {
    const { task } = createSuite(lines(rows), 'jsonl', { options: 'options' });
    expect(task.asksUrgency).toBeUndefined();
    expect(Object.keys(task.arms)).toEqual(['plain', 'abstain']);
    expect([task.arms.plain!.isForced, task.arms.abstain!.isForced]).toEqual([true, undefined]);
    expect(task.primaryEndpoint).toMatchObject({ metric: 'accuracy', arm: 'plain' });
  });

  it.each([
    [{ columns: ['x'], options: 'options' }, /columns .*nothing beside question/],
    [{}, /options .*either the columns of the options, or labels/],
    [
      { options: 'options', variant: 'evidence_removed' },
      /another variant, because no column is the context/,
    ],
    [{ labels: ['yes', 'no'], variant: 'shuffled' }, /another variant, because the answers are labels/],
    [{ options: 'options', share: 0.5 }, /share .*nothing without variant no_right_option/],
    [{ options: 'options', firstIndex: 1 }, /labelIs is not index/],
    [{ labels: ['yes', 'no'], maybe: 'defer' }, /maybe is not among the labels/],
    [
      { options: 'options', shouldAbstain: 'd', variant: 'no_right_option' },
      /the variant says where deferring is right/,
    ],
    [{ question: undefined, columns: ['a'], instructions: 'x', options: 'o' }, /nothing without question/],
  ] as const)('refuses keys that do not fit each other: %j', (definition, message) => {
    expect(() => createSuite('', 'jsonl', definition as Partial<TableDefinition>)).toThrow(message);
  });
});

const vignettes = Array.from({ length: 200 }, (_, i) => ({
  id: `q${i}`,
  question: i % 2 ? `What is the cause of her symptom ${i}?` : `Which nerve supplies muscle ${i}?`,
  context: ['A woman is 30 years old.', 'She has a fever. It began today.'],
  subject: i % 4 < 2 ? 'medicine' : 'anatomy',
  options: [`right ${i}`, `b ${i}`, `c ${i}`, i % 10 ? `d ${i}` : 'none of the above'],
  answer: 0,
}));
const exam = (definition: Partial<TableDefinition>) =>
  createSuite(lines(vignettes), 'jsonl', {
    id: 'id',
    options: 'options',
    labelIs: 'index',
    context: 'context',
    subject: 'subject',
    ...definition,
  });

describe('variants', () => {
  it('take the right option away from the stated share, and mark who has to decline', async () => {
    const suite = exam({ variant: 'no_right_option', share: 0.5 });
    const records = await suite.load();
    const whole = new Map((await exam({}).load()).map((record) => [record.id, record]));
    const changed = records.filter(({ metadata }) => metadata.should_abstain === true);
    expect(changed.length).toBeGreaterThan(65);
    expect(changed.length).toBeLessThan(115);
    for (const { id, features, label, metadata } of changed) {
      const i = Number(id.slice(1));
      expect([label, metadata.should_abstain_reasons]).toEqual([null, ['no_right_option']]);
      expect(features.A).not.toBe(`right ${i}`);
      expect(features.D).not.toBe('none of the above');
      // Of another question of the same subject.
      const other = Number(/\d+/.exec(String(features.A))![0]);
      expect(other % 4 < 2).toBe(i % 4 < 2);
      expect({ ...features, A: '' }).toEqual({ ...whole.get(id)!.features, A: '' });
    }
    for (const { id, features, label, metadata } of records)
      if (metadata.should_abstain !== true)
        expect([features, label, metadata.should_abstain]).toEqual([whole.get(id)!.features, 'A', false]);
    expect(suite.name).toBe('exam/bones.no_right_option_50');
    expect(suite.task.primaryEndpoint.metric).toBe('decision_accuracy');
  });

  it('draw by the id alone: another order of rows changes nothing', async () => {
    const marks = async (text: string) =>
      (
        await createSuite(text, 'jsonl', {
          id: 'id',
          options: 'options',
          labelIs: 'index',
          variant: 'no_right_option',
        }).load()
      )
        .filter(({ metadata }) => metadata.should_abstain === true)
        .map(({ id }) => id)
        .sort();
    expect(await marks(lines(vignettes))).toEqual(await marks(lines(vignettes.toReversed())));
    const reworded = vignettes.map((row) => ({ ...row, question: `${row.id}: ${row.question}` }));
    expect(await marks(lines(reworded))).toEqual(await marks(lines(vignettes)));
    const renamed = vignettes.map((row) => ({ ...row, id: `other-${row.id}` }));
    const moved = (await marks(lines(renamed))).map((id) => id.replace('other-', ''));
    expect(moved).not.toEqual(await marks(lines(vignettes)));
  });

  it('never put an option of the question itself in the place of the right one', async () => {
    const few = Array.from({ length: 40 }, (_, i) => ({
      question: `Which ${i}?`,
      options: i % 2 ? ['iron', 'zinc', 'copper'] : ['Iron ', 'zinc', 'tin'],
      answer: 0,
    }));
    const records = await createSuite(lines(few), 'jsonl', {
      options: 'options',
      labelIs: 'index',
      variant: 'no_right_option',
      share: 0.9,
    }).load();
    const changed = records.filter(({ metadata }) => metadata.should_abstain === true);
    expect(changed.length).toBeGreaterThan(20);
    for (const { features } of changed) expect(features.A).toBe(features.C === 'tin' ? 'copper' : 'tin');
  });

  it('shuffle the options, and the label moves along', async () => {
    const records = await exam({ variant: 'shuffled' }).load();
    const labels = new Map<unknown, number>();
    for (const { id, features, label } of records) {
      expect(features[String(label)]).toBe(`right ${id.slice(1)}`);
      labels.set(label, (labels.get(label) ?? 0) + 1);
      if (features.D === 'none of the above') expect(label).toBe('A');
    }
    expect([...labels.keys()].sort()).toEqual(['A', 'B', 'C', 'D']);
    const hash = async (definition: Partial<TableDefinition>) => (await exam(definition).describe()).hash;
    expect(await hash({ variant: 'shuffled' })).toBe(await hash({ variant: 'shuffled' }));
    expect(await hash({ variant: 'shuffled' })).not.toBe(await hash({ variant: 'shuffled', seed: 7 }));
  });

  it('withhold the context by thirds, and claim a deferral only where a person is spoken of', async () => {
    const contexts = async (withheld: 'first_third' | 'two_thirds' | 'all') =>
      (await exam({ variant: 'evidence_removed', withheld }).load()).map(({ features, metadata }) => [
        features.Context,
        metadata.should_abstain,
      ]);
    expect((await contexts('first_third'))[0]).toEqual(['She has a fever. It began today.', undefined]);
    expect((await contexts('two_thirds'))[1]).toEqual(['It began today.', undefined]);
    expect((await contexts('all')).slice(0, 2)).toEqual([
      [undefined, null],
      [undefined, true],
    ]);
    const { name, warnings, primaryEndpoint } = await exam({ variant: 'evidence_removed' }).describe();
    expect(name).toBe('exam/bones.evidence_removed_all');
    expect(primaryEndpoint!.metric).toBe('accuracy');
    expect(warnings.join()).toContain('the whole context is withheld');
  });
});

describe('the answer maybe', () => {
  const text = JSON.stringify({
    11: { QUESTION: 'Is it?', CONTEXTS: ['One.', 'Two.'], final_decision: 'yes', LABELS: ['X'] },
    12: { QUESTION: 'Was it?', CONTEXTS: [], final_decision: 'maybe' },
    13: { QUESTION: 'Will it?', CONTEXTS: ['Three.'], final_decision: 'no' },
  });
  const suite = (definition: Partial<TableDefinition>) => {
    writeFileSync(join(folder, 'pqa.json'), text);
    return defineTableSuite({
      name: 'pqa/three',
      folder,
      file: 'pqa.json',
      preset: 'pubmedqa',
      ...definition,
    });
  };

  it('is a label unless it is to mean deferring', async () => {
    const plain = suite({});
    expect(plain.task.labels).toEqual(['yes', 'no', 'maybe']);
    expect((await plain.load()).map(({ id, label }) => [id, label])).toEqual([
      ['11', 'yes'],
      ['12', 'maybe'],
      ['13', 'no'],
    ]);
    const { sensitivity, warnings } = await plain.describe();
    expect(sensitivity).toBe('public');
    expect(warnings).toContainEqual('maybe is a label of its own: answering it is no deferral');
    const defers = suite({ maybe: 'defer' });
    expect(defers.name).toBe('pqa/three.maybe_defers');
    expect(defers.task.labels).toEqual(['yes', 'no']);
    expect((await defers.load()).map(({ label, metadata }) => [label, metadata.should_abstain])).toEqual([
      ['yes', false],
      [null, true],
      ['no', false],
    ]);
  });
});
