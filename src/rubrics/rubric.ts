import { contentHash, KrisisError, quoted } from '../core/index.ts';
import { parseYaml, readText } from './rubric-text.ts';
import {
  type CallableRubricTrait,
  callableTraitToWire,
  type TraitFunction,
} from './traits/callable-trait.ts';
import { type LlmRubricTrait, llmTraitToWire } from './traits/llm-trait.ts';
import type { MetricRubricTrait } from './traits/metric-trait.ts';
import { readTraits, traitsWithPlaces } from './traits/read-traits.ts';
import { type RegexRubricTrait, regexTraitToWire } from './traits/regex-trait.ts';
import type { Bucket } from './traits/vocabulary.ts';

export interface RubricTraits {
  readonly metricTraits?: readonly MetricRubricTrait[];
  readonly llmTraits?: readonly LlmRubricTrait[];
  readonly regexTraits?: readonly RegexRubricTrait[];
  readonly callableTraits?: readonly CallableRubricTrait[];
}

/** Whether a trait came from the rubric of all questions or from the question's own. */
export type Provenance = 'global' | 'question';

/** The user's functions for callable traits, by the name of the trait. */
export type TraitFunctions = Readonly<Record<string, TraitFunction>>;

/**
 * What answers are judged by: traits of every kind. Names are unique across kinds, whatever their case.
 *
 * @example
 * ```ts
 * const rubric = Rubric.fromYaml(`
 * metric_traits:
 *   - name: Potassium
 *     metrics: [recall]
 *     tp_instructions: [States that 6.3 mmol/L is high, Advises an ECG]
 * regex_traits:
 *   - { name: Units, pattern: mmol/L }
 * `);
 * rubric.metricTraitNames() // => ['Potassium']
 * [...rubric.requiredBuckets()] // => ['tp', 'fn', 'fp']
 * Rubric.parse(rubric.toJSON()).hash === rubric.hash // => true
 * ```
 */
export class Rubric {
  readonly metricTraits: readonly MetricRubricTrait[];
  readonly llmTraits: readonly LlmRubricTrait[];
  readonly regexTraits: readonly RegexRubricTrait[];
  readonly callableTraits: readonly CallableRubricTrait[];
  /** Where each trait of a merged rubric came from, by name; empty in others. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  #hash: string | undefined;

  constructor(traits: RubricTraits = {}, provenance: ReadonlyMap<string, Provenance> = new Map()) {
    this.metricTraits = [...(traits.metricTraits ?? [])];
    this.llmTraits = [...(traits.llmTraits ?? [])];
    this.regexTraits = [...(traits.regexTraits ?? [])];
    this.callableTraits = [...(traits.callableTraits ?? [])];
    this.provenance = provenance;
    refuseSharedNames(this);
  }

  /** Reads the form of files: `metric_traits`, `llm_traits`, `regex_traits`, `callable_traits`. All that is wrong is said in one error that begins with `where`. */
  static parse(object: unknown, where = 'rubric', functions: TraitFunctions = {}): Rubric {
    const { traits, problems } = readTraits(object, functions);
    if (problems.length > 0) throw refusal(where, problems, object);
    try {
      return new Rubric(traits);
    } catch (error) {
      throw refusal(where, [(error as Error).message], object);
    }
  }

  static fromYaml(text: string, where = 'rubric', functions: TraitFunctions = {}): Rubric {
    return Rubric.parse(parseYaml(text, where), where, functions);
  }

  /** Reads a YAML or JSON file. */
  static async fromFile(path: string, functions: TraitFunctions = {}): Promise<Rubric> {
    return Rubric.fromYaml(await readText(path, 'the YAML file of a rubric'), path, functions);
  }

  /** The rubric of all questions and a question's own in one. A name that both have is refused: neither can silently take the other's place. */
  static merge(global: Rubric, question: Rubric): Rubric {
    const provenance = new Map<string, Provenance>();
    for (const name of global.traitNames()) provenance.set(name, 'global');
    const taken = new Map(global.traitNames().map((name) => [name.toLowerCase(), name]));
    for (const name of question.traitNames()) {
      const other = taken.get(name.toLowerCase());
      if (other !== undefined) {
        throw new KrisisError(
          `trait ${quoted(name)} of the question has the name of ${quoted(other)} in the global rubric; rename one of them`,
          { value: name },
        );
      }
      provenance.set(name, 'question');
    }
    return new Rubric(
      {
        metricTraits: [...global.metricTraits, ...question.metricTraits],
        llmTraits: [...global.llmTraits, ...question.llmTraits],
        regexTraits: [...global.regexTraits, ...question.regexTraits],
        callableTraits: [...global.callableTraits, ...question.callableTraits],
      },
      provenance,
    );
  }

  metricTraitNames(): string[] {
    return this.metricTraits.map(({ name }) => name);
  }

  /** Names of all traits, of all kinds. */
  traitNames(): string[] {
    return traitsWithPlaces(this).map(({ name }) => name);
  }

  /** The lists that at least one of the metric traits needs. */
  requiredBuckets(): ReadonlySet<Bucket> {
    return new Set(this.metricTraits.flatMap((trait) => [...trait.requiredBuckets()]));
  }

  /** The form of files; kinds without traits are left out. */
  toJSON(): Record<string, readonly unknown[]> {
    const kinds = {
      metric_traits: this.metricTraits.map((trait) => trait.toJSON()),
      llm_traits: this.llmTraits.map(llmTraitToWire),
      regex_traits: this.regexTraits.map(regexTraitToWire),
      callable_traits: this.callableTraits.map(callableTraitToWire),
    };
    return Object.fromEntries(Object.entries(kinds).filter(([, traits]) => traits.length > 0));
  }

  /** SHA-256 of the canonical form: two rubrics with one hash judge alike. */
  get hash(): string {
    this.#hash ??= contentHash(this.toJSON());
    return this.#hash;
  }
}

function refuseSharedNames(rubric: Rubric): void {
  const seen = new Map<string, { name: string; place: string }>();
  for (const trait of traitsWithPlaces(rubric)) {
    const first = seen.get(trait.name.toLowerCase());
    if (first !== undefined) {
      throw new KrisisError(
        `${trait.place} ${quoted(trait.name)} has the name of ${first.place} ${quoted(first.name)}; names are unique across kinds, whatever their case: rename one`,
        { value: trait.name },
      );
    }
    seen.set(trait.name.toLowerCase(), trait);
  }
}

function refusal(where: string, problems: readonly string[], value: unknown): KrisisError {
  const text =
    problems.length === 1
      ? ` ${problems[0]}`
      : problems.map((problem) => `\n  ${problem.replaceAll('\n', '\n  ')}`).join('');
  return new KrisisError(`${where}:${text}`, { value });
}
