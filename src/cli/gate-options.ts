import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { KrisisError } from '../core/index.ts';
import {
  canonicalMetricName,
  defaultBenchmarkMetrics,
  extendedMetrics,
  type Metric,
  type ScoringOptions,
  TASK_NAMES,
} from '../metrics/index.ts';
import { type KnownMetrics, knownMetric } from '../runs/conditions/expression.ts';
import type { GatePlan } from '../runs/conditions/gate-plan.ts';
import { limitProblem, marginProblem } from '../runs/conditions/metric-range.ts';
import type { GateVerdict } from '../runs/conditions/verdict.ts';
import { parseGate } from '../runs/gates/parse-gate.ts';
import { verdictsText } from '../runs/gates/verdicts-text.ts';
import { findRun } from '../store/find-run.ts';
import { readPublicKey } from '../store/keys.ts';
import { usageError } from './errors.ts';
import { HEADINGS } from './help.ts';
import { gateHint } from './hints.ts';
import { printMessage, printText } from './print.ts';

/** Adds the options that make a command a gate. */
export function withGateOptions<Args extends unknown[], Opts extends Record<string, unknown>>(
  command: Command<Args, Opts>,
) {
  return command
    .optionsGroup(HEADINGS.conditions)
    .option('--assert <expression>', "e.g. 'lower(accuracy) > 80%'; may be repeated", collect)
    .option('--non-inferior <run>', 'must be at most --margin worse than this run')
    .option('--margin <x>', 'how much worse is tolerated, e.g. 0.02 or 2%', margin)
    .option('--on <metric>', 'metric of --non-inferior (default: the endpoint)')
    .option('--allow-uncalibrated-judge', 'accept a judge that people have not confirmed')
    .option('--require-signature <key>', 'only run files signed by this Ed25519 public key')
    .optionsGroup(HEADINGS.other);
}

export interface GateFlags {
  readonly assert?: readonly string[] | undefined;
  readonly nonInferior?: string | undefined;
  readonly margin?: number | undefined;
  readonly on?: string | undefined;
  readonly allowUncalibratedJudge?: boolean | undefined;
  readonly requireSignature?: string | undefined;
}

/** The bundle that has every metric that a condition names: the extended one where the default bundle lacks one of them. */
export function bundleFor<B extends 'default' | 'extended' | undefined>(
  { assert = [], on }: GateFlags,
  bundle: B,
): B | 'extended' {
  const named = [...assert, on ?? ''].flatMap((text) => text.match(/[a-z]\w*/gi) ?? []);
  if (named.length === 0) return bundle;
  const standard = new Set(
    TASK_NAMES.flatMap((task) => defaultBenchmarkMetrics({ task })).map(({ name }) => name),
  );
  const extended = new Set(TASK_NAMES.flatMap((task) => extendedMetrics({ task })).map(({ name }) => name));
  const isBeyond = (name: string) => extended.has(name) && !standard.has(name);
  return named.some((name) => isBeyond(canonicalMetricName(name))) ? 'extended' : bundle;
}

/**
 * Reads the conditions before anything is run: one that cannot be understood ends the command now. `find` gives the file of the baseline. Default: a run.
 */
export function planGates(
  flags: GateFlags,
  known: KnownMetrics,
  find: (typed: string) => string = findRun,
): GatePlan {
  const gates = (flags.assert ?? []).map((text) => {
    const gate = parseGate(text, known);
    const problem = limitProblem(gate);
    if (problem !== null)
      throw new KrisisError(`--assert '${gate.text}': ${problem}`, { code: 'ERR_GATE_INVALID', value: text });
    return gate;
  });
  const { allowUncalibratedJudge, requireSignature } = flags;
  const option = allowUncalibratedJudge
    ? 'allow-uncalibrated-judge'
    : requireSignature && 'require-signature';
  if (option && gates.length === 0 && flags.nonInferior === undefined)
    throw usageError(`--${option} belongs to a condition: --assert or --non-inferior`);
  const publicKey = requireSignature === undefined ? undefined : readPublicKey(requireSignature);
  if (flags.nonInferior === undefined) {
    for (const option of ['margin', 'on'] as const)
      if (flags[option] !== undefined) throw usageError(`--${option} belongs to --non-inferior RUN`);
    return { gates, allowUncalibratedJudge, publicKey, nonInferior: null };
  }
  if (flags.margin === undefined)
    throw usageError('--non-inferior needs --margin: how much worse is tolerated, e.g. --margin 0.02');
  const metric =
    flags.on === undefined
      ? null
      : knownMetric(flags.on, known, (message, code = 'ERR_USAGE') => {
          throw new KrisisError(`--on: ${message}`, { code });
        });
  const problem = marginProblem(metric ?? 'accuracy', flags.margin);
  if (problem !== null) throw usageError(`--margin: ${problem}`);
  return {
    gates,
    allowUncalibratedJudge,
    publicKey,
    nonInferior: { baseline: find(flags.nonInferior), margin: flags.margin, metric },
  };
}

/** The metrics that conditions on answers with labels can name: those that are scored, and those that could be. */
export function namesOfMetrics(options: ScoringOptions, ownMetrics: readonly Metric[]): KnownMetrics {
  const bundle = options.bundle === 'extended' ? extendedMetrics : defaultBenchmarkMetrics;
  const names = (metrics: readonly Metric[]) => metrics.map(({ name }) => name);
  return {
    names: names([...bundle(options), ...ownMetrics]),
    extended: names(extendedMetrics(options)),
    correctable: [],
  };
}

/**
 * Prints what became of the conditions: after a text, or where a document went into a file. A document on standard output is not to be
 * disturbed, so they go to standard error then.
 */
export function showVerdicts(
  verdicts: readonly GateVerdict[],
  { isDocument, output }: { readonly isDocument: boolean; readonly output: string | undefined },
): void {
  const write = isDocument && output === undefined ? printMessage : printText;
  write(verdictsText(verdicts));
  printMessage(gateHint(verdicts));
}

/** A share, typed as 0.02 or 2%; NaN for other text. */
export function parseShare(text: string): number {
  const [, number, percent] = /^\s*(\d*\.?\d+)\s*(%?)\s*$/.exec(text) ?? [];
  return Number(number) / (percent ? 100 : 1);
}

/** All uses of an option, in their order. */
export function collect(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), text];
}

function margin(text: string): number {
  const value = parseShare(text);
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number above 0, such as 0.02 or 2%.');
  return value;
}
