import { type ErrorCode, KrisisError } from '../../core/errors.ts';
import { didYouMean } from '../../core/near-names.ts';
import { canonicalMetricName } from '../../metrics/metric.ts';
import { builtInMetric } from '../../metrics/registry.ts';

export const OPERATORS = ['>=', '<=', '==', '!=', '>', '<'] as const;

/**
 * A condition on one metric: `selective_accuracy >= 0.9`, or on a bound of its interval: `lower(selective_accuracy) >= 0.9`; of a judged score also as corrected for the judge's errors:
 * `lower(corrected(safety.recall)) >= 0.9`.
 */
export interface Gate {
  /** As it was written. */
  readonly text: string;
  /** What is looked at: the value, or a bound of its interval. */
  readonly of: 'value' | 'lower' | 'upper';
  /** The name of a score; `corrected(NAME)` for one corrected for the judge's errors. */
  readonly metric: string;
  /** The numbers in brackets of a metric that takes some: `threshold_coverage(0.05, 0.9)`. Default: none. */
  readonly numbers?: readonly number[];
  readonly operator: (typeof OPERATORS)[number];
  readonly limit: number;
}

/** The names that a condition may use. */
export interface KnownMetrics {
  /** The metrics that will have a value. */
  readonly names: readonly string[];
  /** Metrics that would have one in the extended bundle. */
  readonly extended?: readonly string[] | undefined;
  /** Those that people's labels can correct for the judge's errors. Default: not checked. */
  readonly correctable?: readonly string[] | undefined;
}

/** How a condition names a number of an analysis, which takes numbers in brackets: `threshold_coverage(0.05, 0.9) >= 0.5`. The number is a share. */
export interface GateFunction {
  /** The numbers in brackets, each between 0 and 1, in words. */
  readonly parameters: readonly string[];
  readonly example: string;
}

const NAME = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const EXPECTED =
  "expected a metric, a comparison and a number: 'selective_accuracy >= 0.9' or 'lower(accuracy) > 80%'";

/** Reads a condition on a metric or on one of `functions`. */
export function parseCondition(
  written: string,
  known?: KnownMetrics,
  functions: Readonly<Record<string, GateFunction>> = {},
): Gate {
  const text = unquoted(written);
  const reader = new Reader(text);
  let at = reader.position;
  let name = reader.take(NAME) ?? reader.fail(at, 'a metric was expected here');
  let of: Gate['of'] = 'value';
  if (Object.hasOwn(functions, name)) {
    const numbers = reader.numbers(functions[name]!);
    return { metric: name, of, numbers, ...reader.comparison(), text: text.trim() };
  }
  let isCorrected = false;
  let nOpen = 0;
  while (reader.next('(')) {
    if (isCorrected) reader.fail(at, `corrected(...) takes the name of a score, not "${name}(...)"`);
    else if (name === 'corrected') isCorrected = true;
    else if (nOpen === 0 && (name === 'lower' || name === 'upper')) of = name;
    else reader.fail(at, functionProblem(name, nOpen > 0));
    nOpen += 1;
    at = reader.position;
    name = reader.take(NAME) ?? reader.fail(at, 'a metric was expected here');
  }
  for (; nOpen > 0; nOpen--) if (!reader.next(')')) reader.fail(reader.position, '")" was expected here');
  const found =
    known === undefined
      ? canonicalMetricName(name)
      : knownMetric(name, known, (message, code) => reader.fail(at, message, code));
  if (isCorrected && known?.correctable?.includes(found) === false)
    reader.fail(at, `${found} is not a judge's score, so there is nothing to correct`);
  const metric = isCorrected ? correctedName(found) : found;
  if (of !== 'value' && builtInMetric(metric)?.resampling === 'not_valid')
    reader.fail(
      at,
      `${metric} has no valid interval, so ${of}(...) of it cannot be checked; use its value, or a bound of overconfidence or brier_top_label`,
    );
  return { of, metric, ...reader.comparison(), text: text.trim() };
}

function functionProblem(name: string, isInside: boolean): string {
  return isInside
    ? `"${name}(...)" cannot be inside another function; write lower(corrected(SCORE))`
    : `"${name}(...)" is not known; lower(...) and upper(...) are the bounds of an interval, corrected(...) is a score corrected for the judge's errors`;
}

