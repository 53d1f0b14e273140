import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import {
  DECISION_CLASSES,
  type DecisionFacts,
  decisionClass,
  decisionFacts,
  type EmergencyRule,
} from '../../core/decision-class.ts';
import type { EvaluationResult } from '../../core/evaluation-result.ts';
import { isBlank, type Label } from '../../core/label.ts';
import { ledgerClass } from '../../core/ledger.ts';
import { getStratum, type Stratum } from '../../core/patient-record.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { labelTextKey } from '../../store/queries/record-filter.ts';
import { SubgroupValues } from '../../store/queries/record-line.ts';
import { type Collector, defineRunAnalysis } from '../analysis.ts';

const FACETS = ['outcome', 'label', 'prediction', 'stratum', 'reason'] as const;
const texts = z.array(z.string());

const recordIndexSchema = z.object({
  /** The rows that a list by harm begins with. */
  worstFirst: z.array(z.object({ id: z.string(), repeat: count })),
  /** The commonest values, at most 50 of each. */
  facets: z.object(
    Object.fromEntries(FACETS.map((name) => [name, texts])) as Record<(typeof FACETS)[number], typeof texts>,
  ),
  /** Keys of metadata with few values, and these. */
  subgroups: z.record(z.string(), texts),
});
/** What a list of records begins with, and the values that it can be filtered by. */
export type RecordIndex = Shape<typeof recordIndexSchema>;

/** For the list of records, and for links to it. */
export const recordIndexAnalysis = defineRunAnalysis({
  id: 'recordIndex',
  schema: recordIndexSchema,
  isInJson: false,
  collect: ({ actLabels }, task) => new RecordIndexBuilder(getStratum(task), actLabels),
  compute: ({ card, repeats, collected }) =>
    (collected as RecordIndexBuilder).finish(card.emergencyRule, repeats),
});

/** The index of a run; null for one without rows. */
export function recordIndex({ analyses }: Pick<RunResult, 'analyses'>): RecordIndex | null {
  return (analyses[recordIndexAnalysis.id] ?? null) as RecordIndex | null;
}

/** A list of so many values may be incomplete. */
export const MAX_VALUES = 50;
/** Answers that are not labels may all be different, so only this many distinct values are counted. */
const MAX_COUNTED = 5000;

interface Count {
  readonly shown: string;
  n: number;
}

/** Collects row by row what a list of records begins with, and can be filtered by. */
class RecordIndexBuilder implements Collector {
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

  finish(rule: EmergencyRule, repeats: number): RecordIndex {
    return {
      worstFirst: this.#worst.first(rule, repeats),
      facets: this.#commonest(),
      subgroups: Object.fromEntries(
        [...this.#subgroups.subgroups()].map(([key, values]) => [key, [...values]]),
      ),
    };
  }

  #commonest(): RecordIndex['facets'] {
    const commonest = (counts: ReadonlyMap<string, Count>) =>
      [...counts.values()]
        .sort((a, b) => b.n - a.n)
        .slice(0, MAX_VALUES)
        .map(({ shown }) => shown);
    const facets = [...this.#facets].map(([name, counts]) => [name, commonest(counts)]);
    return Object.fromEntries(facets) as RecordIndex['facets'];
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
    if (group.surest.length >= 2 * MAX_FIRST) group.surest = findSurest(group.surest);
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
      .flatMap(([, groups]) => findSurest(groups.flatMap(({ surest }) => surest)))
      .slice(0, MAX_FIRST)
      .map(({ id, place }) => ({ id, repeat: Math.floor(place / perRepeat) }));
  }
}

/** Rows without a confidence come last; ties keep the order of the file. */
function findSurest(places: readonly Place[]): Place[] {
  const confidence = (place: Place) => place.confidence ?? Number.NEGATIVE_INFINITY;
  return places
    .toSorted((a, b) =>
      confidence(a) < confidence(b) ? 1 : confidence(a) > confidence(b) ? -1 : a.place - b.place,
    )
    .slice(0, MAX_FIRST);
}
