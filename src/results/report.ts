import { z } from 'zod';
import {
  count,
  DECISION_CLASSES,
  type EvaluationResult,
  fromFile,
  isBlank,
  type Label,
  ledgerClass,
  pick,
  type Shape,
  type Stratum,
  scoreSchema,
  toFile,
} from '../core/index.ts';
import {
  decisionGroupsSchema,
  decisionsAtPrevalenceSchema,
  type Figures,
  leadingScores,
  type RowTable,
} from '../metrics/index.ts';
import { encodeListLine, type ListLine, labelTextKey, type RunFile, SubgroupValues } from '../store/index.ts';
import { confidenceStepSchema, confidenceSteps } from './confidence-steps.ts';
import { detectableDifferenceSchema } from './detectable-difference.ts';
import { runFailureSchema, unusableRepliesSchema } from './failures.ts';
import { flowSchema } from './flow.ts';
import type { RunResult } from './run-result.ts';
import { runThresholdSchema } from './threshold/run-threshold.ts';
import { WorstFirst } from './worst-first.ts';

/** Raised when metrics change their definition. 2: an answer where no answer exists counts as wrong. */
const SCORING_VERSION = 2;

const FACETS = ['outcome', 'label', 'prediction', 'stratum', 'reason'] as const;
const texts = z.array(z.string());

const reportSchema = z.object({
  /** The definitions that scores and figures follow: a report of another version is computed again. */
  scoringVersion: z.literal(SCORING_VERSION),
  ledger: z.record(z.string(), count),
  nScored: count,
  scores: z.array(scoreSchema),
  /** How the numbers were computed. */
  method: z.looseObject({ level: z.number(), cluster: z.string().nullable() }),
  /** What makes an emergency missed in this run. */
  emergencyRule: z.enum(['urgency', 'label', 'silence']),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  failures: z.array(runFailureSchema),
  unusableReplies: z.array(unusableRepliesSchema),
  /** What charts show; null for a run without rows. */
  figures: z.custom<Figures>((value) => typeof value === 'object' && value !== null).nullable(),
  flow: flowSchema.nullable(),
  decisions: decisionGroupsSchema.nullable(),
  decisionsAtPrevalence: z.array(decisionsAtPrevalenceSchema),
  detectable: detectableDifferenceSchema.nullable(),
  /** The lowest confidence at which to accept answers, with the default promise. */
  threshold: runThresholdSchema.nullable(),
  /** What follows from accepting answers of at least a confidence, highest first, thinned to at most 400 steps. */
  confidenceSteps: z.array(confidenceStepSchema),
  /** The rows that a list by harm begins with. */
  worstFirst: z.array(z.object({ id: z.string(), repeat: count })),
  /** The commonest values, at most 50 of each. */
  facets: z.object(
    Object.fromEntries(FACETS.map((name) => [name, texts])) as Record<(typeof FACETS)[number], typeof texts>,
  ),
  /** Keys of metadata with few values, and these. */
  subgroups: z.record(z.string(), texts),
});

/** Everything that is computed from the rows of a run with labels and shown to people: the end of a run stores it, so that a long run opens as fast as a short one. */
export type Report = Shape<typeof reportSchema>;

/** The report that the end of the run stored; null where there is none, or where it no longer fits the entries or our definitions. */
export function readStoredReport(file: RunFile): Report | null {
  const stored = file.report();
  if (stored === null) return null;
  try {
    return fromFile(reportSchema, JSON.parse(stored.content)) as Report;
  } catch {
    return null;
  }
}

/** Stores the report of a run that has just ended; its manifest must say so already. */
export function storeReport(file: RunFile, result: RunResult, report: Report | null): void {
  const { metricScores, extras, ledger, flow, primaryEndpoint } = result;
  const primary = primaryEndpoint?.metric ?? null;
  const ended: ListLine['ended'] = {
    ledger: { ...ledger },
    decisionClasses:
      flow &&
      pick(
        flow.rows,
        DECISION_CLASSES.filter((name) => flow.rows[name] > 0),
      ),
    primary,
    // Only people can say how good a judge is, so that scores of open questions do not stand in lists.
    leading: report === null ? [] : leadingScores(metricScores, primary),
    costUsd: extras.cost_usd ?? null,
    elapsedSeconds: extras.elapsed_seconds ?? null,
  };
  // The content is null for open questions, whose answers are read for their page.
  const content = JSON.stringify(report && toFile(reportSchema, report));
  file.storeReport({ line: encodeListLine(file, ended), content });
}

const MAX_VALUES = 50;
/** Answers that are none of the labels may all differ: what comes after so many is not counted. */
const MAX_COUNTED = 5000;

interface Count {
  readonly shown: string;
  n: number;
}

/** Collects row by row what a report has besides the result of scoring. */
export class ReportBuilder {
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
    const [label, prediction] = [labelText(row.groundTruth), labelText(row.prediction)];
    this.#count('label', label, labelTextKey(label));
    this.#count('prediction', prediction, labelTextKey(prediction));
    this.#count('stratum', stratum === undefined || stratum === null ? 'none' : String(stratum));
    for (const reason of new Set(Array.isArray(reasons) ? reasons : []))
      if (typeof reason === 'string') this.#count('reason', reason);
    this.#subgroups.add(row.metadata);
    this.#worst.add(row);
  }

  /** `table` is null for a run without rows. */
  finish(result: RunResult, table: RowTable | null): Report {
    const { emergencyRule } = result;
    return {
      scoringVersion: SCORING_VERSION,
      ledger: { ...result.ledger },
      nScored: result.nScored,
      scores: result.metricScores,
      method: { ...result.method },
      emergencyRule,
      warnings: result.warnings.map(({ code, message }) => ({ code, message })),
      failures: result.failures,
      unusableReplies: result.unusableReplies,
      figures: result.figures,
      flow: result.flow,
      decisions: result.decisions,
      decisionsAtPrevalence: result.decisionsAtPrevalence,
      detectable: result.detectable,
      threshold: result.threshold(),
      confidenceSteps: table === null ? [] : confidenceSteps(table, result),
      worstFirst: this.#worst.first(emergencyRule, result.repeats),
      facets: this.#commonest(),
      subgroups: Object.fromEntries(
        [...this.#subgroups.subgroups()].map(([key, values]) => [key, [...values]]),
      ),
    };
  }

  #commonest(): Report['facets'] {
    const commonest = (counts: ReadonlyMap<string, Count>) =>
      [...counts.values()]
        .sort((a, b) => b.n - a.n)
        .slice(0, MAX_VALUES)
        .map(({ shown }) => shown);
    const facets = [...this.#facets].map(([name, counts]) => [name, commonest(counts)]);
    return Object.fromEntries(facets) as Report['facets'];
  }

  #count(name: (typeof FACETS)[number], shown: string, key = shown): void {
    const counts = this.#facets.get(name)!;
    const known = counts.get(key);
    if (known !== undefined) known.n += 1;
    else if (counts.size < MAX_COUNTED) counts.set(key, { shown, n: 1 });
  }
}

function labelText(label: Label | null): string {
  return isBlank(label) ? 'null' : String(label);
}
