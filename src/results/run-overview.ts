import {
  type EmergencyRule,
  type EvaluationResult,
  isBlank,
  type Label,
  ledgerClass,
  type Stratum,
} from '../core/index.ts';
import type { Figures, RowTable, Warning } from '../metrics/index.ts';
import { labelTextKey, SubgroupValues } from '../store/index.ts';
import { type ConfidenceStep, confidenceSteps } from './confidence-steps.ts';
import type { Findings } from './findings.ts';
import type { RunResult } from './run-result.ts';
import type { RunThreshold } from './threshold/run-threshold.ts';
import { WorstFirst } from './worst-first.ts';

/** Raised when metrics change their definition. 2: an answer where no answer exists counts as wrong. */
export const SCORING_VERSION = 2;

/** What the page of a run shows besides its scores, stored when the run ends: opening a long run then need not read its rows. */
export interface RunOverview {
  /** The definitions that scores and figures follow: a page does not show those of an older version. */
  readonly scoring_version: typeof SCORING_VERSION;
  readonly figures: Figures;
  /** What follows from accepting answers of at least a confidence, highest first, thinned to at most 400 steps. */
  readonly confidence_steps: readonly ConfidenceStep[];
  readonly n_scored: number;
  /** What makes an emergency missed in this run. */
  readonly emergency_rule: EmergencyRule;
  /** The rows that a list by harm begins with. */
  readonly worst_first: readonly { readonly id: string; readonly repeat: number }[];
  /** The commonest values, at most 50 of each. */
  readonly facets: Readonly<Record<(typeof FACETS)[number], readonly string[]>>;
  /** Keys of metadata with few values, and these. */
  readonly subgroups: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly Warning[];
  /** Default: unknown, as in files of older versions; a page then reads the rows. */
  readonly flow?: RunResult['flow'];
  /** As `flow`. */
  readonly decisions?: RunResult['decisions'];
  /** As `flow`. */
  readonly decisions_at_prevalence?: RunResult['decisionsAtPrevalence'];
  /** As `flow`. */
  readonly detectable?: RunResult['detectable'];
  /** The lowest confidence at which to accept answers, with the default promise; as `flow`. */
  readonly threshold?: RunThreshold | null;
}

const FACETS = ['outcome', 'label', 'prediction', 'stratum', 'reason'] as const;
const MOST_VALUES = 50;
/** Answers that are none of the labels may all differ: what comes after so many is not counted. */
const MOST_COUNTED = 5000;

interface Count {
  readonly shown: string;
  n: number;
}

/** Collects row by row what can be chosen from. */
export class OverviewBuilder {
  readonly #facets = new Map(FACETS.map((name) => [name, new Map<string, Count>()]));
  readonly #subgroups = new SubgroupValues();
  readonly #stratum: Stratum;
  readonly #worst: WorstFirst;

  constructor(stratum: Stratum, actLabels: readonly Label[] | null | undefined) {
    this.#stratum = stratum;
    this.#worst = new WorstFirst(actLabels);
  }

  add(row: EvaluationResult): void {
    const { should_abstain_reasons: reasons, [this.#stratum.key]: stratum } = row.metadata;
    this.#count('outcome', ledgerClass(row));
    // Spellings of one class are one value.
    const [label, prediction] = [textOf(row.groundTruth), textOf(row.prediction)];
    this.#count('label', label, labelTextKey(label));
    this.#count('prediction', prediction, labelTextKey(prediction));
    this.#count('stratum', stratum === undefined || stratum === null ? 'none' : String(stratum));
    for (const reason of new Set(Array.isArray(reasons) ? reasons : []))
      if (typeof reason === 'string') this.#count('reason', reason);
    this.#subgroups.add(row.metadata);
    this.#worst.add(row);
  }

  facets(): RunOverview['facets'] {
    const commonest = (counts: ReadonlyMap<string, Count>) =>
      [...counts.values()]
        .sort((a, b) => b.n - a.n)
        .slice(0, MOST_VALUES)
        .map(({ shown }) => shown);
    const facets = [...this.#facets].map(([name, counts]) => [name, commonest(counts)]);
    return Object.fromEntries(facets) as RunOverview['facets'];
  }

  subgroups(): RunOverview['subgroups'] {
    return Object.fromEntries([...this.#subgroups.subgroups()].map(([key, values]) => [key, [...values]]));
  }

  /** What the manifest keeps of a finished run of labels. */
  finish(
    table: RowTable,
    result: Pick<
      RunResult,
      'status' | 'figures' | 'nScored' | 'warnings' | 'method' | 'flow' | 'repeats' | keyof Findings
    >,
  ): RunOverview {
    const rule = table.scored.emergencyRule;
    const { figures, nScored, warnings, flow, decisions, decisionsAtPrevalence, detectable } = result;
    return {
      scoring_version: SCORING_VERSION,
      figures: figures!,
      confidence_steps: confidenceSteps(table, result),
      n_scored: nScored,
      emergency_rule: rule,
      worst_first: this.#worst.first(rule, result.repeats),
      facets: this.facets(),
      subgroups: this.subgroups(),
      warnings,
      flow,
      decisions,
      decisions_at_prevalence: decisionsAtPrevalence,
      detectable,
      threshold: result.threshold(),
    };
  }

  #count(name: (typeof FACETS)[number], shown: string, key = shown): void {
    const counts = this.#facets.get(name)!;
    const known = counts.get(key);
    if (known !== undefined) known.n += 1;
    else if (counts.size < MOST_COUNTED) counts.set(key, { shown, n: 1 });
  }
}

function textOf(label: Label | null): string {
  return isBlank(label) ? 'null' : String(label);
}
