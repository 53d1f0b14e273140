import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listItems } from '../../rubrics/traits/metric-trait.ts';
import { pointItems } from '../../rubrics/weighted/item-shares.ts';
import { weightedScore } from '../../rubrics/weighted/weighted-score.ts';
import { readQuestionFile } from './find-question-suite.ts';
import { parseHealthBench, questionFileText } from './healthbench.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-healthbench-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sample = readFileSync('examples/healthbench/sample.jsonl', 'utf8');

const line = (more: object = {}) => ({
  prompt_id: 'a',
  prompt: [{ role: 'user', content: 'What now?' }],
  rubrics: [{ criterion: 'Advises an ECG', points: 5, tags: [] }],
  example_tags: [],
  ...more,
});
const parse = (...lines: object[]) => parseHealthBench(lines.map((one) => JSON.stringify(one)).join('\n'));

async function written(format: 'jsonl' | 'yaml') {
  const path = join(folder, `sample.${format}`);
  writeFileSync(path, [...questionFileText(parseHealthBench(sample).file, format)].join(''));
  return readQuestionFile(path);
}

describe('parseHealthBench', () => {
  it('makes a question of every conversation, with its turns, themes and model answer', async () => {
    const { file, nMultiTurn, nWanted, nHarmful, leftOut } = parseHealthBench(sample);
    expect([file.questions.length, nMultiTurn, nWanted, nHarmful, leftOut]).toEqual([4, 2, 16, 6, []]);
    const { questions, sensitivity } = await written('jsonl');
    expect(sensitivity).toBe('protected');
    const [stroke, methotrexate] = questions;
    expect(stroke).toMatchObject({ messages: null, tags: ['theme:emergency_referrals'] });
    expect(methotrexate!.messages!.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(methotrexate!.reference).toContain('poison centre');
  });

  it('keeps points, axes and tags of criteria', async () => {
    const { questions } = await written('yaml');
    const items = questions[0]!.rubric.metricTraits.flatMap(listItems);
    expect(items.map(({ kind, points }) => [kind, points])).toEqual([
      ['required', 10],
      ['required', 7],
      ['required', 5],
      ['required', 4],
      ['forbidden', -7],
      ['forbidden', -10],
    ]);
    expect(items[0]).toMatchObject({
      axis: 'accuracy',
      tags: ['level:cluster', 'cluster:emergency_referrals_emergent'],
    });
  });

  it('writes the same suite as JSONL and as YAML', async () => {
    expect((await written('yaml')).hash).toBe((await written('jsonl')).hash);
  });

  it('keeps the criteria that physicians agreed on, for the consensus subset', () => {
    const { file, nWanted, nHarmful } = parseHealthBench(sample, { subset: 'consensus' });
    expect([file.name, file.questions.length, nWanted, nHarmful]).toEqual(['healthbench/consensus', 4, 4, 0]);
    expect(parseHealthBench(sample, { subset: 'hard' }).file).toMatchObject({ name: 'healthbench/hard' });
  });

  it('leaves out what cannot be scored, and says so', () => {
    const harmful = { criterion: 'Claims that it is safe', points: -5, tags: [] };
    const { file, leftOut } = parse(
      line(),
      line({ prompt_id: 'b', rubrics: [harmful] }),
      line({ prompt_id: 'c', rubrics: [harmful, { ...harmful, points: 5 }] }),
      line({ prompt_id: 'd', rubrics: [] }),
    );
    expect(file.questions.map(({ id }) => id)).toEqual(['a']);
    expect(leftOut).toEqual([
      { id: 'b', line: 2, reason: 'no criterion has points above 0' },
      { id: 'c', line: 3, reason: 'the criterion "Claims that it is safe" is wanted and harmful at once' },
      { id: 'd', line: 4, reason: 'it has no criteria' },
    ]);
  });

  it('merges criteria of the same words without changing the score', () => {
    const twice = [
      { criterion: 'Advises an ECG', points: 5, tags: ['axis:accuracy'] },
      { criterion: 'advises an ECG ', points: 3, tags: ['level:cluster'] },
      { criterion: 'Asks about drugs', points: 2 },
    ];
    const { file, nMerged } = parse(line({ rubrics: twice }));
    expect(nMerged).toBe(1);
    expect(file.questions[0]).toMatchObject({
      rubric: {
        metric_traits: [{ tp_instructions: [{ points: 8, axis: 'accuracy', tags: ['level:cluster'] }, {}] }],
      },
    });
  });

  it('scores as published: points met over points that can be met, clipped after the mean', async () => {
    const { questions } = await written('jsonl');
    const scored = (met: (id: number, points: number) => boolean) =>
      questions.map(({ rubric }) => {
        const items = rubric.metricTraits.flatMap(listItems);
        const verdicts = items.map(({ id, points }, i) => ({
          id,
          verdict: met(i, points!) ? ('present' as const) : ('absent' as const),
        }));
        return { items: pointItems(items, verdicts) };
      });
    expect(weightedScore(scored((_, points) => points > 0)).clippedOverall).toBe(1);
    const worst = weightedScore(scored((_, points) => points < 0));
    expect(worst.scores.map((score) => Number(score!.toFixed(4)))).toEqual([-0.6538, -0.5172, 0, -0.64]);
    expect([worst.clippedOverall, worst.unclipped! < 0]).toEqual([0, true]);
  });

  it('says what is wrong with which line', () => {
    const wrong = [
      line({ prompt: [{ role: 'system', content: 'Be kind.' }] }),
      line({ prompt: [{ role: 'assistant', content: 'Hello.' }] }),
      line({ rubrics: [{ criterion: 'Advises an ECG', points: 0 }] }),
      line({ prompt_id: undefined }),
    ].map((one) => JSON.stringify(one));
    expect(() => parseHealthBench([...wrong, '{'].join('\n'), { place: 'hb.jsonl' })).toThrow(
      expect.objectContaining({
        code: 'ERR_HEALTHBENCH_FILE',
        message: expect.stringMatching(
          /hb\.jsonl:1: prompt\[0\]\.role is "system"; expected user or assistant\n.*hb\.jsonl:2: .*a last turn of the user.*\nhb\.jsonl:3: rubrics\[0\]\.points is 0; expected a number above 0.*\nhb\.jsonl:4: prompt_id is not given; expected an id\nhb\.jsonl:5: not JSON/s,
        ),
      }),
    );
  });

  it('refuses a file without conversations, and repeated ids', () => {
    expect(() => parse()).toThrow('has no conversations');
    expect(() => parse(line(), line())).toThrow('id "a" is already that of question 1');
  });
});
