import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { TASK_NAMES } from '../metrics/bundle-options.ts';
import { canonicalMetricName, type Metric } from '../metrics/metric.ts';
import { defaultBenchmarkMetrics, extendedMetrics } from '../metrics/registry.ts';
import { bundleMetrics, type ScoringOptions } from '../metrics/score.ts';
import type { KnownMetrics } from '../runs/conditions/expression.ts';
import type { GatePlan, GateVerdict } from '../runs/conditions/verdict.ts';
import { verdictsText } from '../runs/gates/verdicts-text.ts';
import { HEADINGS } from './help.ts';
import { gateHint } from './hints.ts';
import { isForTerminal, printMessage, printText } from './print.ts';

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
  const extended = new Set(
    TASK_NAMES.flatMap((task) => extendedMetrics({ task, labelFromValues: true })).map(({ name }) => name),
  );
  const isBeyond = (name: string) => extended.has(name) && !standard.has(name);
  return named.some((name) => isBeyond(canonicalMetricName(name))) ? 'extended' : bundle;
}

/** Whether a flag speaks of conditions: parsing them loads every analysis that has one. */
export function isGated(flags: GateFlags): boolean {
  const { assert, nonInferior, margin, on, allowUncalibratedJudge, requireSignature } = flags;
  return [assert, nonInferior, margin, on, allowUncalibratedJudge, requireSignature].some(
    (flag) => flag !== undefined && flag !== false,
  );
}

export const NO_GATES: GatePlan = { gates: [], nonInferior: null };

/** The metrics that conditions on answers with labels can name: those that are scored, and those that could be. */
export function namesOfMetrics(options: ScoringOptions, ownMetrics: readonly Metric[]): KnownMetrics {
  const names = (metrics: readonly Metric[]) => metrics.map(({ name }) => name);
  return {
    names: names([...(options.metrics ?? bundleMetrics(options)), ...ownMetrics]),
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
  { format, output }: { readonly format: string; readonly output: string | undefined },
): void {
  const write = isForTerminal({ format, output }) || output !== undefined ? printText : printMessage;
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
