import { contentHash } from '../../core/canonical-json.ts';
import type { snakeKeys } from '../../core/codec.ts';
import { oncePer } from '../../core/collections.ts';
import { quoted } from '../../core/plain-text.ts';
import type { AskedItem } from '../judge/asked.ts';
import type { JudgeItem } from '../verdict.ts';
import * as field from './fields.ts';
import {
  getInstruction,
  type ItemFields,
  type ItemOptions,
  isNegated,
  readItems,
  readMetrics,
  refuseSharedLines,
} from './metric-trait-rules.ts';
import {
  type Bucket,
  EVALUATION_MODES,
  type EvaluationMode,
  type TraitKind,
  type TraitMetric,
} from './trait.ts';

/** What a metric trait is made of. */
export interface MetricTraitOptions {
  /** Unique in its rubric, whatever the case. */
  readonly name: string;
  /** Scope for the judge. It is never itself something to look for. */
  readonly description?: string | null;
  /** Whether forbidden items are judged too. Default: `tp_only`. */
  readonly evaluationMode?: EvaluationMode;
  /** The metrics to compute from the verdicts. */
  readonly metrics: readonly TraitMetric[];
  /** What the answer should say, one thing per line; or items with points, a check and other fields. */
  readonly tpInstructions: readonly (string | ItemOptions)[];
  /** What the answer must not say, one claim per line; or items with fields. */
  readonly tnInstructions?: readonly (string | ItemOptions)[];
  /** True: a repeat within a bucket counts once. False: every occurrence counts. */
  readonly repeatedExtraction?: boolean;
}

/** A metric trait in the form of files: `MetricTraitOptions` in snake_case, with every default written out. */
export type MetricTraitWire = ReturnType<
  typeof snakeKeys<Omit<Required<MetricTraitOptions>, 'description'>>
> & { readonly description?: string };

const SHAPE = {
  fields: {
    name: field.traitName,
    description: field.optionalText,
    evaluationMode: field.oneOf(EVALUATION_MODES, 'tp_only'),
    metrics: readMetrics,
    tpInstructions: readRequired,
    tnInstructions: readForbidden,
    repeatedExtraction: field.flag(true),
  },
  refused: { higherIsBetter: 'is no field of a metric trait: of every metric, more is better; remove it' },
};

/**
 * A checklist for answers, and the metrics to compute from it. What is wrong with one is refused when it is made, all of it at once.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({
 *   name: 'BCL2 coverage',
 *   metrics: ['recall', 'f1'],
 *   tpInstructions: ['Mentions the BCL2 gene', 'States that BCL2 is on chromosome 18'],
 * });
 * trait.evaluationMode; // => 'tp_only'
 * [...trait.getRequiredBuckets()] // => ['tp', 'fn', 'fp']
 * MetricRubricTrait.parse(trait.toJSON()).tpInstructions.length // => 2
 * ```
 */
export class MetricRubricTrait {
  declare readonly name: string;
  declare readonly description: string | null;
  declare readonly evaluationMode: EvaluationMode;
  declare readonly metrics: readonly TraitMetric[];
  readonly tpInstructions: readonly string[];
  readonly tnInstructions: readonly string[];
  declare readonly repeatedExtraction: boolean;
  /** Points, checks and other fields, by instruction; empty where the items are plain lines. */
  readonly itemFields: Readonly<Record<string, ItemFields>>;
  /** What is allowed and probably not meant. */
  readonly warnings: readonly string[];

  constructor(options: MetricTraitOptions) {
    const checked = checkMetricTrait(options, field.inCode, 'metric trait');
    Object.assign(this, checked);
    const items = [...checked.tpInstructions, ...checked.tnInstructions];
    this.tpInstructions = checked.tpInstructions.map(getInstruction);
    this.tnInstructions = checked.tnInstructions.map(getInstruction);
    this.itemFields = Object.fromEntries(
      items.flatMap((item) => {
        if (typeof item === 'string') return [];
        const { instruction, ...fields } = item;
        return [[instruction, fields]];
      }),
    );
    this.warnings = listWarnings(this);
  }

  /** Reads the form of files: snake_case. `place` is what an error begins with. */
  static parse(object: unknown, place = 'metric trait'): MetricRubricTrait {
    return new MetricRubricTrait(checkMetricTrait(object, field.inFile, place));
  }

  /** The lists that the trait's metrics are made of. */
  getRequiredBuckets(): ReadonlySet<Bucket> {
    return new Set(this.evaluationMode === 'tp_only' ? ['tp', 'fn', 'fp'] : ['tp', 'fn', 'fp', 'tn']);
  }

