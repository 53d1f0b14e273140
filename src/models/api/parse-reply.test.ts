import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchResponseSchema, responseSchema } from '../../suites/task.ts';
import { parseBatch as parseBatchAbout, parseSingle as parseSingleAbout } from './parse-reply.ts';

/** Replies about records without a text. */
const parseSingle = (text: string, task: Parameters<typeof parseSingleAbout>[1]) =>
  parseSingleAbout(text, task, []);
const parseBatch = (text: string, task: Parameters<typeof parseBatchAbout>[1], ids: readonly string[]) =>
  parseBatchAbout(text, task, ids, []);

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
  (text: string) => `<think>It isn't clear. ${text}`,
  (text: string) => `${text}\n\nIn short:\n\`\`\`json\n${text}\n\`\`\``,
];

/** The parts of a parsed answer that are scored. */
const pickAnswer = ({ replyOrder: _, replySpan: __, ...answer }: Record<string, unknown>) => answer;
/** A parsed reply without where its answers are. */
function scored(parsed: ReturnType<typeof parseSingle> | ReturnType<typeof parseBatch>) {
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  return {
    ...parsed,
    value: 'abstained' in value ? pickAnswer(value) : value.map((answer) => answer && pickAnswer(answer)),
  };
}

describe('parseSingle', () => {
  it('reads any valid answer back as it was', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        expect(scored(parseSingle(json(answer), task))).toEqual({ ok: true, value: answer, repaired: false });
      }),
    );
  });

  it('reads it in fences, prose and tags, and says so', () => {
    fc.assert(
      fc.property(anyAnswer, fc.constantFrom(...wrappings), (answer, wrap) => {
        expect(scored(parseSingle(wrap(json(answer)), task))).toEqual({
          ok: true,
          value: answer,
          repaired: true,
        });
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
    expect(scored(parseSingle(text, task))).toEqual({ ok: true, value: good, repaired: true });
  });

  it.each([
    ['no_answer', '[]'],
    ['no_answer', '[["present"]]'],
    ['cut_off', `${json(good)} or rather {"x": "pres`],
    ['no_json', 'present'],
    ['no_json', `My answer: ${json(json(good))}`],
  ])('gives no answer, %s: %s', (reason, text) => {
    expect(parseSingle(text, task)).toEqual({ ok: false, reason });
  });

  it.each([
    ['{}', 'abstained_missing'],
    ['{"prediction": "present", "confidence": 0.7}', 'abstained_missing'],
    ['{"prediction": "present", "abstained": "false"}', 'abstained_is_no_boolean'],
    ['{"prediction": 3.7, "abstained": false}', 'label_not_in_task'],
    ['```{prediction: None, abstained: False}```', 'no_answer'],
    ['{"PREDICTION": "present", "Abstained": false}', 'abstained_missing'],
  ])('reads %s as an answer that breaks the schema: %s', (text, invalid) => {
    expect(parseSingle(text, task)).toMatchObject({ ok: true, value: { abstained: false, invalid } });
  });

  const TWO = { prediction: null, abstained: false, confidence: null, invalid: 'two_answers' };
  const other = { prediction: 2, abstained: false, confidence: 0.9 };

  it.each([
    ['bare', `${json(good)} Or rather: ${json(other)}`],
    ['fenced and bare', `\`\`\`json\n${json(other)}\n\`\`\`\n${json(good)}`],
    ['an answer and an abstention', `${json(good)}\n${json(deferred)}`],
    ['in a list', json({ results: [good, deferred] })],
    ['one quoted from the case', `The note says ${json(other)}, which I do not follow. ${json(good)}`],
    ['one called final', `Final answer: ${json(good)}\nFor comparison: ${json(other)}`],
    ['a label and no more', `{"prediction": 2} ${json(good)}`],
    ['one cut off', `${json(good)} or rather {"prediction": "pres`],
    ['one that cannot be read', `${json(good)} {"prediction": [2}`],
    ['one of a form', `I reply {"prediction": ..., "abstained": ...}: ${json(good)}`],
    ['one with typographic quotes', `${json(good)} {“prediction”: 2, “abstained”: false}`],
    ['one escaped', `${json(good)} "${json(json(other)).slice(1, -1)}"`],
    ['one as a text in another object', `${json(good)} ${json({ answer: json(other) })}`],
    ['one in another letter case', `${json(good)} {"Prediction": 2, "Abstained": false}`],
    ['inside the other', `So: ${json({ ...good, draft: other })}`],
    ['inside another object', json({ draft: other, answer: good })],
    [
      'in a comment',
      `{ // not {"prediction": 2}\n "prediction": "present", "abstained": false} ${json(good)}`,
    ],
    ['in tags of reasoning', `<reasoning>${json(other)}</reasoning>${json(good)}`],
    ['before a closing tag that nothing opened', `${json(other)}</think>${json(good)}`],
    ['in a second block of reasoning', `<think></think><think>${json(other)}</think>${json(good)}`],
    ['with another confidence', `${json({ ...good, confidence: 0.2 })}\n${json(good)}`],
    ['without a confidence', `${json({ ...good, confidence: null })}\n${json(good)}`],
  ])('is no answer where two differ: %s', (_, text) => {
    expect(scored(parseSingle(text, task))).toEqual({ ok: true, value: TWO, repaired: true });
  });

  it.each([
    ['agree', `${json({ ...good, reasoning: 'so' })}\n${json(good)}`],
    ['agree, fenced and bare', `${json(good)}\n\`\`\`json\n${json(good)}\n\`\`\``],
    ['agree, in a list', json([good, good])],
    ['agree, one inside the other', `${json({ ...good, answer: good })}.`],
    ['differ, but one is reasoning', `\n<think>${json(other)}</think>${json(good)}`],
  ])('takes the one that counts of several that %s', (_, text) => {
    expect(scored(parseSingle(text, task))).toEqual({ ok: true, value: good, repaired: true });
  });

  it('reads the only answer inside another object', () => {
    for (const text of [json({ final: good }), json({ a: { b: [good] } }), json({ __proto__: 1, x: good })])
      expect(scored(parseSingle(text, task))).toEqual({ ok: true, value: good, repaired: true });
  });

  it.each([
    ['{"prediction": "present", "prediction": "present", "abstained": false}', false],
    ['So: {"abstained": true, "prediction": "present", "abstained": false}', true],
    ["{'abstained': False, 'prediction': 1, 'prediction': 2}", true],
  ])('is no answer where a key comes twice: %s', (text, repaired) => {
    const value = { prediction: null, abstained: false, confidence: null, invalid: 'duplicate_keys' };
    expect(scored(parseSingle(text, task))).toEqual({ ok: true, value, repaired });
  });

  it('reads the fields in any order, and notes which', () => {
    const reordered = {
      reason: null,
      prediction: 'present',
      why: 1,
      reasoning: 'so',
      confidence: 0.7,
      abstained: false,
    };
    expect(parseSingle(json(reordered), task)).toMatchObject({
      value: { ...good, replyOrder: 'reason,prediction,reasoning,confidence,abstained' },
    });
  });

  it('gives the place of the answer in the whole reply', () => {
    const text = `<think>{} \u{1F914}</think>Here: ${json(good)}.`;
    const parsed = parseSingle(text, task);
    const span = parsed.ok ? parsed.value.replySpan : null;
    expect(text.slice(span!.start, span!.end)).toBe(json(good));
  });

  it('ignores fields that were not asked for', () => {
    expect(scored(parseSingle(json({ why: { abstain: true }, ...good, id: 'case_1' }), task))).toEqual({
      ok: true,
      value: good,
      repaired: false,
    });
  });

  it('reads every label in the form that the schema asks for', () => {
    const schema = responseSchema(task).properties.prediction as {
      readonly anyOf: readonly [{ readonly enum: readonly string[] }, object];
    };
    for (const [i, prediction] of schema.anyOf[0].enum.entries()) {
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
          expect(scored(parseBatch(json({ results }), task, asked))).toEqual({
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
        expect(parseSingle(cut, task)).toMatchObject({ ok: false });
      }),
    );
  });

  it('takes a list without its object as repaired', () => {
    const text = json([as('case_3'), as('case_1', deferred)]);
    expect(scored(parseBatch(text, task, ids))).toEqual({
      ok: true,
      value: [deferred, null, good],
      repaired: true,
    });
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

  it('takes the last of answers to a case that agree', () => {
    const last = { ...good, reasoning: 'so' };
    expect(batch(as('case_1'), as('Case_1', last))).toMatchObject({ value: [good, null, null] });
    const again = `${json({ results: [as('case_1')] })}\nOnce more: ${json({ results: [as('case_1', last)] })}`;
    expect(parseBatch(again, task, ids)).toMatchObject({
      value: [{ ...good, replyOrder: 'prediction,abstained,confidence,reasoning' }, null, null],
    });
  });

  it('takes no answer that is outside the list, or in one list of several only', () => {
    const list = (...cases: string[]) => json({ results: cases.map((id) => as(id)) });
    const outside = `${list('case_1')} ${json(as('case_2'))}`;
    expect(parseBatch(outside, task, ids)).toMatchObject({ value: [good, null, null] });
    const apart = `${list('case_1', 'case_2')} ${list('case_2', 'case_3')}`;
    expect(parseBatch(apart, task, ids)).toMatchObject({ value: [null, good, null] });
  });

  it('takes an answer inside an entry as one to its case', () => {
    const nested = { id: 'case_1', draft: deferred, answer: good };
    expect(batch(nested, { id: 'case_2', answer: good })).toMatchObject({
      value: [{ invalid: 'two_answers' }, good, null],
    });
  });

  it('makes a case with two answers that differ invalid, and no other', () => {
    const twice = { prediction: null, abstained: false, invalid: 'two_answers' };
    expect(batch(as('case_1'), as('case_1', deferred), as('case_1'), as('case_2'))).toMatchObject({
      value: [twice, good, null],
    });
    const corrected = `${json({ results: [as('case_1'), as('case_2')] })} Correction: ${json(as('case_2', deferred))}`;
    expect(parseBatch(corrected, task, ids)).toMatchObject({ value: [good, twice, null] });
  });

  it('makes a case invalid whose lists differ, whatever they are called', () => {
    const text = `Draft: ${json({ results: [as('case_1', deferred)] })} Final answer: ${json({ results: [as('case_1')] })}`;
    expect(parseBatch(text, task, ids)).toMatchObject({ value: [{ invalid: 'two_answers' }, null, null] });
  });

  it('reads nothing beside an answer that it cannot read', () => {
    const text = `${json({ results: [as('case_1')] })} {"id": "case_1", "prediction": [2}`;
    expect(parseBatch(text, task, ids)).toEqual({ ok: false, reason: 'two_answers' });
  });

  it('makes only the case with a key twice invalid; with two lists, all of them', () => {
    const entry = json(as('case_1'));
    const twice = { prediction: null, abstained: false, confidence: null, invalid: 'duplicate_keys' };
    const text = (first: string) => `{"results": [${first}, ${json(as('case_2'))}]}`;
    expect(parseBatch(text(entry.replace('{', '{"prediction": 1, ')), task, ids)).toMatchObject({
      value: [twice, good, null],
    });
    expect(parseBatch(text(entry).replace('{', '{"results": [], '), task, ids)).toMatchObject({
      value: [twice, twice, null],
    });
  });

  it("gives the place of each case's own part in the whole reply", () => {
    const text = `<think>{"results": []}</think> ${json({ results: [as('case_2', deferred), as('case_1')] })}`;
    const parsed = parseBatch(text, task, ids);
    const spans = parsed.ok ? parsed.value.map((answer) => answer?.replySpan) : [];
    expect(spans.map((span) => span && text.slice(span.start, span.end))).toEqual([
      json(as('case_1')),
      json(as('case_2', deferred)),
      undefined,
    ]);
    expect(parseBatch("{'results': [{'id': 'case_1', 'abstained': True}]}", task, ids)).toMatchObject({
      value: [{ abstained: true, replySpan: null }, null, null],
    });
  });

  it('keeps an answer that breaks the schema apart from the others', () => {
    expect(batch(as('case_1'), as('case_2', { ...good, abstained: 'no' }))).toMatchObject({
      value: [good, { abstained: false, invalid: 'abstained_is_no_boolean' }, null],
    });
  });

  it('needs a list', () => {
    expect(parseBatch(json(as('case_1')), task, ids)).toEqual({ ok: false, reason: 'no_results' });
  });

  it('passes over a list in the prose that holds no answers', () => {
    const text = `[{"value": 1}] ${json({ results: [as('case_1')] })} by ["KDIGO"]`;
    expect(parseBatch(text, task, ids)).toMatchObject({ value: [good, null, null], repaired: true });
  });

  it('reads the fields that the schema asks for', () => {
    const { required } = batchResponseSchema(task).properties.results.items;
    expect(required).toEqual(['id', 'reasoning', 'abstained', 'prediction', 'confidence', 'reason']);
    const plain = batchResponseSchema(task, { reasoning: false }).properties.results.items;
    expect(plain.required).toEqual(Object.keys(as('case_1')));
  });
});
