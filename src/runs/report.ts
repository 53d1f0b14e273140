import { z } from 'zod';
import { runFailureSchema, unusableRepliesSchema } from '../analyses/failures/failures.ts';
import { analysisResultsSchema } from '../analyses/registry.ts';
import {
  count,
  DECISION_CLASSES,
  type DecisionFacts,
  decisionClass,
  decisionFacts,
  type EmergencyRule,
  type EvaluationResult,
  fromFile,
  isBlank,
  type Label,
  ledgerClass,
  pick,
  type Shape,
  type Stratum,
  toFile,
} from '../core/index.ts';
import { type Figures, leadingScores, scorecardSchema } from '../metrics/index.ts';
import { encodeListLine, type ListLine, labelTextKey, type RunFile, SubgroupValues } from '../store/index.ts';
import type { RunResult } from './run-result.ts';

/** Raised when metrics change their definition. 2: an answer where no answer exists counts as wrong. */
const SCORING_VERSION = 2;

const FACETS = ['outcome', 'label', 'prediction', 'stratum', 'reason'] as const;
const texts = z.array(z.string());

const reportSchema = z.object({
  /** The definitions that scores and figures follow: a report of another version is computed again. */
  scoringVersion: z.literal(SCORING_VERSION),
  /** Ledger, scores, groups, and how they were computed. */
  card: scorecardSchema,
  failures: z.array(runFailureSchema),
  unusableReplies: z.array(unusableRepliesSchema),
  /** What charts show; null for a run without rows. */
  figures: z.custom<Figures>((value) => typeof value === 'object' && value !== null).nullable(),
  /** The results of all analyses, by id. */
  analyses: analysisResultsSchema,
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
    return fromFile(reportSchema, JSON.parse(stored.content));
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

  finish(result: RunResult): Report {
    const { emergencyRule } = result;
    return {
      scoringVersion: SCORING_VERSION,
      card: result.card,
      failures: result.failures,
      unusableReplies: result.unusableReplies,
      figures: result.figures,
      analyses: result.analyses,
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

/** As many rows as a list of records shows before it needs an index of all. */
const MAX_FIRST = 200;

interface Place {
  readonly id: string;
  /** In the order of the file, from 0. */
  readonly place: number;
  readonly confidence: number | null;
}

/** Rows that agree in all facts have one class, whatever the rule turns out to be. */
interface Alike {
  readonly facts: DecisionFacts;
  /** The surest first once sorted; more than needed until then. */
  surest: Place[];
}

/** Keeps the rows that a list by harm begins with. The rule may be known only after the last row. */
export class WorstFirst {
  readonly #groups = new Map<string, Alike>();
  readonly #actLabels: readonly Label[];
  #n = 0;

  constructor(actLabels: readonly Label[] | null | undefined) {
    this.#actLabels = actLabels ?? [];
  }

  add(row: EvaluationResult): void {
    const facts = decisionFacts(row, this.#actLabels);
    const key = Object.values(facts).join();
    const group = this.#groups.get(key) ?? { facts, surest: [] };
    this.#groups.set(key, group);
    group.surest.push({ id: row.id ?? '', place: this.#n, confidence: row.confidence });
    if (group.surest.length >= 2 * MAX_FIRST) group.surest = surestOf(group.surest);
    this.#n += 1;
  }

  /** The first rows of a list by harm: by class, the worst first, and the surest first within one. Rows come once per repeat. */
  first(rule: EmergencyRule, repeats: number): { readonly id: string; readonly repeat: number }[] {
    const byRank = Map.groupBy(this.#groups.values(), ({ facts }) =>
      facts.state === 'not_run'
        ? DECISION_CLASSES.length
        : DECISION_CLASSES.indexOf(decisionClass(facts, rule)),
    );
    const perRepeat = this.#n / repeats;
    return [...byRank]
      .sort(([a], [b]) => a - b)
      .flatMap(([, groups]) => surestOf(groups.flatMap(({ surest }) => surest)))
      .slice(0, MAX_FIRST)
      .map(({ id, place }) => ({ id, repeat: Math.floor(place / perRepeat) }));
  }
}

/** Rows without a confidence come last; ties keep the order of the file. */
function surestOf(places: readonly Place[]): Place[] {
  const confidence = (place: Place) => place.confidence ?? Number.NEGATIVE_INFINITY;
  return places
    .toSorted((a, b) =>
      confidence(a) < confidence(b) ? 1 : confidence(a) > confidence(b) ? -1 : a.place - b.place,
    )
    .slice(0, MAX_FIRST);
}
