import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchResponseSchema, responseSchema } from '../../suites/task.ts';
import { parseBatch, parseSingle } from './parse-reply.ts';

const task = { labels: [1, 2, 'present', 'a "quoted" {one}'] };
const good = { prediction: 'present', abstained: false, confidence: 0.7 };
const deferred = { prediction: null, abstained: true, confidence: null };
const json = JSON.stringify;
const as = (id: string, answer: object = good) => ({ id, ...answer });

const anyAnswer = fc.oneof(
  fc.record({
    prediction: fc.constantFrom(...task.labels),
    abstained: fc.constant(false),
    confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x + 0)),
  }),
  fc.constant(deferred),
);
const wrappings = [
  (text: string) => `\`\`\`json\n${text}\n\`\`\``,
  (text: string) =>
    `After reading the case, [45, 60) in mind, I answer:\n\n${text}\n\nThat is the doctor's view.`,
  (text: string) => `<think>Perhaps {"prediction": 2, "abstained": false}? No.</think>\n${text}`,
  (text: string) => `<thinking>It isn't clear. ${text}`,
  (text: string) => `My draft was {"prediction": 1, "abstained": true}, but:\n${text}`,
];

describe('parseSingle', () => {
  it('reads any valid answer back as it was', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        expect(parseSingle(json(answer), task)).toEqual({ ok: true, value: answer, repaired: false });
      }),
    );
  });

  it('reads it in fences, prose and tags, and says so', () => {
    fc.assert(
      fc.property(anyAnswer, fc.constantFrom(...wrappings), (answer, wrap) => {
        expect(parseSingle(wrap(json(answer)), task)).toEqual({ ok: true, value: answer, repaired: true });
      }),
    );
  });

  it('never reads an answer that was cut off', () => {
    fc.assert(
      fc.property(anyAnswer, fc.boolean(), fc.nat(), (answer, listed, seed) => {
        const text = json(listed ? { results: [answer] } : answer);
        expect(parseSingle(text.slice(0, seed % text.length), task)).toMatchObject({ ok: false });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseSingle(text, task).ok).toBeTypeOf('boolean');
        expect(parseBatch(text, task, ['case_1']).ok).toBeTypeOf('boolean');
      }),
    );
  });

  it.each([
    ['an object with results', json({ results: [as('case_1')] })],
    ['a list of one', json([good])],
  ])('takes %s as repaired', (_, text) => {
    expect(parseSingle(text, task)).toEqual({ ok: true, value: good, repaired: true });
  });

  it.each([
    ['several_answers', json([good, good])],
    ['several_answers', json({ results: [good, deferred] })],
    ['no_answer', '[]'],
    ['no_answer', '[["present"]]'],
    ['cut_off', `${json(good)} or rather {"prediction": "pres`],
    ['no_json', 'present'],
  ])('gives no answer, %s: %s', (reason, text) => {
    expect(parseSingle(text, task)).toEqual({ ok: false, reason });
  });

  it.each([
    ['{}', 'abstained_missing'],
    ['{"prediction": "present", "confidence": 0.7}', 'abstained_missing'],
    ['{"prediction": "present", "abstained": "false"}', 'abstained_is_no_boolean'],
    ['{"prediction": 3.7, "abstained": false}', 'label_not_in_task'],
    ['```{prediction: None, abstained: False}```', 'no_answer'],
    ['{"__proto__": {"prediction": 1, "abstained": false}}', 'abstained_missing'],
  ])('reads %s as an answer that breaks the schema: %s', (text, invalid) => {
    expect(parseSingle(text, task)).toMatchObject({ ok: true, value: { abstained: false, invalid } });
  });

  it('ignores fields that were not asked for', () => {
    expect(parseSingle(json({ why: { abstained: true }, ...good, id: 'case_1' }), task)).toEqual({
      ok: true,
      value: good,
      repaired: false,
    });
  });

  it('reads every label in the form that the schema asks for', () => {
    for (const [i, prediction] of responseSchema(task).properties.prediction.anyOf[0].enum.entries()) {
      expect(parseSingle(json({ ...good, prediction }), task)).toMatchObject({
        value: { prediction: task.labels[i] },
      });
    }
  });
});

