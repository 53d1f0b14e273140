import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/engine-fixture.ts';
import { judgeOf, runInto, textBackend } from '../../../test/question-run-fixture.ts';
import { BackendError } from '../../models/backend-error.ts';
import { readRun } from '../../runs/read-run.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { bcaInterval } from '../../statistics/bootstrap.ts';
import { createRandom } from '../../statistics/random.ts';
import { signFlipTest } from '../../statistics/sign-flip.ts';
import { parseQuestionSuite } from '../../suites/questions/question-suite.ts';
import { compareRuns } from './compare-runs.ts';

const N = 8;
const suiteNamed = (name: string, instruction = 'Says b') =>
  parseQuestionSuite({
    name,
    sensitivity: 'synthetic',
    rubric: { regex_traits: [{ name: 'has_z', pattern: 'z' }] },
    questions: Array.from({ length: N }, (_, i) => ({
      id: `q${i}`,
      question: `Question ${i}?`,
      should_abstain: false,
      rubric: {
        metric_traits: [
          {
            name: 'letters',
            evaluation_mode: 'full_matrix',
            metrics: ['recall', 'specificity'],
            tp_instructions: ['Says a', instruction],
            tn_instructions: ['Says x'],
          },
        ],
      },
    })),
  });
const SUITE = suiteNamed('unit/letters');

/** Finds the letter that an instruction asks for; what it is told to spoil it cannot judge. */
const reader = (spoiled = '', name?: string) =>
  judgeOf(
    ({ answer, items }) => ({
      verdicts: Object.fromEntries(
        items.map(({ instruction }) => {
          const letter = instruction.slice(-1);
          if (spoiled !== '' && spoiled === letter) return [instruction, { verdict: 'maybe' }];
          return [
            instruction,
            answer.includes(letter) ? { verdict: 'present', quotes: [letter] } : { verdict: 'absent' },
          ];
        }),
      ),
    }),
    name,
  );

const folder = temporaryFolder();
afterAll(folder.remove);

let runs = 0;
/** A run in which question i is answered with the i-th text. */
async function run(
  texts: readonly string[],
  options: Parameters<typeof runInto>[1] & { name?: string } = {},
) {
  const backend = textBackend((question) => texts[Number(/\d+/.exec(question)![0])]!, {
    name: options.name ?? `unit/model-${runs}`,
  });
  const path = await runInto(folder.file(`run-${runs++}.db`), {
    suite: SUITE,
    judge: reader(),
    backend,
    ...options,
  });
  return readRun(path, { resamples: 100 });
}

const HALF = Array.from({ length: N }, () => 'a');
const FULL = Array.from({ length: N }, (_, i) => (i < 7 ? 'a b' : 'a z'));
const score = ({ endpoints }: ReturnType<typeof compareRuns>['pairs'][number], name: string) =>
  endpoints.find(({ metric }) => metric === name)!;

