import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listsFromVerdicts, scoreVerdicts } from './score-verdicts.ts';
import { listItems, MetricRubricTrait, type MetricTraitOptions } from './traits/metric-trait.ts';
import { TRAIT_METRICS } from './traits/trait.ts';
import { type ItemVerdict, VERDICTS, type VerifiedQuote } from './verdict.ts';

const required = [
  'Mentions BCL2 gene',
  'States that BCL2 inhibits apoptosis',
  'References cancer relevance',
  'States BCL2 is on chromosome 18',
];
const forbidden = ['States BCL2 is on chromosome 1', 'Claims BCL2 is pro-apoptotic'];
const make = (more: Partial<MetricTraitOptions> = {}) =>
  new MetricRubricTrait({
    name: 'BCL2',
    metrics: ['precision', 'recall', 'f1'],
    tpInstructions: required,
    ...more,
  });
const full = (more: Partial<MetricTraitOptions> = {}) =>
  make({ evaluationMode: 'full_matrix', metrics: TRAIT_METRICS, tnInstructions: forbidden, ...more });

const quote = (text: string, start: number | null = 0): VerifiedQuote => ({
  text,
  start,
  end: start === null ? null : start + text.length,
});
const said = (
  trait: MetricRubricTrait,
  verdicts: readonly (ItemVerdict['verdict'] | null | [ItemVerdict['verdict'], ...VerifiedQuote[]])[],
) =>
  listItems(trait).flatMap(({ id }, i): ItemVerdict[] => {
    const given = verdicts[i] ?? null;
    if (given === null) return [];
    const [verdict, ...quotes] = Array.isArray(given) ? given : ([given] as const);
    return [{ id, verdict, quotes, reason: null }];
  });
const pickValues = (score: ReturnType<typeof scoreVerdicts>) =>
  Object.fromEntries(Object.entries(score.metrics).map(([name, { value }]) => [name, value]));

const gene = quote('BCL2 is an anti-apoptotic gene');
const survive = quote('helps cells survive', 31);
const cancer = quote('is important in cancer', 55);
const wrong = quote('It is located on chromosome 1', 79);

describe('the worked example of the page on metric traits', () => {
  it('tp_only: a wrong chromosome is missed and a false positive', () => {
    const trait = make();
    const score = scoreVerdicts(
      trait,
      said(trait, [
        ['present', gene],
        ['present', survive],
        ['present', cancer],
        ['contradicted', wrong],
      ]),
    );
    expect(pickValues(score)).toEqual({ precision: 0.75, recall: 0.75, f1: 0.75 });
    expect(score.lists).toEqual({
      tp: [gene.text, survive.text, cancer.text],
      fn: [required[3]],
      fp: [wrong.text],
      tn: [],
    });
  });

  it('full_matrix: it is the forbidden claim that counts', () => {
    const trait = full();
    const score = scoreVerdicts(
      trait,
      said(trait, [
        ['present', gene],
        ['present', survive],
        ['present', cancer],
        ['contradicted', wrong],
        ['present', wrong],
        'absent',
      ]),
    );
    expect(pickValues(score)).toEqual({
      precision: 0.75,
      recall: 0.75,
      f1: 0.75,
      specificity: 0.5,
      accuracy: 4 / 6,
    });
    expect(score.lists).toEqual({
      tp: [gene.text, survive.text, cancer.text],
      fn: [required[3]],
      fp: [wrong.text],
      tn: [forbidden[1]],
    });
  });
});

