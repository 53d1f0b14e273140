import { parse } from 'yaml';
import { contentHash } from '../core/canonical-json.ts';
import { isObject } from '../core/collections.ts';
import { type ErrorCode, KrisisError, whyUnreadable } from '../core/errors.ts';
import { nearNames } from '../core/near-names.ts';
import { quoted, shown } from '../core/plain-text.ts';
import { readRegularFile } from '../core/regular-file.ts';
import type { AskedItem, AskedTrait } from './judge/asked.ts';
import { invalidRubric } from './traits/fields.ts';
import { type RubricTrait, type RubricTraits, TRAIT_KINDS } from './traits/kinds.ts';
import { askedItems, MetricRubricTrait } from './traits/metric-trait.ts';
import type { Bucket, Trait, TraitFunctions, TraitKind, TraitOutcome } from './traits/trait.ts';

/** What a YAML or JSON text holds. JSON is YAML, too. */
export function parseYaml(text: string, where: string, code: ErrorCode = 'ERR_RUBRIC_INVALID'): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new KrisisError(`${where}: not YAML: ${yamlProblem(cause as Error)}`, { code, cause });
  }
}

/** What is wrong with a YAML text, with the line that it is about. */
export function yamlProblem({ message }: Error): string {
  const [first = '', , line = ''] = message.split('\n');
  const problem = first.replace(
    /^Nested mappings are not allowed in compact mappings/,
    'a value with a colon needs quotes, and a nested key its own line,',
  );
  return line.trim() === '' ? problem : `${problem.replace(/:$/, '')}; the line is ${quoted(line.trim())}`;
}

/** The text of a file, or an error that says what was expected there. */
export async function readText(path: string, expected: string): Promise<string> {
  try {
    return (await readRegularFile(path)).toString('utf8');
  } catch (cause) {
    throw new KrisisError(`${path}: ${whyUnreadable(cause)}; expected ${expected}`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
      cause,
    });
  }
}

