import { mean } from '../samples.ts';
import { createEvidence, type EvidenceKind, isAlpha, isShare } from './e-values.ts';

/**
 * `pass` and `fail_shown` (the value lies on the wrong side) stand even if the run goes on. `fail_unreachable` (the rows left cannot repair it) and `fail_not_shown` (all rows are done) speak of this
 * number of rows. `undecided`: rows are left, or failed rows decide.
 */
export type SequentialStatus = 'pass' | 'fail_shown' | 'fail_unreachable' | 'fail_not_shown' | 'undecided';

/** A row, or a patient, as a gate sees it, on a scale where 1 is good. Null: outside the denominator. */
export interface SequenceUnit {
  /** Its value with failed rows taken as wrong. */
  readonly low: number | null;
  /** Its value with failed rows taken as right. The same as `low` without failed rows. */
  readonly high: number | null;
}

/** What a gate shows at its last look. */
export interface SequentialVerdict {
  readonly status: SequentialStatus;
  /** Rows (or patients) of the finished prefix up to the decision. */
  readonly rowsLookedAt: number;
  /** Those of them in the denominator. */
  readonly n: number;
  /** Those of them with failed rows: wrong for the lower bound, right for the upper one. */
  readonly nFailed: number;
  /** Mean over those without failed rows; null without any. */
  readonly value: number | null;
  /** Anytime-valid bounds; null while n is 0. */
  readonly lower: number | null;
  readonly upper: number | null;
}

/** How a gate that is looked at after every row decides. */
export interface SequentialGateOptions {
  /** The gate is `lower(value) >= limit`. */
  readonly limit: number;
  /** Rows (or patients) of the whole run. */
  readonly nTotal: number;
  /** Error of one side. Default: 0.025. */
  readonly alphaSide?: number;
  /** Counted rows before which nothing is decided. Default: 30. */
  readonly minN?: number;
  /** Default: `proportion`. */
  readonly evidence?: EvidenceKind;
  /** Rows that can be in the denominator; for evidence `suite` those that are. Default: `nTotal`. */
  readonly suiteSize?: number;
}

/** A gate that is looked at after every row. Rows added after the decision change nothing. */
export interface SequentialGate {
  /** Looks at the next row of the finished prefix. */
  add(unit: SequenceUnit): SequentialStatus;
  verdict(): SequentialVerdict;
}

/** Counted rows before which a gate decides nothing: a matter of decency, not of validity. */
export const DEFAULT_MIN_N = 30;

/**
 * A gate `lower(value) >= limit` that may be looked at after every row.
 *
 * @example
 * ```ts
 * const gate = createSequentialGate({ limit: 0.9, nTotal: 200 });
 * for (let row = 0; row < 51; row++) gate.add({ low: 1, high: 1 });
 * gate.verdict().status // => 'pass'
 * ```
 */
export function createSequentialGate({
  limit,
  nTotal,
  alphaSide = 0.025,
  minN = DEFAULT_MIN_N,
  evidence: kind = 'proportion',
  suiteSize = nTotal,
}: SequentialGateOptions): SequentialGate {
  const enough = 1 / alphaSide;
  const [lows, highs] = [createEvidence(kind, limit, suiteSize), createEvidence(kind, limit, suiteSize)];
  let status: SequentialStatus = 'undecided';
  let [looked, n, nFailed, sum] = [0, 0, 0, 0];
  let mayPassWithFailed = false;

  const look = (unit: SequenceUnit): SequentialStatus => {
    const rest = nTotal - looked;
    if (n >= minN) {
      if (lows.above() >= enough) return 'pass';
      if (highs.below() >= enough) return 'fail_shown';
      if (nFailed > 0) mayPassWithFailed ||= highs.above() >= enough;
    }
    // A row that turned out as well as hoped leaves the best possible end where it was.
    if (rest > 0 && (looked === 1 || unit.high !== 1)) {
      const ahead = Math.min(rest, suiteSize - n);
      if (n + ahead < minN || highs.above(ahead) < enough) return 'fail_unreachable';
    }
    return rest > 0 || mayPassWithFailed ? 'undecided' : 'fail_not_shown';
  };

  return {
    add: (unit) => {
      if (status !== 'undecided' || looked === nTotal) return status;
      looked += 1;
      if (unit.low !== null) lows.add(unit.low);
      if (unit.high !== null) {
        n += 1;
        highs.add(unit.high);
        if (unit.low === unit.high) sum += unit.high;
        else nFailed += 1;
      }
      status = look(unit);
      return status;
    },
    verdict: () => ({
      status,
      rowsLookedAt: looked,
      n,
      nFailed,
      value: n === nFailed ? null : sum / (n - nFailed),
      lower: lows.bounds(alphaSide)?.[0] ?? null,
      upper: highs.bounds(alphaSide)?.[1] ?? null,
    }),
  };
}

