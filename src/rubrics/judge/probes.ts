import { contentHash } from '../../core/canonical-json.ts';
import type { Verdict } from '../verdict.ts';
import type { JudgeQuestion } from './asked.ts';
import type { JudgeOutcome } from './judge-outcome.ts';
import PROBES from './probes.json' with { type: 'json' };

/**
 * A small set of answers on which any usable judge agrees with the expected verdicts: run it on a judge before trusting it with real answers. It finds gross faults; how good a judge
 * is on the answers at hand, human labels show.
 *
 * @example
 * ```ts
 * judgeProbes.filter(({ tries }) => tries === 'negated_claim').length // => 2
 * ```
 */
export const judgeProbes = (PROBES as readonly ProbeText[]).map(createProbe);

/** One answer with verdicts beyond dispute. Question, answer, items and pass go to `runJudge` as they are. */
export type JudgeProbe = ReturnType<typeof createProbe>;

/** A probe as `probes.json` has it. */
interface ProbeText extends Pick<JudgeQuestion, 'question' | 'answer'> {
  readonly id: string;
  readonly tries:
    | 'negated_claim'
    | 'alias'
    | 'claim_quoted_to_refute'
    | 'injected_instruction'
    | 'empty_answer'
    | 'repeats_the_checklist'
    | 'long_paraphrase'
    | 'reversed_order'
    | 'abstention';
  readonly items: readonly {
    readonly instruction: string;
    readonly verdict: Verdict;
    /** Words of the answer that show it. Default: none. */
    readonly evidence?: string;
  }[];
  /** Null where there is nothing to read it from. */
  readonly abstained: boolean | null;
  /** Default: 0. */
  readonly pass?: number;
}

function createProbe({ items, abstained, pass = 0, ...text }: ProbeText) {
  const lines = items.map(({ instruction, verdict, evidence = null }) => ({
    item: { id: contentHash([text.question, instruction]).slice(0, 8), instruction },
    expected: { verdict, evidence },
  }));
  return {
    ...text,
    items: lines.map(({ item }) => item),
    pass,
    expected: Object.fromEntries(lines.map(({ item, expected }) => [item.id, expected])),
    expectedAbstained: abstained,
  };
}

/** How a judge did on the probes: verdicts and abstentions looked at, and those that it missed, by case. */
export type ProbeScore = ReturnType<typeof scoreProbes>;

/**
 * Compares what a judge made of the probes with what was expected, by case. It passes without one miss. A probe without an outcome counts as missed, item by item.
 *
 * @example
 * ```ts
 * const outcomes = new Map([['nothing', { verdicts: [], abstained: null }]]);
 * const score = scoreProbes(outcomes);
 * score.passed // => false
 * score.nRight // => 1
 * ```
 */
export function scoreProbes(
  outcomes: ReadonlyMap<string, Pick<JudgeOutcome, 'verdicts' | 'abstained'>>,
  probes: readonly JudgeProbe[] = judgeProbes,
) {
  const cases = [...Map.groupBy(probes, ({ tries }) => tries)].map(([tries, group]) => {
    const checks = group.flatMap((probe) => compareProbe(probe, outcomes.get(probe.id)));
    const misses = checks.filter(({ expected, got }) => expected !== got);
    return { tries, n: checks.length, nRight: checks.length - misses.length, misses };
  });
  const n = cases.reduce((sum, one) => sum + one.n, 0);
  const nRight = cases.reduce((sum, one) => sum + one.nRight, 0);
  return { passed: n === nRight, n, nRight, cases };
}

/** Every verdict of a probe: expected, and given; `not_run` when there is no outcome. The instruction is null for the abstention. */
function compareProbe(
  { id: probe, items, expected, expectedAbstained }: JudgeProbe,
  outcome: Pick<JudgeOutcome, 'verdicts' | 'abstained'> | undefined,
) {
  const given = new Map(outcome?.verdicts.map(({ id, verdict }) => [id, verdict]));
  return [
    ...items.map(({ id, instruction }) => ({
      probe,
      instruction,
      expected: expected[id]!.verdict,
      got: given.get(id) ?? 'not_run',
    })),
    {
      probe,
      instruction: null,
      expected: String(expectedAbstained),
      got: outcome === undefined ? 'not_run' : String(outcome.abstained),
    },
  ];
}
