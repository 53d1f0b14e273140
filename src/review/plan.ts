import { contentHash } from '../core/canonical-json.ts';
import { KrisisError } from '../core/errors.ts';
import { allocateLabels } from '../statistics/methods/label-plan.ts';
import { createRandom, type Random, shuffle } from '../statistics/random.ts';
import { namedPlan } from '../store/review/review-file.ts';
import type { PlanKind, ReviewDraw, ReviewPlan } from '../store/review/review-schema.ts';
import { hashedTarget, targetKey } from '../store/review/review-session.ts';
import type { FrameUnit, ReviewFrame } from './frame.ts';

/** Of a stratum with one label nothing can be said about its spread. */
const MIN_PER_STRATUM = 2;
const OWN_GUIDELINE = 'krisis/1';
const ONLY = 'all';

/** How to draw targets for people to label. */
export interface PlanOptions {
  /** Default: `random`. */
  readonly kind?: PlanKind | undefined;
  /** For the kind `cases`: ids, each with the repeat that is meant. Every answer to a case of a run with labels is one target. */
  readonly cases?: readonly ChosenCase[] | undefined;
  /** How many targets to draw. Default: 100. */
  readonly n?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  /** How many of the drawn targets two people label; a number below 1 is a share. Default: 30. */
  readonly double?: number | undefined;
  /** A text for reviewers. Default: none; reviewers see the definitions of the verdicts. */
  readonly guideline?: string | undefined;
}

/** An answer that someone chose for review. */
export interface ChosenCase {
  readonly id: string;
  readonly repeat: number;
}

const PLAN_DEFAULTS = { kind: 'random', n: 100, seed: 1, double: 30 } as const;

/** A plan with the targets that it drew. */
export interface DrawnPlan {
  readonly plan: ReviewPlan;
  readonly draws: readonly ReviewDraw[];
}

/** Units that are drawn with one probability. */
interface Stratum {
  readonly id: string;
  /** Each is drawn as a whole: one target, or all targets of a question. */
  readonly units: readonly (readonly FrameUnit[])[];
}

/**
 * Draws the targets of a review. The same frame, options and seed draw the same targets in the same order; every draw has the probability with which its stratum was drawn.
 *
 * @throws KrisisError with the code `ERR_REVIEW_PLAN` where the run lacks what the strata are made of.
 */
export function drawPlan(frame: ReviewFrame, options: PlanOptions, now = new Date()): DrawnPlan {
  const { kind, n, seed, double } = { ...PLAN_DEFAULTS, ...definedOnly(options) };
  const strata = kind === 'cases' ? chosenStrata(frame, options.cases ?? []) : buildStrata(frame, kind);
  const counts =
    kind === 'cases'
      ? strata.map(({ id, units }) => (id === CHOSEN ? units.length : 0))
      : allocation(strata, kind, n);
  const random = createRandom(seed, 'reviewPlan');
  const drawn = strata.flatMap(({ id, units }, i) =>
    chosen(random, units, counts[i]!).map((targets) => ({
      targets,
      stratum: id,
      inclusionProbability: counts[i]! / units.length,
    })),
  );
  // Whole questions stay together: reading the answer is the cost.
  const targets = shuffle(random, drawn).flatMap(({ targets: own, ...rest }) =>
    own.map((unit) => ({ ...rest, unit })),
  );
  const nDouble = nForTwo(double, targets.length);
  const twice = new Set(chosen(random, [...targets.keys()], nDouble));
  const described = strata.map(({ id, units }, i): ReviewPlan['strata'][number] => ({
    id,
    size: units.length,
    n: counts[i]!,
    inclusionProbability: units.length === 0 ? 0 : counts[i]! / units.length,
  }));
  const { guideline } = options;
  return namedPlan(
    {
      kind,
      targets: frame.targets,
      n: kind === 'cases' ? counts[0]! : n,
      seed,
      frameSize: frame.units.length,
      frameHash: frameHash(strata),
      strata: described,
      nDouble,
      guideline: guideline === undefined ? OWN_GUIDELINE : contentHash(guideline).slice(0, 12),
      guidelineText: guideline ?? null,
      judge: kind === 'verdict' || kind === 'disagreement' ? frame.judge : null,
      createdAt: now.toISOString(),
    },
    targets.map(({ unit, stratum, inclusionProbability }, position) => ({
      ...hashedTarget(unit),
      position,
      stratum,
      inclusionProbability,
      raters: twice.has(position) ? 2 : 1,
    })),
  );
}

const CHOSEN = 'chosen';