  /** The form of files; every default is written out. */
  toJSON(): MetricTraitWire {
    const withFields = (lines: readonly string[]) =>
      lines.map((instruction) => {
        const own = findFields(this, instruction);
        return own === undefined ? instruction : { instruction, ...own };
      });
    return {
      ...(field.fileForm(this, SHAPE) as MetricTraitWire),
      tp_instructions: withFields(this.tpInstructions),
      tn_instructions: withFields(this.tnInstructions),
    };
  }
}

/** Metric traits: a judge gives a verdict on every item, and the metrics are computed from the four confusion lists that these give. */
export const metricKind: TraitKind<MetricRubricTrait, 'metric'> & { readonly scoredBy: 'items' } = {
  id: 'metric',
  scoredBy: 'items',
  parse: (object, place) => MetricRubricTrait.parse(object, place),
  toJSON: (trait) => trait.toJSON(),
};

/** One instruction of a trait. The kind is for scoring; a judge is not told. */
export interface RubricItem extends JudgeItem, ItemFields {
  readonly kind: 'required' | 'forbidden';
  readonly traitName: string;
}

/** Short enough for a judge to copy, long enough that no two items of a rubric ever share one. */
const ID_LENGTH = 10;

/**
 * The items of a trait: what must be said and, in `full_matrix`, what must not. An id is a hash of the trait's name, the list and the instruction: the same in every
 * process and whatever else the trait holds, so that stored verdicts still fit when a line is added or its points change. A typed check is part of it: another check decides otherwise.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'BCL2', metrics: ['recall'], tpInstructions: ['Mentions BCL2'] });
 * listItems(trait)
 * // => [{ id: '7e90e03876', instruction: 'Mentions BCL2', kind: 'required', traitName: 'BCL2' }]
 * ```
 */
export const listItems = oncePer((trait: MetricRubricTrait): readonly RubricItem[] => {
  const items = (list: 'tp' | 'tn', instructions: readonly string[]): RubricItem[] =>
    instructions.map((instruction) => {
      const own = findFields(trait, instruction);
      const check = own?.check === undefined ? [] : [own.check];
      return {
        id: contentHash([trait.name, list, instruction, ...check]).slice(0, ID_LENGTH),
        instruction,
        kind: list === 'tp' ? 'required' : 'forbidden',
        traitName: trait.name,
        ...own,
      };
    });
  // Traits of a global rubric are the same for all questions, and the ids of their items are hashes: computed once.
  return [
    ...items('tp', trait.tpInstructions),
    ...(trait.evaluationMode === 'full_matrix' ? items('tn', trait.tnInstructions) : []),
  ];
});

/** The items as a judge is asked for them: without their kind, with the description of the trait as scope. */
export const askedItems = oncePer((trait: MetricRubricTrait): readonly AskedItem[] =>
  listItems(trait).map(({ id, instruction, check }) => ({
    id,
    instruction,
    ...(check && { check }),
    ...(trait.description ? { scope: trait.description } : {}),
    ...(trait.repeatedExtraction ? {} : { allQuotes: true }),
  })),
);

function checkMetricTrait(given: unknown, spell: typeof field.inFile, place: string) {
  return field.readTrait(given, SHAPE, spell, place, (fields, { tpInstructions, tnInstructions }) =>
    refuseSharedLines(fields, tpInstructions, tnInstructions),
  );
}

function findFields({ itemFields }: MetricRubricTrait, instruction: string): ItemFields | undefined {
  return Object.hasOwn(itemFields, instruction) ? itemFields[instruction] : undefined;
}

function readRequired(fields: field.Fields): (string | ItemOptions)[] {
  const missing = 'a list with at least one thing that the answer should say';
  return readItems(fields, 'tpInstructions', missing);
}

function readForbidden(fields: field.Fields): (string | ItemOptions)[] {
  const missing = `a list with at least one claim that the answer must not make, because ${fields.spell('evaluationMode')} is full_matrix`;
  return readItems(
    fields,
    'tnInstructions',
    fields.value('evaluationMode') === 'full_matrix' ? missing : null,
  );
}

function listWarnings({
  evaluationMode,
  tnInstructions,
}: Pick<MetricRubricTrait, 'evaluationMode' | 'tnInstructions'>): string[] {
  const unused =
    evaluationMode === 'tp_only' && tnInstructions.length > 0
      ? [
          `tp_only does not use the ${tnInstructions.length} forbidden claims; set evaluation_mode to full_matrix, or remove tn_instructions`,
        ]
      : [];
  const negated = tnInstructions
    .filter(isNegated)
    .map(
      (line) =>
        `forbidden claim ${quoted(line)} is phrased as a negative: a judge would have to quote what is not there; write the claim itself, such as "States that ..."`,
    );
  return [...unused, ...negated];
}