describe('listsFromVerdicts', () => {
  it('takes a forbidden claim that is refuted as left out', () => {
    const trait = full();
    const { lists } = listsFromVerdicts(
      trait,
      said(trait, ['absent', 'absent', 'absent', 'absent', ['contradicted', gene], 'absent']),
    );
    expect([lists.fp, lists.tn]).toEqual([[], forbidden]);
  });

  it('puts what cannot be used in no list, and says why', () => {
    const trait = full();
    const { lists, unscored, instructions, nItems } = listsFromVerdicts(
      trait,
      said(trait, [
        'unclear',
        'unverified',
        'judge_error',
        null,
        ['present', quote('made up', null)],
        'present',
      ]),
    );
    expect(lists).toEqual({ tp: [], fn: [], fp: [], tn: [] });
    expect(instructions).toEqual({ tp: 0, fn: 0, fp: 0, tn: 0 });
    expect(unscored.map(({ reason }) => reason)).toEqual([
      'unclear',
      'unverified',
      'judge_error',
      'no_verdict',
      'unverified',
      'unverified',
    ]);
    expect(unscored[4]!.detail).toBe('present without a quote verified against the answer');
    expect(unscored[0]!.item.instruction).toBe(required[0]);
    expect(nItems).toBe(6);
  });

  it('lets one quote serve two instructions', () => {
    const trait = make({ tpInstructions: ['Names the gene', 'Says what it does'] });
    const { counts } = scoreVerdicts(
      trait,
      said(trait, [
        ['present', gene],
        ['present', gene],
      ]),
    );
    expect(counts.tp).toBe(2);
  });

  it('takes the first verified quote; with repeated_extraction false each place once', () => {
    const quotes = [quote('x', null), quote('salt', 3), quote('Salt', 3), quote('salt', 20)];
    const once = make({ tpInstructions: ['Names salt'] });
    const often = make({ tpInstructions: ['Names salt'], repeatedExtraction: false });
    expect(listsFromVerdicts(once, said(once, [['present', ...quotes]])).lists.tp).toEqual(['salt']);
    const found = listsFromVerdicts(often, said(often, [['present', ...quotes]]));
    expect([found.lists.tp, found.instructions.tp]).toEqual([['salt', 'salt'], 1]);
  });

  it('leaves the items of other traits alone, and refuses two verdicts on one item', () => {
    const [trait, other] = [make(), make({ name: 'other' })];
    const verdicts = [...said(trait, ['absent']), ...said(other, ['absent'])];
    expect(listsFromVerdicts(trait, verdicts).lists.fn).toEqual([required[0]]);
    expect(() => listsFromVerdicts(trait, [...verdicts, ...said(trait, ['absent'])])).toThrow(
      'two verdicts for item',
    );
  });
});

const STATES = [...VERDICTS, 'unverified', 'judge_error'] as const;
const cases = fc.record({
  mode: fc.constantFrom('tp_only', 'full_matrix'),
  verdicts: fc.array(fc.option(fc.constantFrom(...STATES)), { minLength: 6, maxLength: 6 }),
});
const build = (
  { mode, verdicts }: { mode: string; verdicts: ((typeof STATES)[number] | null)[] },
  more = {},
) => {
  const trait = mode === 'full_matrix' ? full(more) : make(more);
  return {
    trait,
    verdicts: said(
      trait,
      verdicts.map((verdict) => (verdict === null ? null : [verdict, gene])),
    ),
  };
};

describe('properties', () => {
  it('TP + FN are the required items scored; FP + TN the forbidden ones', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { trait, verdicts } = build(given);
        const { counts, open, nScored, nItems, unscored } = scoreVerdicts(trait, verdicts);
        expect(counts.tp + counts.fn).toBe(4 - open.required);
        if (given.mode === 'full_matrix') expect(counts.fp + counts.tn).toBe(2 - open.forbidden);
        else expect(counts.tn).toBe(0);
        expect(nScored + unscored.length).toBe(nItems);
      }),
    );
  });

  it('does not mind the order of verdicts or of instructions', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { trait, verdicts } = build(given);
        const turned = build(given, { tpInstructions: required.toReversed() }).trait;
        const score = scoreVerdicts(trait, verdicts);
        expect(scoreVerdicts(trait, verdicts.toReversed())).toEqual(score);
        expect(scoreVerdicts(turned, verdicts).metrics).toEqual(score.metrics);
      }),
    );
  });

  it('has bounds that are the extremes over all verdicts the unscored items could have had', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { trait, verdicts } = build(given);
        const { metrics, unscored } = scoreVerdicts(trait, verdicts);
        const settled = verdicts.filter(({ id }) => unscored.every(({ item }) => item.id !== id));
        const outcomes = allOutcomes(unscored.map(({ item }) => item.id)).map(
          (more) => scoreVerdicts(trait, [...settled, ...more]).metrics,
        );
        for (const metric of trait.metrics) {
          const { value, bounds } = metrics[metric]!;
          const values = outcomes.flatMap((outcome) => outcome[metric]!.value ?? []);
          const expected =
            unscored.length === 0 || values.length === 0
              ? null
              : { lower: Math.min(...values), upper: Math.max(...values) };
          expect(bounds).toEqual(expected);
          if (bounds && value !== null) expect(bounds.lower <= value && value <= bounds.upper).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has no bounds where every occurrence counts', () => {
    const trait = make({ repeatedExtraction: false });
    expect(scoreVerdicts(trait, said(trait, ['absent', 'unclear'])).metrics.recall!.bounds).toBeNull();
  });
});

function allOutcomes(ids: readonly string[]): ItemVerdict[][] {
  return ids.reduce<ItemVerdict[][]>(
    (outcomes, id) =>
      outcomes.flatMap((outcome) =>
        (['present', 'absent', 'contradicted'] as const).map((verdict) => [
          ...outcome,
          { id, verdict, quotes: [gene], reason: null },
        ]),
      ),
    [[]],
  );
}
