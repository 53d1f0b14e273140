import type { RowState } from '../../core/index.ts';
import type { JudgeProblem } from '../../rubrics/index.ts';
import type { OtherTraitResult } from './other-traits.ts';
import type { MetricTraitResult } from './score-metric-trait.ts';

/** One answer, and everything that was said of it. */
export interface JudgedAnswer {
  readonly id: string;
  readonly repeat: number;
  /** Null where the data are protected: the run does not hold it. */
  readonly question: string | null;
  readonly answer: string | null;
  readonly state: RowState;
  readonly stateReason: string | null;
  /** As judged; null with a reason where nobody could. */
  readonly abstained: boolean | null;
  readonly abstainedReason: string | null;
  /** Whether declining is right; null where nobody has said. */
  readonly shouldAbstain: boolean | null;
  readonly tags: readonly string[];
  readonly metricTraits: readonly MetricTraitResult[];
  readonly otherTraits: readonly OtherTraitResult[];
  /** All that was wrong with the replies of the judge. */
  readonly problems: readonly JudgeProblem[];
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly totalTokens: number | null;
}
