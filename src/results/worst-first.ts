import {
  DECISION_CLASSES,
  type DecisionFacts,
  decisionClass,
  decisionFacts,
  type EmergencyRule,
  type EvaluationResult,
  type Label,
} from '../core/index.ts';

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