/** All chosen targets, and those that nothing is drawn from. */
function chosenStrata({ units, targets }: ReviewFrame, cases: readonly ChosenCase[]): Stratum[] {
  // Only items have a target for each repeat.
  const key = (id: string, repeat: number) => JSON.stringify([id, targets === 'item' ? repeat : 0]);
  const toKey = ({ recordId, repeat }: FrameUnit) => key(recordId, repeat);
  const known = new Set(units.map(toKey));
  const wanted = new Set(cases.map(({ id, repeat }) => key(id, repeat)));
  const missing = cases.find(({ id, repeat }) => !known.has(key(id, repeat)));
  if (missing !== undefined)
    throw new KrisisError(
      `${missing.id} (repeat ${missing.repeat}): this run has no such case; expected cases of this run, as its list in krisis view saves them`,
      { code: 'ERR_REVIEW_PLAN', value: missing.id },
    );
  const parts = { [CHOSEN]: true, other: false };
  return Object.entries(parts).map(([id, isChosen]) => ({
    id,
    units: units.filter((unit) => wanted.has(toKey(unit)) === isChosen).map((unit) => [unit]),
  }));
}

/** How many of the drawn targets are for two raters: a number, or below 1 a share of them. */
export function nForTwo(double: number, nDrawn: number): number {
  return Math.min(nDrawn, double < 1 ? Math.round(double * nDrawn) : double);
}

/** The strata of a kind of plan, in alphabetical order. */
function buildStrata({ units, targets, judge }: ReviewFrame, kind: PlanKind): Stratum[] {
  const refuse = (why: string): never => {
    throw new KrisisError(`no plan by ${kind} can be drawn: ${why}`, {
      code: 'ERR_REVIEW_PLAN',
      value: kind,
    });
  };
  if (kind === 'questions') {
    if (targets !== 'item') refuse('its cases and lines are drawn one by one');
    const questions = Map.groupBy(units, ({ recordId }) => recordId);
    return [{ id: 'questions', units: [...questions.values()] }];
  }
  if (kind === 'verdict' && judge === null)
    refuse(targets === 'item' ? 'the answers were not judged' : 'no judge reads them');
  if (kind === 'disagreement' && units.every(({ differs }) => differs === null))
    refuse(
      targets === 'record'
        ? 'every case was asked once; ask several times to see where the model disagrees with itself'
        : 'one judge read each answer once; several judges or passes show where they differ',
    );
  if (kind === 'severity' && !units.some(({ isCritical }) => isCritical))
    refuse(
      targets === 'record' ? 'the suite marks no case as an emergency' : 'no item of the rubric is critical',
    );
  const groups = Map.groupBy(units, (unit) => nameStratum(unit, kind));
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, own]) => ({ id, units: own.map((unit) => [unit]) }));
}

function nameStratum(unit: FrameUnit, kind: PlanKind): string {
  switch (kind) {
    case 'verdict':
      // What an answer must not say and says is rare, and matters most.
      return unit.isForbidden && unit.verdict === 'present'
        ? 'present_forbidden'
        : (unit.verdict ?? 'no_verdict');
    case 'disagreement':
      return unit.differs === null ? 'judged_once' : unit.differs ? 'differ' : 'agree';
    case 'severity':
      return unit.isCritical ? 'critical' : 'other';
    case 'outcome':
      return unit.outcome;
    default:
      return ONLY;
  }
}

/** How many of each stratum to draw. */
function allocation(strata: readonly Stratum[], kind: PlanKind, n: number): number[] {
  if (kind === 'questions') {
    const { units } = strata[0]!;
    const perQuestion = units.flat().length / units.length;
    return [Math.min(units.length, Math.max(1, Math.round(n / perQuestion)))];
  }
  const sizes = strata.map(({ id, units }) => ({ id, size: units.length }));
  if (kind === 'severity') {
    const critical = sizes.find(({ id }) => id === 'critical')?.size ?? 0;
    const rest = Math.max(MIN_PER_STRATUM, n - critical);
    return sizes.map(({ id, size }) => (id === 'critical' ? size : Math.min(size, rest)));
  }
  const least = sizes.reduce((sum, { size }) => sum + Math.min(MIN_PER_STRATUM, size), 0);
  const minimum = least <= n ? MIN_PER_STRATUM : 0;
  return allocateLabels(sizes, n, { method: 'equal', minimum })!.map((own) => own.n);
}

function chosen<T>(random: Random, units: readonly T[], n: number): T[] {
  return shuffle(random, [...units]).slice(0, n);
}

/** Two plans with equal hashes drew from the same targets in the same strata. */
function frameHash(strata: readonly Stratum[]): string {
  return contentHash(
    strata.map(({ id, units }) => [
      id,
      units.map((own) => own.map((unit) => [targetKey(unit), unit.answerHash, unit.itemHash])),
    ]),
  );
}

function definedOnly(options: PlanOptions): {
  readonly [K in keyof PlanOptions]?: NonNullable<PlanOptions[K]>;
} {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