describe('compareRuns of open questions', () => {
  let half: RunResult;
  let full: RunResult;
  beforeAll(async () => {
    half = await run(HALF, { name: 'unit/half' });
    full = await run(FULL, { name: 'unit/full' });
  });

  it('pairs by question: difference, interval, test', () => {
    const { pairs, baseline, method } = compareRuns([half, full]);
    expect([baseline, pairs[0]!.model]).toEqual(['unit/half', 'unit/full']);
    const differences = [...Array.from({ length: 7 }, () => 0.5), 0];
    const recall = score(pairs[0]!, 'letters.recall');
    expect(recall).toMatchObject({
      trait: 'letters',
      n: N,
      baselineValue: 0.5,
      modelValue: 7.5 / 8,
      difference: 3.5 / 8,
      p: signFlipTest(differences)!.p,
      verdict: 'no_difference_shown',
    });
    const random = createRandom(42, 'pairedBootstrap');
    const replicates = Array.from({ length: 2000 }, () => {
      const drawn = differences.map(() => differences[random.integer(differences.length)]!);
      return drawn.reduce((sum, d) => sum + d, 0) / drawn.length;
    });
    const jackknife = differences.map((d) => (3.5 - d) / 7);
    const { interval } = bcaInterval({ estimate: 3.5 / 8, replicates, jackknife })!;
    expect(recall.interval).toEqual({ lower: interval[0], upper: interval[1], level: 0.95, method: 'bca' });
    // A share of questions needs no resamples.
    expect(score(pairs[0]!, 'abstention_rate').interval!.method).toBe('paired_score');
    expect(recall.inWords).toContain('8 questions');
    // Five scores are tested: recall, specificity, the pattern, abstention, alignment.
    expect(method.nTests).toBe(5);
    expect(recall.pHolm).toBeCloseTo(5 * recall.p!, 12);
  });

  it('shows a difference that remains after adjustment', () => {
    const { pairs } = compareRuns([half, full], { level: 0.9 });
    expect(score(pairs[0]!, 'letters.recall').verdict).toBe('better');
    const turned = compareRuns([half, full], { level: 0.9, baseline: full }).pairs[0]!;
    expect([turned.baseline, score(turned, 'letters.recall').verdict]).toEqual(['unit/full', 'worse']);
  });

  it('lists the items on which the two part', () => {
    const flips = compareRuns([half, full]).pairs[0]!.itemFlips!;
    expect([flips.onlyBaselineRight, flips.nCompared]).toEqual([[], 3 * N]);
    expect(flips.onlyModelRight.map(({ id }) => id)).toEqual(['q0', 'q1', 'q2', 'q3', 'q4', 'q5', 'q6']);
    expect(flips.onlyModelRight[0]).toMatchObject({
      trait: 'letters',
      instruction: 'Says b',
      kind: 'required',
      baseline: ['absent'],
      model: ['present'],
    });
  });

  it('takes a forbidden claim that is made for wrong', async () => {
    const loose = await run(HALF.map((text) => `${text} x`));
    const flips = compareRuns([half, loose]).pairs[0]!.itemFlips!;
    expect(flips.onlyBaselineRight.map(({ instruction }) => instruction)).toEqual(HALF.map(() => 'Says x'));
  });

  it('counts each question by the items that both runs have scored', async () => {
    const spoiled = await run(FULL, { judge: reader('b') });
    const pair = compareRuns([half, spoiled]).pairs[0]!;
    expect(score(pair, 'letters.recall')).toMatchObject({ baselineValue: 1, modelValue: 1, difference: 0 });
    expect(pair.itemFlips!.nCompared).toBe(2 * N);
    expect(pair.itemFlips!.onlyModelRight).toEqual([]);
  });

  it('averages repeats within a question', async () => {
    let asked = 0;
    const backend = textBackend(() => (asked++ < N ? 'a b' : 'a'), { name: 'unit/twice' });
    const twice = await run([], { backend, repeats: 2 });
    const pair = compareRuns([half, twice]).pairs[0]!;
    expect(score(pair, 'letters.recall')).toMatchObject({ n: N, modelValue: 0.75 });
    // Right once of twice is not more than half.
    expect(pair.itemFlips!.onlyModelRight).toEqual([]);
  });

  it('says why a score cannot be compared', async () => {
    const backend = textBackend(() => new BackendError('timeout', 'too late'));
    const blind = compareRuns([half, await run([], { backend })]).pairs[0]!;
    expect(score(blind, 'letters.recall')).toMatchObject({
      n: 0,
      difference: null,
      reason: 'no_question_has_a_value_in_both',
      p: null,
      verdict: 'undefined',
    });
  });

  it.each([
    ['two judges', () => run(HALF, { judge: reader('', 'unit/stranger') }), 'different_judges'],
    ['a judge without labels', () => run(HALF), 'judge_not_calibrated'],
    ['unscored items', () => run(HALF, { judge: reader('b') }), 'incomplete'],
    ['few questions', () => run(HALF), 'few_questions'],
    ['a model that judges itself', () => run(HALF, { name: 'unit/judge' }), 'self_judging'],
  ])('warns of %s', async (_, other, code) => {
    const { warnings } = compareRuns([half, await other()]);
    expect(warnings.map((warning) => warning.code)).toContain(code);
  });

  it('refuses runs with other questions, and a single run', async () => {
    const other = await run(HALF, { suite: suiteNamed('unit/letters', 'Says c') });
    expect(() => compareRuns([half, other])).toThrow(
      /different questions or rubrics of unit\/letters:[\s\S]*unit\/half \(run-/,
    );
    expect(() => compareRuns([half])).toThrow('two runs or more; 1 given');
    expect(() => compareRuns([half, full], { level: 95 })).toThrow('confidence level');
  });
});
