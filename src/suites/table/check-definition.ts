import { isObject } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { type Label, sameLabel } from '../../core/label.ts';
import { nearNames } from '../../core/near-names.ts';
import { quoted } from '../../core/plain-text.ts';
import { withPreset } from '../choice/presets.ts';
import { mismatch } from '../schema-problem.ts';
import {
  type CheckedDefinition,
  DEFINITION_KEYS,
  definitionSchema,
  type TableDefinition,
} from './definition.ts';

/** Where a definition is, and how its keys are spelled there. */
interface DefinitionSource {
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
  const parsed = definitionSchema.safeParse(isObject(definition) ? withPreset(definition) : definition);
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

/** A key that does not fit the others: what it holds, and what was expected. */
interface BrokenRule {
  readonly key: keyof TableDefinition;
  readonly expected: string;
}

/** Metadata keys that a role of their own fills. */
const RESERVED = {
  should_abstain: 'shouldAbstain',
  should_abstain_reasons: 'shouldAbstainReasons',
  must_act: 'mustAct',
} as const;

/** The keys that name one column of the file, which the model never sees. */
const HIDDEN = ['label', 'id', 'shouldAbstain', 'shouldAbstainReasons', 'mustAct'] as const;

/** What must hold between the keys of a definition. `spell` writes a key as the user does. */
function brokenRules(
  definition: CheckedDefinition,
  spell: (key: keyof TableDefinition) => string,
): BrokenRule[] {
  const { labels, positiveLabel, actLabels = [], arms, primaryEndpoint, pack } = definition;
  const broken: BrokenRule[] = [...sharedColumns(definition, spell)];
  const rule = (holds: boolean, key: keyof TableDefinition, expected: string) => {
    if (!holds) broken.push({ key, expected });
  };
  const isJson = /\.(jsonl|ndjson|json|parquet|pq)(\.gz)?$/i.test(definition.file);
  for (const key of ['delimiter', 'decimal'] as const)
    rule(
      !isJson || definition[key] === undefined,
      key,
      'nothing, because JSON and Parquet have a form of their own',
    );
  broken.push(...choiceRules(definition, spell));
  rule(
    definition.question !== undefined
      ? definition.instructions === undefined || arms === undefined
      : (definition.instructions === undefined) !== (arms === undefined),
    'instructions',
    `either instructions or ${spell('arms')}, one of the two`,
  );
  rule(
    !(definition.ordered === true || pack === 'staging') || labels !== undefined,
    'labels',
    'the labels from mild to grave, because the order in which a file has them means nothing',
  );
  rule(
    !(pack === 'staging' && definition.ordered === false),
    'ordered',
    'true or nothing, because the pack staging measures along an order',
  );
  rule(
    pack !== 'detection' || positiveLabel !== undefined,
    'positiveLabel',
    'the label that means "the condition is there", because the pack detection needs it',
  );
  const isLabel = (label: Label) => labels === undefined || labels.some((known) => sameLabel(known, label));
  rule(
    positiveLabel === undefined || isLabel(positiveLabel),
    'positiveLabel',
    `one of the labels: ${labels?.join(', ')}`,
  );
  rule(actLabels.every(isLabel), 'actLabels', `some of the labels: ${labels?.join(', ')}`);
  rule(
    primaryEndpoint?.arm === undefined || Object.hasOwn(arms ?? { natural: '' }, primaryEndpoint.arm),
    'primaryEndpoint',
    `an arm among ${Object.keys(arms ?? { natural: '' }).join(', ')}`,
  );
  rule(
    definition.shouldAbstainReasons === undefined || definition.shouldAbstain !== undefined,
    'shouldAbstain',
    `a column, because ${spell('shouldAbstainReasons')} is given`,
  );
  rule(
    definition.deferralReasons === undefined || definition.shouldAbstainReasons !== undefined,
    'shouldAbstainReasons',
    `a column, because ${spell('deferralReasons')} is given`,
  );
  for (const [name, key] of Object.entries(RESERVED))
    for (const list of ['metadata', 'groups', 'cluster'] as const)
      rule(
        ![definition[list] ?? []].flat().includes(name),
        list,
        `columns other than ${name}, which the key ${spell(key)} names`,
      );
  return broken;
}

/** What only a multiple-choice set has. */
const OF_CHOICES = [
  'context',
  'options',
  'labelIs',
  'firstIndex',
  'subject',
  'maybe',
  'variant',
  'withheld',
  'share',
] as const;

/** What must hold between the keys of a multiple-choice set. */
function choiceRules(
  definition: CheckedDefinition,
  spell: (key: keyof TableDefinition) => string,
): BrokenRule[] {
  const { question, options, context, labels, variant, maybe } = definition;
  const broken: BrokenRule[] = [];
  const rule = (holds: boolean, key: keyof TableDefinition, expected: string) => {
    if (!holds) broken.push({ key, expected });
  };
  if (question === undefined) {
    for (const key of OF_CHOICES)
      rule(
        definition[key] === undefined,
        key,
        `nothing without ${spell('question')}, the column with the question`,
      );
    return broken;
  }
  rule(
    definition.columns === undefined,
    'columns',
    `nothing beside ${spell('question')}: the model sees question, context and options`,
  );
  rule(
    (options === undefined) !== (labels === undefined),
    'options',
    `either the columns of the options, or ${spell('labels')}, one of the two`,
  );
  for (const key of ['labelIs', 'firstIndex'] as const)
    rule(
      definition[key] === undefined || options !== undefined,
      key,
      `nothing without ${spell('options')}: the label is one of the labels`,
    );
  rule(
    definition.firstIndex === undefined || definition.labelIs === 'index',
    'firstIndex',
    `nothing, because ${spell('labelIs')} is not index`,
  );
  rule(
    maybe === undefined || labels?.includes('maybe') === true,
    'maybe',
    'nothing, because maybe is not among the labels',
  );
  rule(
    variant !== 'evidence_removed' || context !== undefined,
    'variant',
    `another variant, because no column is the ${spell('context')} that could be withheld`,
  );
  rule(
    variant === undefined || variant === 'evidence_removed' || options !== undefined,
    'variant',
    'another variant, because the answers are labels, the same for every question',
  );
  rule(
    definition.withheld === undefined || variant === 'evidence_removed',
    'withheld',
    `nothing without ${spell('variant')} evidence_removed`,
  );
  rule(
    definition.share === undefined || variant === 'no_right_option',
    'share',
    `nothing without ${spell('variant')} no_right_option`,
  );
  const isMarked = variant === 'no_right_option' || variant === 'evidence_removed' || maybe === 'defer';
  rule(
    definition.shouldAbstain === undefined || !isMarked,
    'shouldAbstain',
    'nothing, because the variant says where deferring is right',
  );
  return broken;
}

/** The columns that are kept and not shown. A group is shown like any other column, unless it is metadata or other columns are listed. */
export function hiddenMetadata({
  metadata,
  groups,
  cluster,
  columns,
}: Pick<CheckedDefinition, 'metadata' | 'groups' | 'cluster' | 'columns'>): string[] {
  const hiddenGroups = columns === undefined ? [] : groups.filter((name) => !Object.hasOwn(columns, name));
  return [...new Set([...metadata, ...(cluster === undefined ? [] : [cluster]), ...hiddenGroups])];
}

/** A column that is shown cannot be the label, nor can any column have two roles. Groups are metadata or shown. */
function sharedColumns(
  definition: CheckedDefinition,
  spell: (key: keyof TableDefinition) => string,
): BrokenRule[] {
  const { columns = {}, groups } = definition;
  const metadata = hiddenMetadata({ ...definition, groups: [] });
  const hidden = HIDDEN.flatMap((key) => {
    const name = definition[key];
    return name === undefined ? [] : [{ key, name }];
  });
  const named: { readonly key: keyof TableDefinition; readonly name: string }[] = [
    ...hidden,
    ...metadata.map((name) => ({ key: 'metadata' as const, name })),
    ...Object.keys(columns).map((name) => ({ key: 'columns' as const, name })),
    ...groups
      .filter((name) => hidden.some((column) => column.name === name))
      .map((name) => ({ key: 'groups' as const, name })),
  ];
  return named.flatMap(({ key, name }, i) => {
    const first = named.findIndex((other) => other.name === name);
    if (first === i) return [];
    const role = spell(named[first]!.key);
    return [{ key, expected: `other columns than "${name}", which is ${role}: a column has one role` }];
  });
}
