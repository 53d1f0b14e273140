import { KrisisError, nearNames, quoted } from '../../core/index.ts';
import { type CallableRubricTrait, parseCallableTrait, type TraitFunction } from './callable-trait.ts';
import { shown } from './fields.ts';
import { type LlmRubricTrait, parseLlmTrait } from './llm-trait.ts';
import { MetricRubricTrait } from './metric-trait.ts';
import { parseRegexTrait, type RegexRubricTrait } from './regex-trait.ts';

const KINDS = {
  metric_traits: 'metricTraits',
  llm_traits: 'llmTraits',
  regex_traits: 'regexTraits',
  callable_traits: 'callableTraits',
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

interface Traits {
  readonly metricTraits: readonly MetricRubricTrait[];
  readonly llmTraits: readonly LlmRubricTrait[];
  readonly regexTraits: readonly RegexRubricTrait[];
  readonly callableTraits: readonly CallableRubricTrait[];
}

/** The traits of a rubric in the form of files, and all that is wrong with them. */
export function readTraits(
  object: unknown,
  functions: Readonly<Record<string, TraitFunction>>,
): { traits: Traits; problems: string[] } {
  const problems: string[] = [];
  const given = entriesOf(object, problems);
  const list = <T>(kind: Kind, read: (trait: unknown, place: string) => T): T[] =>
    listOf(given.get(kind), kind, problems).flatMap((trait, i) => {
      try {
        return [read(trait, `${kind}[${i}]`)];
      } catch (error) {
        if (!(error instanceof KrisisError)) throw error;
        problems.push(error.message);
        return [];
      }
    });
  const traits = {
    metricTraits: list('metric_traits', (trait, place) => MetricRubricTrait.parse(trait, place)),
    llmTraits: list('llm_traits', parseLlmTrait),
    regexTraits: list('regex_traits', parseRegexTrait),
    callableTraits: list('callable_traits', (trait, place) => parseCallableTrait(trait, place, functions)),
  };
  return { traits, problems };
}

/** Every trait with its place in the form of files. */
export function traitsWithPlaces(traits: Traits): { name: string; place: string }[] {
  return KIND_NAMES.flatMap((kind) =>
    traits[KINDS[kind]].map(({ name }, i) => ({ name, place: `${kind}[${i}]` })),
  );
}

function entriesOf(object: unknown, problems: string[]): Map<string, unknown> {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    problems.push(`it is ${shown(object)}; expected an object with ${KIND_NAMES.join(', ')}`);
    return new Map();
  }
  for (const key of Object.keys(object)) {
    if (key in KINDS) continue;
    const near = nearNames(key, KIND_NAMES)[0];
    const hint = near === undefined ? '' : ` did you mean ${near}?`;
    problems.push(`unknown key ${quoted(key)};${hint} expected ${KIND_NAMES.join(', ')}`);
  }
  return new Map(Object.entries(object));
}

function listOf(value: unknown, kind: Kind, problems: string[]): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  problems.push(`${kind} is ${shown(value)}; expected a list of traits`);
  return [];
}