type CountedStates = Readonly<Record<'right' | 'wrong' | 'abstained', number | null>>;

/** Which rows a share counts, and which of them are good. */
const COUNTED = {
  selective_accuracy: { right: 1, wrong: 0, abstained: null },
  accuracy: { right: 1, wrong: 0, abstained: 0 },
  coverage: { right: 1, wrong: 1, abstained: 0 },
  // The rate itself is mirrored: 1 is a row without an unsafe answer.
  unsafe_answer_rate: { right: 1, wrong: 0, abstained: 1 },
  // Right and wrong are decisions; a row without a deferral label has none.
  decision_accuracy: { right: 1, wrong: 0, abstained: null },
} as const satisfies Record<string, CountedStates>;

/**
 * The verdict on a gate from the states of rows in their committed order, as it was first decided: `lower(metric) >= limit`, or `upper(unsafe_answer_rate) <= limit`. Null for an unknown metric.
 *
 * @example
 * ```ts
 * const states = Array.from({ length: 60 }, () => 'right' as const);
 * sequentialGate(states, { metric: 'accuracy', limit: 0.9, nTotal: 400 })!.rowsLookedAt // => 51
 * ```
 */
export function sequentialGate(
  states: readonly SequenceState[],
  {
    metric,
    limit,
    alphaSide,
    ...options
  }: Omit<SequentialGateOptions, 'evidence' | 'suiteSize'> & { readonly metric: keyof typeof COUNTED },
): SequentialVerdict | null {
  const counted: CountedStates | null = Object.hasOwn(COUNTED, metric) ? COUNTED[metric] : null;
  if (counted === null || !isShare(limit) || (alphaSide !== undefined && !isAlpha(alphaSide))) return null;
  const isMirrored = metric === 'unsafe_answer_rate';
  const gate = createSequentialGate({
    ...options,
    ...(alphaSide && { alphaSide }),
    limit: isMirrored ? 1 - limit : limit,
  });
  for (const state of states.slice(0, finishedPrefix(states))) {
    const value = state === 'right' || state === 'wrong' || state === 'abstained' ? counted[state] : null;
    gate.add(state === 'failed' ? { low: 0, high: 1 } : { low: value, high: value });
  }
  return isMirrored ? mirrored(gate.verdict()) : gate.verdict();
}

/** A verdict on 1 - value, on the scale of the value. */
export function mirrored(verdict: SequentialVerdict): SequentialVerdict {
  const turn = (value: number | null) => (value === null ? null : 1 - value);
  return {
    ...verdict,
    value: turn(verdict.value),
    lower: turn(verdict.upper),
    upper: turn(verdict.lower),
  };
}

/**
 * Whether a gate could pass at all: whether `nTotal` rows, all of them right, are evidence enough.
 *
 * @example
 * ```ts
 * [50, 51].map((nTotal) => isReachable({ limit: 0.9, nTotal })) // => [false, true]
 * ```
 */
export function isReachable({
  limit,
  nTotal,
  alphaSide = 0.025,
  minN = DEFAULT_MIN_N,
  evidence = 'proportion',
}: Omit<SequentialGateOptions, 'suiteSize'>): boolean {
  return nTotal >= minN && createEvidence(evidence, limit, nTotal).above(nTotal) >= 1 / alphaSide;
}

/** What became of a row: `right`, `wrong` (also an invalid reply), `abstained`, `failed` (no reply after all tries), or `pending`. */
export type SequenceState = 'right' | 'wrong' | 'abstained' | 'failed' | 'pending';

/**
 * How many rows may be looked at: those before the first pending one. Looking at whatever has finished would favour the answers that come quickly.
 *
 * @example
 * ```ts
 * finishedPrefix(['right', 'wrong', 'failed', 'pending', 'right']) // => 3
 * ```
 */
export function finishedPrefix(states: readonly SequenceState[]): number {
  const first = states.indexOf('pending');
  return first === -1 ? states.length : first;
}

/**
 * One value per patient: the mean over the patient's counted rows, in the order in which patients first appear. A row outside the denominator is null; a patient with no counted row is skipped.
 *
 * @example
 * ```ts
 * patientMeans(['p2', 'p2', 'p1', 'p3'], [1, 0, 1, null]) // => [0.5, 1]
 * ```
 */
export function patientMeans(
  clusters: readonly (string | number)[],
  values: readonly (number | null)[],
): number[] {
  const counted = new Map<string | number, number[]>();
  for (const [i, cluster] of clusters.entries()) {
    const own = counted.get(cluster) ?? [];
    counted.set(cluster, own);
    const value = values[i];
    if (value !== null && value !== undefined) own.push(value);
  }
  return [...counted.values()].flatMap((values) => mean(values) ?? []);
}
