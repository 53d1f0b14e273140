import { labelKey } from '../../core/index.ts';
import type { TableDefinition } from './definition.ts';
import type { CheckedDefinition } from './definition-schema.ts';

/** A key that does not fit the others: what it holds, and what was expected. */
export interface BrokenRule {
  readonly key: keyof TableDefinition;
  readonly expected: string;
}

const RESERVED: readonly string[] = ['should_abstain', 'should_abstain_reasons'];

/** The keys that name columns of the file. */
const ROLES = ['label', 'id', 'shouldAbstain', 'shouldAbstainReasons', 'metadata'] as const;

/** What must hold between the keys of a definition. `spell` writes a key as the user does. */
export function brokenRules(
  definition: CheckedDefinition,
  spell: (key: keyof TableDefinition) => string,
): BrokenRule[] {
  const { labels, positiveLabel, arms, primaryEndpoint, pack } = definition;
  const broken: BrokenRule[] = [...sharedColumns(definition, spell)];
  const rule = (holds: boolean, key: keyof TableDefinition, expected: string) => {
    if (!holds) broken.push({ key, expected });
  };
  const isJson = /\.(jsonl|ndjson)$/i.test(definition.file);
  for (const key of ['delimiter', 'decimal'] as const)
    rule(!isJson || definition[key] === undefined, key, 'nothing, because JSONL has its own form');
  rule(
    (definition.instructions === undefined) !== (arms === undefined),
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
  rule(
    positiveLabel === undefined ||
      labels === undefined ||
      labels.map(labelKey).includes(labelKey(positiveLabel)),
    'positiveLabel',
    `one of the labels: ${labels?.join(', ')}`,
  );
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
  rule(
    !metadataColumns(definition).some((column) => RESERVED.includes(column)),
    'metadata',
    `columns other than ${RESERVED.join(' and ')}: those are ${spell('shouldAbstain')} and ${spell('shouldAbstainReasons')}`,
  );
  return broken;
}

/** All columns that are kept and not shown; groups and the cluster may be named among the metadata, too. */
export function metadataColumns({
  metadata,
  groups,
  cluster,
}: Pick<CheckedDefinition, 'metadata' | 'groups' | 'cluster'>): string[] {
  return [...new Set([...metadata, ...groups, ...(cluster === undefined ? [] : [cluster])])];
}

/** A column that is shown cannot be the label, nor can any column have two roles. */
function sharedColumns(
  definition: CheckedDefinition,
  spell: (key: keyof TableDefinition) => string,
): BrokenRule[] {
  const columns = { ...definition, metadata: metadataColumns(definition) };
  const named: { readonly key: keyof TableDefinition; readonly name: string }[] = [
    ...ROLES.flatMap((key) => [columns[key] ?? []].flat().map((name) => ({ key, name }))),
    ...Object.keys(definition.columns ?? {}).map((name) => ({ key: 'columns' as const, name })),
  ];
  return named.flatMap(({ key, name }, i) => {
    const first = named.findIndex((other) => other.name === name);
    if (first === i) return [];
    const role = spell(named[first]!.key);
    return [{ key, expected: `other columns than "${name}", which is ${role}: a column has one role` }];
  });
}
