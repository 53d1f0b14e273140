import { KrisisError, nearNames, quoted } from '../../core/index.ts';
import { mismatch } from '../schema-problem.ts';
import { brokenRules } from './definition-rules.ts';
import { type CheckedDefinition, DEFINITION_KEYS, definitionSchema } from './definition-schema.ts';

/** Where a definition is, and how its keys are spelled there. */
export interface DefinitionSource {
  /** What a message begins with. */
  readonly where: string;
  readonly spell: (key: string) => string;
  readonly keys: readonly string[];
}

const IN_CODE: DefinitionSource = { where: 'defineTableSuite', spell: (key) => key, keys: DEFINITION_KEYS };

/**
 * A definition with its defaults filled in, or one error that says all that is wrong with it. `unknown` are keys that were found beside it.
 *
 * @example
 * ```ts
 * checkDefinition({ name: 'ward7/sodium', file: 'sodium.csv', label: 'diagnosis', instructions: 'Name it.' }).sensitivity // => 'protected'
 * ```
 */
export function checkDefinition(
  definition: unknown,
  source: DefinitionSource = IN_CODE,
  unknown: readonly string[] = [],
): CheckedDefinition {
  const parsed = definitionSchema.safeParse(definition);
  const complaint = (path: readonly PropertyKey[], expected: string) =>
    `${spelled(path, source)} ${mismatch(definition, path, expected)}`;
  const others = parsed.success
    ? brokenRules(parsed.data, source.spell).map(({ key, expected }) => complaint([key], expected))
    : parsed.error.issues.map((issue) =>
        issue.code === 'unrecognized_keys'
          ? unknownKeys(issue.keys, ...knownAt(issue.path, source))
          : complaint(issue.path, issue.message),
      );
  const complaints = [...(unknown.length === 0 ? [] : [unknownKeys(unknown, source.keys)]), ...others];
  if (parsed.success && complaints.length === 0) return parsed.data;
  const text =
    complaints.length === 1 ? ` ${complaints[0]}` : complaints.map((line) => `\n  ${line}`).join('');
  throw new KrisisError(`${source.where}:${text}`, { code: 'ERR_SUITE_DEFINITION', value: definition });
}

/** The message for a mistyped key. */
function unknownKeys(keys: readonly string[], known: readonly string[], where = ''): string {
  const near = keys.flatMap((key) => nearNames(key, known).slice(0, 1));
  const meant = near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`;
  return `unknown key ${keys.map(quoted).join(', ')}${where}${meant}; the known keys are ${known.join(', ')}`;
}

/** The keys that an object in a definition may have, and where that object is. */
function knownAt(path: readonly PropertyKey[], source: DefinitionSource): [readonly string[], string] {
  if (path.length === 0) return [source.keys, ''];
  const known = path[0] === 'columns' ? ['name', 'unit', 'type'] : ['metric', 'arm', 'why'];
  return [known, ` in ${spelled(path, source)}`];
}

function spelled(path: readonly PropertyKey[], { spell }: DefinitionSource): string {
  const [first, ...rest] = path.map(String);
  return first === undefined ? 'the definition' : [spell(first), ...rest].join('.');
}