/** Whether a trait came from the rubric of all questions or from the question's own. */
export type Provenance = 'global' | 'question';

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
 * rubric.getMetricTraitNames(); // => ['Potassium']
 * [...rubric.getRequiredBuckets()] // => ['tp', 'fn', 'fp']
 * Rubric.parse(rubric.toJSON()).hash === rubric.hash // => true
 * ```
 */
export class Rubric {
  /** Traits of every kind, each with its kind: what can be done with any of them goes through these. */
  readonly traits: readonly RubricTrait[];
  readonly metricTraits: Required<RubricTraits>['metricTraits'];
  readonly llmTraits: Required<RubricTraits>['llmTraits'];
  readonly regexTraits: Required<RubricTraits>['regexTraits'];
  readonly callableTraits: Required<RubricTraits>['callableTraits'];
  /** Where each trait of a merged rubric came from, by name; empty in others. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  #hash: string | undefined;

  constructor(traits: RubricTraits = {}, provenance: ReadonlyMap<string, Provenance> = new Map()) {
    this.metricTraits = [...(traits.metricTraits ?? [])];
    this.llmTraits = [...(traits.llmTraits ?? [])];
    this.regexTraits = [...(traits.regexTraits ?? [])];
    this.callableTraits = [...(traits.callableTraits ?? [])];
    this.traits = TRAIT_KINDS.flatMap((kind) =>
      listTraits(traits, kind.id).map((trait) => withKind(kind, trait)),
    );
    this.provenance = provenance;
    this.traits.forEach(refuseOther);
    refuseSharedNames(this.traits);
  }

  /** Reads the form of files: `metric_traits`, `llm_traits`, `regex_traits`, `callable_traits`. All that is wrong is said in one error that begins with `where`. */
  static parse(object: unknown, where = 'rubric', functions: TraitFunctions = {}): Rubric {
    const { traits, problems } = readTraits(object, functions);
    if (problems.length > 0) throw invalidRubric(where, problems, object);
    try {
      return new Rubric(traits);
    } catch (error) {
      throw invalidRubric(where, [(error as Error).message], object);
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
    const taken = new Map(global.traitNames().map((name) => [name.toLowerCase(), name]));
    const shared = question.traitNames().find((name) => taken.has(name.toLowerCase()));
    if (shared !== undefined)
      throw new KrisisError(
        `trait ${quoted(shared)} of the question has the name of ${quoted(taken.get(shared.toLowerCase())!)} in the global rubric; rename one of them`,
        { code: 'ERR_RUBRIC_INVALID', value: shared },
      );
    const provenance = new Map<string, Provenance>([
      ...global.traitNames().map((name) => [name, 'global'] as const),
      ...question.traitNames().map((name) => [name, 'question'] as const),
    ]);
    const entries = [...global.traits, ...question.traits];
    const both = TRAIT_KINDS.map(({ id }) => [
      listName(id),
      entries.filter(({ kind }) => kind.id === id).map(({ trait }) => trait),
    ]);
    return new Rubric(Object.fromEntries(both), provenance);
  }

  getMetricTraitNames(): string[] {
    return this.metricTraits.map(({ name }) => name);
  }

  /** Names of all traits, of all kinds. */
  traitNames(): string[] {
    return this.traits.map(({ trait }) => trait.name);
  }

  /** The lists that at least one of the metric traits needs. */
  getRequiredBuckets(): ReadonlySet<Bucket> {
    return new Set(this.metricTraits.flatMap((trait) => [...trait.getRequiredBuckets()]));
  }

  /** All that a judge is asked about an answer: items of metric traits, and traits of the whole answer. */
  judgeQuestions(): { readonly items: readonly AskedItem[]; readonly llmTraits: readonly AskedTrait[] } {
    return { items: this.metricTraits.flatMap(askedItems), llmTraits: this.llmTraits };
  }

  /** The functions that decide traits, where they are given, by the name of the trait. */
  functions(): {
    readonly name: string;
    readonly evaluate: (answer: string, question: string) => TraitOutcome;
  }[] {
    return this.traits.flatMap((one) => {
      const evaluate = one.scoredBy === 'value' ? one.kind.getFunction?.(one.trait) : null;
      return evaluate ? [{ name: one.trait.name, evaluate }] : [];
    });
  }

  /** The same, with the traits that the text of the answer decides: for answers whose text is not kept. */
  evaluations(): ReturnType<Rubric['functions']> {
    const byText = this.traits.flatMap((one) => {
      if (one.scoredBy !== 'value' || one.kind.needs !== 'answer') return [];
      const { kind, trait } = one;
      return [{ name: trait.name, evaluate: (answer: string) => kind.outcome(trait, answer, null) }];
    });
    return [...this.functions(), ...byText];
  }

  /** The form of files; kinds without traits are left out. */
  toJSON(): Record<string, readonly unknown[]> {
    const kinds = Map.groupBy(this.traits, ({ kind }) => fileKey(kind.id));
    return Object.fromEntries(
      [...kinds].map(([key, entries]) => [
        key,
        entries.map(({ kind, trait }: { kind: TraitKind; trait: Trait }) => kind.toJSON(trait)),
      ]),
    );
  }

  /** SHA-256 of the canonical form: two rubrics with one hash judge alike. */
  get hash(): string {
    this.#hash ??= contentHash(this.toJSON());
    return this.#hash;
  }
}

/** The rubrics that a question of a run was judged by, in the order in which they were added, from the manifest of the run. */
export function storedRubrics(manifest: {
  readonly rubrics: Readonly<Record<string, unknown>> | null;
  readonly rubricsOf: Readonly<Record<string, readonly string[]>> | null;
}): (questionId: string) => readonly Rubric[] {
  const rubrics = new Map(
    Object.entries(manifest.rubrics ?? {}).map(([hash, object]) => [
      hash,
      Rubric.parse(object, `rubric ${hash.slice(0, 8)}`),
    ]),
  );
  return (questionId) => (manifest.rubricsOf?.[questionId] ?? []).flatMap((hash) => rubrics.get(hash) ?? []);
}

const FILE_KEYS = TRAIT_KINDS.map(({ id }) => fileKey(id));

function fileKey(id: string): string {
  return `${id}_traits`;
}

function listName(id: string): string {
  return `${id}Traits`;
}

function listTraits(traits: RubricTraits, id: string): readonly Trait[] {
  return (traits as Readonly<Record<string, readonly Trait[] | undefined>>)[listName(id)] ?? [];
}

/** The registry guarantees that the trait is of this kind. */
function withKind(kind: (typeof TRAIT_KINDS)[number], trait: Trait): RubricTrait {
  return { scoredBy: kind.scoredBy, kind, trait } as RubricTrait;
}

/** The traits of a rubric in the form of files, and all that is wrong with them. */
function readTraits(
  object: unknown,
  functions: TraitFunctions,
): { readonly traits: RubricTraits; readonly problems: readonly string[] } {
  if (!isObject(object))
    return {
      traits: {},
      problems: [`it is ${shown(object)}; expected an object with ${FILE_KEYS.join(', ')}`],
    };
  const given = new Map<string, unknown>(Object.entries(object));
  const problems = [...given.keys()].filter((key) => !FILE_KEYS.includes(key)).map(unknownKey);
  const lists = TRAIT_KINDS.map((kind) => {
    const key = fileKey(kind.id);
    const list = given.has(key) ? given.get(key) : [];
    if (!Array.isArray(list)) problems.push(`${key} is ${shown(list)}; expected a list of traits`);
    const traits = (Array.isArray(list) ? list : []).flatMap((trait: unknown, i): Trait[] => {
      try {
        return [kind.parse(trait, `${key}[${i}]`, functions)];
      } catch (error) {
        if (!(error instanceof KrisisError)) throw error;
        problems.push(error.message);
        return [];
      }
    });
    return [listName(kind.id), traits];
  });
  return { traits: Object.fromEntries(lists), problems };
}

function unknownKey(key: string): string {
  const near = nearNames(key, FILE_KEYS)[0];
  const hint = near === undefined ? '' : ` did you mean ${near}?`;
  return `unknown key ${quoted(key)};${hint} expected ${FILE_KEYS.join(', ')}`;
}

/** No compiler checked a rubric in plain JavaScript. */
function refuseOther({ kind, trait }: RubricTrait): void {
  const isTrait =
    typeof trait?.name === 'string' && (kind.id !== 'metric' || trait instanceof MetricRubricTrait);
  if (isTrait) return;
  throw new KrisisError(
    `${listName(kind.id)}: ${shown(trait)} is no trait; expected one made with its class${kind.id === 'metric' ? ', new MetricRubricTrait({ ... })' : ''}, or Rubric.parse for the form of files`,
    { code: 'ERR_RUBRIC_INVALID', value: trait },
  );
}

function refuseSharedNames(traits: readonly RubricTrait[]): void {
  const seen = new Map<string, string>();
  const places = [...Map.groupBy(traits, ({ kind }) => fileKey(kind.id))].flatMap(([key, entries]) =>
    entries.map(({ trait: { name } }, i) => ({ name, place: `${key}[${i}] ${quoted(name)}` })),
  );
  for (const { name, place } of places) {
    const first = seen.get(name.toLowerCase());
    if (first !== undefined)
      throw new KrisisError(
        `${place} has the name of ${first}; names are unique across kinds, whatever their case: rename one`,
        { code: 'ERR_RUBRIC_INVALID', value: name },
      );
    seen.set(name.toLowerCase(), place);
  }
}
