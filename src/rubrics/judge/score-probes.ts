import type { JudgeOutcome } from './judge-outcome.ts';
import { type JudgeProbe, judgeProbes, type ProbeCase } from './probes.ts';

/** Where a judge and a probe disagree. */
interface ProbeMiss {
  readonly probe: string;
  /** The instruction, or null for the abstention. */
  readonly instruction: string | null;
  readonly expected: string;
  /** The verdict given, `unverified` and `judge_error` among them; `not_run` when there is no outcome. */
  readonly got: string;
}

interface ProbeCaseScore {
  readonly tries: ProbeCase;
  readonly n: number;
  readonly nRight: number;
  readonly misses: readonly ProbeMiss[];
}

export interface ProbeScore {
  /** True when there is not one miss. */
  readonly passed: boolean;
  /** Verdicts and abstentions looked at. */
  readonly n: number;
  readonly nRight: number;
  readonly cases: readonly ProbeCaseScore[];
}

/**
 * Compares what a judge made of the probes with what was expected, by case. A probe without an outcome counts as missed, item by item.
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
): ProbeScore {
  const cases = [...Map.groupBy(probes, ({ tries }) => tries)].map(([tries, group]) => {
    const checks = group.flatMap((probe) => checksOf(probe, outcomes.get(probe.id)));
    const misses = checks.filter(({ expected, got }) => expected !== got);
    return { tries, n: checks.length, nRight: checks.length - misses.length, misses };
  });
  const n = cases.reduce((sum, one) => sum + one.n, 0);
  const nRight = cases.reduce((sum, one) => sum + one.nRight, 0);
  return { passed: n === nRight, n, nRight, cases };
}

function checksOf(
  { id: probe, items, expected, expectedAbstained }: JudgeProbe,
  outcome: Pick<JudgeOutcome, 'verdicts' | 'abstained'> | undefined,
): ProbeMiss[] {
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