describe('parseBatch', () => {
  const ids = ['case_1', 'case_2', 'case_3'];
  const batch = (...results: unknown[]) => parseBatch(json({ results }), task, ids);

  it('reads any answers back, in the order of the ids and not of the reply', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(99), { minLength: 1 }),
        fc.infiniteStream(anyAnswer),
        (numbers, stream) => {
          const answers = new Map(numbers.map((n) => [`case_${n}`, stream.next().value]));
          const results = [...answers].map(([id, answer]) => as(id, answer));
          const asked = [...answers.keys()].sort();
          expect(parseBatch(json({ results }), task, asked)).toEqual({
            ok: true,
            value: asked.map((id) => answers.get(id)),
            repaired: false,
          });
        },
      ),
    );
  });

  it('never reads a list that was cut off, not even the answers that are whole', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer, { minLength: 1 }), fc.boolean(), fc.nat(), (answers, bare, seed) => {
        const results = answers.map((answer, i) => as(`case_${i + 1}`, answer));
        const text = json(bare ? results : { results });
        const cut = text.slice(0, seed % text.length);
        expect(parseBatch(cut, task, ids)).toMatchObject({ ok: false });
        expect(parseBatch(cut, task, ['case_1'])).toMatchObject({ ok: false });
        expect(parseSingle(cut, task)).toMatchObject({ ok: false });
      }),
    );
  });

  it('takes a list without its object as repaired', () => {
    const text = json([as('case_3'), as('case_1', deferred)]);
    expect(parseBatch(text, task, ids)).toEqual({ ok: true, value: [deferred, null, good], repaired: true });
  });

  it('compares ids without regard to case and space around them', () => {
    expect(batch(as(' CASE_2 '))).toMatchObject({ value: [null, good, null] });
  });

  it('gives nothing for entries without an id, with another one, or that are no objects', () => {
    expect(batch(good, as('case_4'), as('__proto__'), { ...good, id: 1 }, null, 'case_1', [good])).toEqual({
      ok: true,
      value: [null, null, null],
      repaired: false,
    });
  });

  it('takes an answer given twice, and none of two that differ, however often', () => {
    expect(batch(as('case_1'), as('Case_1'))).toMatchObject({ value: [good, null, null] });
    expect(batch(as('case_1'), as('case_1', deferred), as('case_1'), as('case_2'))).toMatchObject({
      value: [null, good, null],
    });
    expect(batch(as('case_1'), as('case_1', { ...good, confidence: 0.8 }))).toMatchObject({
      value: [null, null, null],
    });
  });

  it('keeps an answer that breaks the schema apart from the others', () => {
    expect(batch(as('case_1'), as('case_2', { ...good, abstained: 'no' }))).toMatchObject({
      value: [good, { abstained: false, invalid: 'abstained_is_no_boolean' }, null],
    });
  });

  it('takes an answer without its list for one case only', () => {
    const one = (text: string) => parseBatch(text, task, ['case_1']);
    expect(one(json(good))).toEqual({ ok: true, value: [good], repaired: true });
    expect(one(json(as('case_1')))).toEqual({ ok: true, value: [good], repaired: true });
    expect(one(json(as('case_2')))).toMatchObject({ value: [null] });
    expect(parseBatch(json(as('case_1')), task, ids)).toEqual({ ok: false, reason: 'no_results' });
  });

  it('passes over a list in the prose that holds no answers', () => {
    const text = `[{"value": 1}] ${json({ results: [as('case_1')] })} by ["KDIGO"]`;
    expect(parseBatch(text, task, ids)).toMatchObject({ value: [good, null, null], repaired: true });
  });

  it('reads the fields that the schema asks for', () => {
    const { required } = batchResponseSchema(task).properties.results.items;
    expect(required).toEqual(Object.keys(as('case_1')));
  });
});