/** The metric meant by a name; fails with near names where there is none. */
export function knownMetric(
  typed: string,
  { names, extended = [] }: KnownMetrics,
  fail: (message: string, code?: ErrorCode) => never,
): string {
  if (names.includes(typed)) return typed;
  const wanted = canonicalMetricName(typed);
  const found = names.find((name) => canonicalMetricName(name) === wanted);
  if (found !== undefined) return found;
  if (extended.includes(wanted))
    fail(`"${typed}" is in the extended bundle, which is not scored here`, 'ERR_METRIC_NOT_SCORED');
  return fail(`no metric "${typed}" here; ${didYouMean(wanted, names, names.length)}`);
}

/** Some shells hand over the quotes as well. */
function unquoted(text: string): string {
  return /^\s*(['"])(.*)\1\s*$/s.exec(text)?.[2] ?? text;
}

/** Reads a text piece by piece, and skips blanks after each. */
class Reader {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#goTo(0);
  }

  #goTo(position: number): void {
    this.position = position;
    while (/\s/.test(this.#text[this.position] ?? '')) this.position += 1;
  }

  next(symbol: string): boolean {
    const found = this.#text.startsWith(symbol, this.position);
    if (found) this.#goTo(this.position + symbol.length);
    return found;
  }

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#goTo(this.position + found.length);
    return found;
  }

  /** A number, or a percentage. */
  number(): number {
    const number = this.take(NUMBER) ?? this.fail(this.position, 'a number was expected here');
    return this.next('%') ? Number(number) / 100 : Number(number);
  }

  /** The numbers in brackets, each within its limits. */
  numbers(takes: GateFunction): number[] {
    if (!this.next('(')) this.fail(this.position, `"(" was expected here: ${takes.example}`);
    const found = takes.parameters.map((parameter, i) => {
      if (i > 0 && !this.next(',')) this.fail(this.position, `"," was expected here: ${takes.example}`);
      const at = this.position;
      const number = this.number();
      if (!(number > 0 && number < 1)) this.fail(at, `${parameter} lies between 0 and 1`);
      return number;
    });
    if (!this.next(')')) this.fail(this.position, `")" was expected here: ${takes.example}`);
    return found;
  }

  /** The comparison and its limit, with which an expression ends. */
  comparison(): Pick<Gate, 'operator' | 'limit'> {
    const operator =
      OPERATORS.find((symbol) => this.next(symbol)) ??
      this.fail(this.position, `a comparison was expected here: ${OPERATORS.join(' ')}`);
    const limit = this.number();
    if (this.position < this.#text.length)
      this.fail(this.position, 'the expression should end here; several conditions are several expressions');
    return { operator, limit };
  }

  fail(position: number, message: string, code: ErrorCode = 'ERR_GATE_INVALID'): never {
    // A tab or a line break would put the caret under the wrong character.
    const shown = this.#text.replace(/\s/g, ' ');
    throw new KrisisError(`${message}\n  ${shown}\n  ${' '.repeat(position)}^\n${EXPECTED}`, {
      value: this.#text,
      code,
    });
  }
}

/** The name under which conditions know a corrected score. */
export function correctedName(name: string): string {
  return `corrected(${name})`;
}

/** Whether a condition is on a corrected score. */
export function isCorrected(name: string): boolean {
  return name.startsWith('corrected(');
}

/** A value this close to the limit is at the limit: 0.9 from a division may be 0.8999999999999999. */
export const EDGE = 1e-9;

const COMPARE: Readonly<Record<Gate['operator'], (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit - EDGE,
  '>': (value, limit) => value > limit + EDGE,
  '<=': (value, limit) => value <= limit + EDGE,
  '<': (value, limit) => value < limit - EDGE,
  '==': (value, limit) => Math.abs(value - limit) <= EDGE,
  '!=': (value, limit) => Math.abs(value - limit) > EDGE,
};

/** Whether a value meets the comparison of a condition. */
export function holds(value: number, { operator, limit }: Gate): boolean {
  return COMPARE[operator](value, limit);
}
