import {
  type EvaluationResult,
  isBlank,
  type Label,
  labelKey,
  ledgerClass,
  type Stratum,
} from '../core/index.ts';
import { ageBand, type Figures, type RowTable, Sample, type Warning } from '../metrics/index.ts';
import type { RunResult } from './run-result.ts';

/** What the page of a run shows besides its scores, stored when the run ends: opening a long run then need not read its rows. */
export interface RunOverview {
  readonly figures: Figures;
  /** Usable rows by stated confidence, highest first, thinned to at most 400 steps. */
  readonly confidence_steps: readonly { threshold: number; n: number; errors: number }[];
  readonly n_scored: number;
  /** The commonest values, at most 50 of each. */
  readonly facets: Readonly<Record<(typeof FACETS)[number], readonly string[]>>;
  /** Keys of metadata with few values, and these. */
  readonly subgroups: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly Warning[];
}

const FACETS = ['outcome', 'label', 'prediction', 'stratum', 'reason'] as const;
const MOST_VALUES = 50;
/** Answers that are none of the labels may all differ: what comes after so many is not counted. */
const MOST_COUNTED = 5000;
const MOST_STEPS = 400;

interface Count {
  readonly shown: string;
  n: number;
}

/** Collects row by row what can be chosen from. */
export class OverviewBuilder {
  readonly #facets = new Map(FACETS.map((name) => [name, new Map<string, Count>()]));
  readonly #subgroups = new Map<string, Set<string>>();
  readonly #stratum: Stratum;

  constructor(stratum: Stratum) {
    this.#stratum = stratum;
  }

  add(row: EvaluationResult): void {
    const { should_abstain_reasons: reasons, [this.#stratum.key]: stratum } = row.metadata;
    this.#count('outcome', ledgerClass(row));
    this.#count('label', textOf(row.groundTruth), keyOf(row.groundTruth));
    this.#count('prediction', textOf(row.prediction), keyOf(row.prediction));
    this.#count('stratum', stratum === undefined || stratum === null ? 'none' : String(stratum));
    for (const reason of new Set(Array.isArray(reasons) ? reasons : []))
      if (typeof reason === 'string') this.#count('reason', reason);
    for (const [key, value] of Object.entries(row.metadata)) this.#enter(key, value);
  }

  facets(): RunOverview['facets'] {
    const facet = (name: (typeof FACETS)[number]) =>
      [...this.#facets.get(name)!.values()]
        .sort((a, b) => b.n - a.n)
        .slice(0, MOST_VALUES)
        .map(({ shown }) => shown);
    return {
      outcome: facet('outcome'),
      label: facet('label'),
      prediction: facet('prediction'),
      stratum: facet('stratum'),
      reason: facet('reason'),
    };
  }

  subgroups(): RunOverview['subgroups'] {
    const few = [...this.#subgroups].filter(([, { size }]) => size <= MOST_VALUES);
    return Object.fromEntries(few.map(([key, set]) => [key, [...set]]));
  }

  /** What the manifest keeps of a finished run of labels. */
  finish(
    table: RowTable,
    { figures, nScored, warnings }: Pick<RunResult, 'figures' | 'nScored' | 'warnings'>,
  ): RunOverview {
    return {
      figures: figures!,
      confidence_steps: confidenceSteps(table),
      n_scored: nScored,
      facets: this.facets(),
      subgroups: this.subgroups(),
      warnings,
    };
  }

  #count(name: (typeof FACETS)[number], shown: string, key = shown): void {
    const counts = this.#facets.get(name)!;
    const known = counts.get(key);
    if (known !== undefined) known.n += 1;
    else if (counts.size < MOST_COUNTED) counts.set(key, { shown, n: 1 });
  }

  /** A key with a colon in its name cannot be written in a filter; one with many values is an id or an age. */
  #enter(key: string, value: unknown): void {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return;
    if (key === 'should_abstain' || key.includes(':')) return;
    const known = this.#subgroups.get(key) ?? new Set();
    this.#subgroups.set(key, known);
    // Ages are chosen in the bands that they are scored in.
    if (known.size <= MOST_VALUES) known.add(key === 'age' ? ageBand(String(value)) : String(value));
  }
}

function textOf(label: Label | null): string {
  return isBlank(label) ? 'null' : String(label);
}

/** Spellings of one class are one value. */
function keyOf(label: Label | null): string {
  const key = isBlank(label) ? 'null' : String(labelKey(String(label)));
  return key === 'true' ? '1' : key === 'false' ? '0' : key;
}

/** How many usable rows have at least a confidence, and how many of those are wrong: at every confidence that was stated, the highest first, and in even steps where there are too many. */
export function confidenceSteps({ scored }: RowTable): RunOverview['confidence_steps'] {
  const { size, confidence, count, errors } = Sample.from(scored).confidence;
  const steps: { threshold: number; n: number; errors: number }[] = [];
  let n = 0;
  let wrong = 0;
  for (let i = 0; i < size; i++) {
    n += count[i]!;
    wrong += errors[i]!;
    steps.push({ threshold: confidence[i]!, n, errors: wrong });
  }
  if (steps.length <= MOST_STEPS) return steps;
  const stride = (steps.length - 1) / (MOST_STEPS - 1);
  return Array.from({ length: MOST_STEPS }, (_, i) => steps[Math.round(i * stride)]!);
}
